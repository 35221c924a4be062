/**
 * What may stand at a path of a template, from the definitions themselves: they know labels in the
 * language of the screen, units, conditions and the specification's sections, which the JSON Schema
 * (for editors elsewhere) cannot carry.
 */
import type { Field, Param } from '#protocol/definition.ts';
import { findResource, resources } from '#protocol/catalogue.ts';
import { fieldAt } from '#protocol/fields/field-at.ts';
import { pathOf } from '#protocol/fields/path.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { SECTION_ORDER, TOP_ORDER, VARIABLE_ORDER } from '../editor/member-order.ts';

export type Steps = readonly (string | number)[];

/** One name or value that may stand there. `word` is a key of the screen's words, `label` ready text. */
export interface Candidate {
  readonly text: string;
  readonly label?: string;
  readonly field?: Field;
  readonly param?: Param;
  /** A key below `templates.member` for members of the format itself. */
  readonly member?: string;
  /** What is written behind the name: the beginning of a block, of a list, or a value. */
  readonly opens?: 'map' | 'list' | 'value';
}
export interface Possible {
  readonly names: readonly Candidate[];
  readonly values: readonly Candidate[];
  readonly takesVariable: boolean;
  readonly field?: Field | undefined;
  readonly param?: Param | undefined;
  readonly member?: string | undefined;
  /** Path of the field inside the section's value: `TimeBlockList[0].dayOfWeek`. */
  readonly fieldPath?: string | undefined;
}

const NOTHING: Possible = { names: [], values: [], takesVariable: false };
const FLAGS: readonly Candidate[] = [{ text: 'true' }, { text: 'false' }];
const VARIABLE_TYPES = ['string', 'integer', 'number', 'boolean', 'secret'] as const;
const OPENS: Readonly<Record<string, Candidate['opens']>> = {
  appliesTo: 'map',
  variables: 'map',
  sections: 'list',
  params: 'map',
  value: 'map',
};

function members(names: readonly string[], at: string): readonly Candidate[] {
  return names.map((name) => ({ text: name, member: `${at}.${name}`, opens: OPENS[name] ?? 'value' }));
}

export function possibleAt(path: Steps, set: string | undefined): Possible {
  const [first, second, third, ...rest] = path;
  if (first === undefined) return { ...NOTHING, names: members(TOP_ORDER, 'top') };
  if (first === 'fieldwright' && path.length === 1)
    return { ...NOTHING, values: [{ text: 'template/1' }], member: 'top.fieldwright' };
  if (first === 'appliesTo') {
    if (path.length === 1)
      return { ...NOTHING, names: members(['kinds'], 'appliesTo'), member: 'top.appliesTo' };
    return { ...NOTHING, values: DEVICE_KINDS.map((kind) => ({ text: kind })), member: 'appliesTo.kinds' };
  }
  if (first === 'variables') return variableAt(path);
  if (first === 'sections') {
    if (path.length === 1) return { ...NOTHING, member: 'top.sections' };
    if (path.length === 2) return { ...NOTHING, names: members(SECTION_ORDER, 'section') };
    if (typeof second === 'number' && typeof third === 'string') return sectionAt(third, rest, set);
  }
  return path.length === 1 && typeof first === 'string' ? { ...NOTHING, member: `top.${first}` } : NOTHING;
}

function variableAt(path: Steps): Possible {
  if (path.length === 2) return { ...NOTHING, names: members(VARIABLE_ORDER, 'variable') };
  if (path.length === 3 && path[2] === 'type')
    return { ...NOTHING, values: VARIABLE_TYPES.map((type) => ({ text: type })), member: 'variable.type' };
  return path.length === 1
    ? { ...NOTHING, member: 'top.variables' }
    : { ...NOTHING, member: `variable.${String(path[2])}` };
}

function sectionAt(member: string, path: Steps, set: string | undefined): Possible {
  if (member === 'set')
    return {
      ...NOTHING,
      values: resources.map((resource) => ({ text: resource.name, label: resource.put.label })),
      member: 'section.set',
    };
  if (member === 'optional' || member === 'clamp')
    return { ...NOTHING, values: FLAGS, member: `section.${member}` };
  const resource = set === undefined ? undefined : findResource(set);
  if (member === 'params') {
    const params = resource?.put.params ?? [];
    if (path.length === 0)
      return {
        ...NOTHING,
        names: params.map((param) => ({ text: param.name, label: param.label, param, opens: 'value' })),
        member: 'section.params',
      };
    return { ...NOTHING, takesVariable: true, param: params.find((param) => param.name === path[0]) };
  }
  const payload = resource?.put.request;
  if (member !== 'value' || payload === undefined) return { ...NOTHING, member: `section.${member}` };
  const fieldPath = pathOf(path);
  const field = fieldAt(payload, fieldPath);
  if (field === undefined) return NOTHING;
  const isSimple = field.kind !== 'object' && field.kind !== 'list';
  return {
    names:
      field.kind === 'object'
        ? field.fields
            .filter((inner) => inner.readOnly !== true)
            .map((inner) => ({
              text: inner.name,
              label: inner.label,
              field: inner,
              opens: inner.kind === 'object' ? 'map' : inner.kind === 'list' ? 'list' : 'value',
            }))
        : [],
    values: valuesOf(field),
    takesVariable: isSimple,
    field: path.length === 0 ? undefined : field,
    member: path.length === 0 ? 'section.value' : undefined,
    fieldPath,
  };
}

function valuesOf(field: Field): readonly Candidate[] {
  const removal: readonly Candidate[] =
    field.required === true ? [] : [{ text: 'null', member: 'section.null' }];
  if (field.sensitive === true) return removal;
  if (field.kind === 'choice')
    return [
      ...field.options.map(
        (option) =>
          ({
            text: optionText(option.value),
            label: option.label === String(option.value) ? undefined : option.label,
            field,
          }) as Candidate,
      ),
      ...removal,
    ];
  if (field.kind === 'bool') return [...FLAGS, ...removal];
  const known =
    'default' in field && field.default !== undefined
      ? [{ text: optionText(field.default as string | number), member: 'section.default' }]
      : [];
  return field.kind === 'object' || field.kind === 'list' ? [] : [...known, ...removal];
}
/** What YAML would take for something else is quoted. */
function optionText(value: string | number): string {
  return typeof value === 'number' ||
    (/^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value))
    ? String(value)
    : JSON.stringify(value);
}
