/** Members of a template in the order people write them. */
export const TOP_ORDER = [
  'fieldwright',
  'name',
  'description',
  'appliesTo',
  'variables',
  'sections',
] as const;
export const SECTION_ORDER = ['set', 'params', 'optional', 'clamp', 'value'] as const;
export const VARIABLE_ORDER = ['type', 'default', 'min', 'max', 'options', 'pattern', 'description'] as const;
