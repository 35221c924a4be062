/**
 * The JSON Schema of the template format, made from the definitions: an editor completes names,
 * shows limits and marks errors with it. Conditions and rules between fields stay with `check`.
 */
import { resources } from '../../protocol/index.ts';
import type { Field, Param, Payload, Resource } from '../../protocol/index.ts';
import { DEVICE_KINDS } from '../../shared/model.ts';
import { VARIABLE_TYPES } from './check-variables.ts';
import { TEMPLATE_FORMAT } from './document.ts';
import { TEMPLATE_LIMITS } from './limits.ts';

type Schema = Readonly<Record<string, unknown>>;

const VARIABLE_PATTERN = '\\$\\{\\s*[A-Za-z_][A-Za-z0-9_]*\\s*\\}';
const PLACEHOLDER: Schema = { $ref: '#/$defs/placeholder' };
const TIME_PATTERNS: Readonly<Record<'datetime' | 'date' | 'time' | 'minutes', string>> = {
  datetime: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}', date: '^\\d{4}-\\d{2}-\\d{2}', time: '^\\d{2}:\\d{2}:\\d{2}', minutes: '^\\d{2}:\\d{2}$',
};

/** JSON Schema (draft 2020-12) of `fieldwright: template/1`. */
export function templateSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fieldwright configuration template',
    type: 'object',
    required: ['fieldwright', 'name', 'sections'],
    additionalProperties: false,
    properties: {
      fieldwright: { const: TEMPLATE_FORMAT },
      name: { type: 'string', minLength: 1, maxLength: 200 },
      description: { type: 'string', maxLength: 5000 },
      appliesTo: {
        type: 'object', additionalProperties: false,
        properties: { kinds: { type: 'array', minItems: 1, items: { enum: [...DEVICE_KINDS] } } },
      },
      variables: { type: 'object', maxProperties: TEMPLATE_LIMITS.variables, propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }, additionalProperties: { $ref: '#/$defs/variable' } },
      sections: { type: 'array', minItems: 1, maxItems: TEMPLATE_LIMITS.sections, items: { $ref: '#/$defs/section' } },
    },
    $defs: {
      placeholder: { type: 'string', pattern: VARIABLE_PATTERN, description: 'A variable of the template.' },
      variable: variableSchema(),
      section: sectionSchema(),
      ...Object.fromEntries(resources.map((resource) => [valueName(resource), valueSchema(resource)])),
    },
  };
}

/** The schema as it is kept in `resources/schema/template.schema.json`. */
export function templateSchemaText(): string {
  return `${JSON.stringify(templateSchema(), null, 1)}\n`;
}

function variableSchema(): Schema {
  return {
    type: 'object', required: ['type'], additionalProperties: false,
    properties: {
      type: { enum: [...VARIABLE_TYPES] },
      default: { type: ['string', 'number', 'boolean'] },
      min: { type: 'number' },
      max: { type: 'number' },
      options: { type: 'array', minItems: 1 },
      enum: { type: 'array', minItems: 1, description: 'Another word for options.' },
      pattern: { type: 'string', maxLength: 200, description: 'Regular expression that the whole text must match.' },
      description: { type: 'string', maxLength: 2000 },
    },
  };
}

function sectionSchema(): Schema {
  return {
    type: 'object', required: ['set', 'value'], additionalProperties: false,
    properties: {
      set: { enum: resources.map((resource) => resource.name) },
      params: { type: 'object' },
      value: {},
      optional: { type: 'boolean', description: 'A device without it is skipped, not failed.' },
      clamp: { type: 'boolean', description: 'A number outside the limits of a device is moved to the nearest limit instead of blocking.' },
    },
    allOf: resources.map((resource) => ({
      if: { properties: { set: { const: resource.name } }, required: ['set'] },
      then: {
        ...(resource.put.params.some((param) => param.default === undefined) ? { required: ['params'] } : {}),
        properties: { params: paramsSchema(resource.put.params), value: { $ref: `#/$defs/${valueName(resource)}` } },
      },
    })),
  };
}

function valueName(resource: Resource): string {
  return `value.${resource.name}`;
}

function valueSchema(resource: Resource): Schema {
  const payload: Payload | undefined = resource.put.request;
  if (payload === undefined) return { description: resource.get.label };
  const title = { title: resource.get.label };
  return payload.rootItem === undefined ? { ...title, ...objectSchema(payload.fields) } : { ...title, type: 'array', items: fieldSchema(payload.rootItem) };
}

function paramsSchema(params: readonly Param[]): Schema {
  return {
    type: 'object', additionalProperties: false,
    required: params.filter((param) => param.default === undefined).map((param) => param.name),
    properties: Object.fromEntries(params.map((param) => [param.name, { title: param.label, anyOf: [paramType(param), PLACEHOLDER] }])),
  };
}

function paramType(param: Param): Schema {
  return param.type === 'int'
    ? { type: 'integer', ...limit('minimum', param.min), ...limit('maximum', param.max) }
    : { type: ['string', 'integer'], ...limit('minLength', param.minLength), ...limit('maxLength', param.maxLength) };
}

function objectSchema(fields: readonly Field[]): Schema {
  const writable = fields.filter((field) => field.readOnly !== true);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(writable.map((field) => [field.name, memberSchema(field)])) };
}

/** A field by its name: its own type, a variable, or `null` to remove it. */
function memberSchema(field: Field): Schema {
  const described = { title: field.unit === undefined ? field.label : `${field.label} (${field.unit})`, ...(field.help === undefined ? {} : { description: field.help }) };
  const own = fieldSchema(field);
  const removable = field.required === true ? [] : [{ type: 'null' }];
  if (field.sensitive === true && field.kind !== 'object' && field.kind !== 'list') return { ...described, anyOf: [PLACEHOLDER, ...removable] };
  const takesVariable = field.kind !== 'object' && field.kind !== 'list' && field.kind !== 'opaque';
  return { ...described, anyOf: [own, ...(takesVariable ? [PLACEHOLDER] : []), ...removable] };
}

function fieldSchema(field: Field): Schema {
  switch (field.kind) {
    case 'string': return { type: 'string', ...limit('minLength', field.minLength), ...limit('maxLength', field.maxLength) };
    case 'int': return { type: 'integer', ...limit('minimum', field.min), ...limit('maximum', field.max) };
    case 'float': return { type: 'number', ...limit('minimum', field.min), ...limit('maximum', field.max) };
    case 'bool': return { type: 'boolean' };
    case 'choice': return { enum: field.options.map((option) => option.value) };
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes': return { type: 'string', pattern: TIME_PATTERNS[field.kind] };
    case 'opaque': return {};
    case 'object': return objectSchema(field.fields);
    case 'list': return { type: 'array', items: itemSchema(field.item), ...limit('minItems', field.minItems), ...limit('maxItems', field.maxItems) };
  }
}

function itemSchema(item: Field): Schema {
  const own = fieldSchema(item);
  return item.kind === 'object' || item.kind === 'list' || item.kind === 'opaque' ? own : { anyOf: [own, PLACEHOLDER] };
}

function limit(name: string, value: number | undefined): Schema {
  return value === undefined ? {} : { [name]: value };
}
