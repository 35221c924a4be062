/**
 * Builds the JSON Schema of the template format from the definitions; editors use it to complete names, show
 * limits and mark errors. Conditions between fields are described in words; conditions and rules are checked
 * by `check`.
 */
import {
  formatFieldTitle,
  getFreeNumber,
  getPartKey,
  parsePath,
  rootField,
  describeField,
  describeParam,
  resources,
  type Field,
  type ListField,
  type Option,
  type Param,
  type Payload,
  type Resource,
  type StringField,
} from '#protocol/index.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import {
  KEEP_OPTIONS,
  listGrammarMembers,
  MISSING_OPTIONS,
  TEMPLATE_FORMAT,
  VARIABLE_TYPES,
  type Block,
  type VariableType,
} from '#template/grammar.ts';
import { holdsPartList } from '#template/list-change.ts';
import { VARIABLE_NAME } from '#template/placeholder.ts';

type Schema = Readonly<Record<string, unknown>>;

const VARIABLE_PATTERN = `\\$\\{\\s*${VARIABLE_NAME.source.slice(1, -1)}\\s*\\}`;
/** Schema of a placeholder in place of a value. */
const PLACEHOLDER: Schema = { $ref: '#/$defs/placeholder' };
/** Part of a text. */
const FILLED_IN: Schema = { $ref: '#/$defs/filledIn' };
const TIME_PATTERNS: Readonly<Record<'datetime' | 'date' | 'time' | 'minutes', string>> = {
  datetime: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}',
  date: '^\\d{4}-\\d{2}-\\d{2}',
  time: '^\\d{2}:\\d{2}:\\d{2}',
  minutes: '^\\d{2}:\\d{2}$',
};

const ZONE_PATTERN = '.*(?:Z|[+-]\\d{2}:\\d{2})$';

/** JSON Schema (draft 2020-12) of `fieldwright: template/1`. */
export function buildTemplateSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fieldwright configuration template',
    type: 'object',
    ...blockSchema('top', {
      fieldwright: { const: TEMPLATE_FORMAT, default: TEMPLATE_FORMAT },
      appliesTo: blockSchema('appliesTo', { kinds: { items: { enum: [...DEVICE_KINDS] } } }),
      variables: {
        propertyNames: { pattern: VARIABLE_NAME.source },
        additionalProperties: { $ref: '#/$defs/variable' },
      },
      sections: { items: { $ref: '#/$defs/section' } },
    }),
    $defs: {
      placeholder: {
        type: 'string',
        pattern: `^${VARIABLE_PATTERN}$`,
        description: 'A variable of the template.',
      },
      filledIn: {
        type: 'string',
        pattern: VARIABLE_PATTERN,
        description: 'A text with variables of the template inside.',
      },
      variable: variableSchema(),
      section: sectionSchema(),
      ...Object.fromEntries(resources.map((resource) => [valueName(resource), valueSchema(resource)])),
      ...Object.fromEntries(
        resources.filter(canChangeInPart).map((resource) => [changeName(resource), changeSchema(resource)]),
      ),
    },
  };
}

/** The schema as it is kept in `resources/schema/template.schema.json`. */
export function formatTemplateSchema(): string {
  return `${JSON.stringify(buildTemplateSchema(), null, 1)}\n`;
}

const DEFAULT_TYPES: Readonly<Record<VariableType, Schema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  secret: {},
};

/** Returns the schema of a block by the grammar; `more` says what its members hold. */
function blockSchema(block: Block, more: Readonly<Record<string, Schema>>): Schema {
  const members = listGrammarMembers(block);
  const required = members.filter(({ isRequired }) => isRequired === true).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    properties: Object.fromEntries(
      members.map(({ name, takes, about, most, isFilled }) => {
        const { type, fewest: least, most: limitName } = SHAPES[takes] ?? {};
        return [
          name,
          {
            type,
            ...(isFilled === true && least !== undefined && { [least]: 1 }),
            ...(limitName !== undefined && limit(limitName, most)),
            ...more[name],
            description: about,
          },
        ];
      }),
    ),
  };
}

const SHAPES: Readonly<
  Partial<Record<string, { readonly type: string; readonly fewest?: string; readonly most?: string }>>
> = {
  text: { type: 'string', fewest: 'minLength', most: 'maxLength' },
  list: { type: 'array', fewest: 'minItems', most: 'maxItems' },
  kinds: { type: 'array', fewest: 'minItems' },
  map: { type: 'object', most: 'maxProperties' },
  flag: { type: 'boolean' },
  number: { type: 'number' },
};

function variableSchema(): Schema {
  return {
    ...blockSchema('variable', {
      type: {
        enum: [...VARIABLE_TYPES],
        enumDescriptions: [
          'Text',
          'A whole number',
          'A number',
          'true or false',
          'Text that is never stored; without a default',
        ],
      },
      default: { type: ['string', 'number', 'boolean'] },
    }),
    allOf: VARIABLE_TYPES.map((type) => ({
      if: { properties: { type: { const: type } }, required: ['type'] },
      then: {
        properties: Object.fromEntries(
          listGrammarMembers('variable').flatMap(({ name, of, takes }): [string, unknown][] => {
            if (of?.includes(type) === false) return [[name, false]];
            return name === 'default'
              ? [[name, DEFAULT_TYPES[type]]]
              : takes === 'list'
                ? [[name, { items: DEFAULT_TYPES[type] }]]
                : [];
          }),
        ),
      },
    })),
  };
}

function sectionSchema(): Schema {
  return {
    ...blockSchema('section', {
      set: {
        enum: resources.map(({ name }) => name),
        enumDescriptions: resources.map(({ get }) => `${get.label} (${specText(get.spec)})`),
      },
    }),
    anyOf: [{ required: ['value'] }, { required: ['change'] }],
    allOf: resources.map((resource) => ({
      if: { properties: { set: { const: resource.name } }, required: ['set'] },
      then: {
        ...(resource.put.params.some((param) => param.default === undefined) ? { required: ['params'] } : {}),
        properties: {
          params: paramsSchema(resource.put.params),
          value: { $ref: `#/$defs/${valueName(resource)}` },
          change: canChangeInPart(resource) ? { $ref: `#/$defs/${changeName(resource)}` } : false,
        },
      },
    })),
  };
}

function valueName(resource: Resource): string {
  return `value.${resource.name}`;
}

function valueSchema(resource: Resource): Schema {
  const payload: Payload = resource.put.request;
  const title = { title: resource.get.label, description: specText(payload.spec) };
  return payload.rootItem === undefined
    ? { ...title, ...objectSchema(payload.fields) }
    : {
        ...title,
        type: 'array',
        items: fieldSchema(payload.rootItem),
        ...limit('maxItems', payload.maxItems),
      };
}

function canChangeInPart({ put }: Resource): boolean {
  return holdsPartList(rootField(put.request));
}

function changeName(resource: Resource): string {
  return `change.${resource.name}`;
}

function changeSchema({ get, put }: Resource): Schema {
  return { title: get.label, description: specText(put.request.spec), ...partSchema(rootField(put.request)) };
}

/** Lists that can be changed in part, and the objects around them. */
function partSchema(field: Field): Schema {
  if (field.kind === 'list')
    return blockSchema('listChange', {
      keep: { enum: [...KEEP_OPTIONS], default: KEEP_OPTIONS[0] },
      missing: { enum: [...MISSING_OPTIONS], default: MISSING_OPTIONS[0] },
      items: { items: changedItemSchema(field) },
    });
  const fields = field.kind === 'object' ? field.fields.filter(holdsPartList) : [];
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      fields.map((inner) => [inner.name, { title: formatFieldTitle(inner), ...partSchema(inner) }]),
    ),
  };
}

function changedItemSchema(list: ListField): Schema {
  const [key] = parsePath(getPartKey(list) ?? '');
  const number = getFreeNumber(list);
  const fields = list.item.kind === 'object' ? list.item.fields.filter(({ name }) => name !== number) : [];
  const item = objectSchema(fields);
  const [remove] = listGrammarMembers('changedItem');
  return {
    ...item,
    properties: { ...(item['properties'] as Schema), remove: { const: true, description: remove?.about } },
    ...(key !== undefined && { required: [key] }),
  };
}

/** `3:2.7` as people cite it. */
function specText(spec: string): string {
  const [part = '', section = ''] = spec.split(':');
  return `part ${part}, ${section}`;
}

function paramsSchema(params: readonly Param[]): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    required: params.filter((param) => param.default === undefined).map((param) => param.name),
    properties: Object.fromEntries(
      params.map((param) => [
        param.name,
        {
          title: param.label,
          description: describeParam(param),
          ...defaultOf(param),
          anyOf: [paramType(param), param.type === 'int' ? PLACEHOLDER : FILLED_IN],
        },
      ]),
    ),
  };
}

function paramType(param: Param): Schema {
  return param.type === 'int'
    ? { type: 'integer', ...limit('minimum', param.min), ...limit('maximum', param.max) }
    : {
        type: ['string', 'integer'],
        ...limit('minLength', param.minLength),
        ...limit('maxLength', param.maxLength),
      };
}

function objectSchema(fields: readonly Field[]): Schema {
  const writable = fields.filter((field) => field.readOnly !== true);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(writable.map((field) => [field.name, memberSchema(field)])),
  };
}

/** A field by its name: its own type, a variable, or `null` to remove it. */
function memberSchema(field: Field): Schema {
  const described = {
    title: formatFieldTitle(field),
    description: field.help === undefined ? describeField(field) : `${describeField(field)}. ${field.help}`,
    ...defaultOf(field),
  };
  const removable = field.required === true ? [] : [{ type: 'null' }];
  if (field.sensitive === true && field.kind !== 'object' && field.kind !== 'list')
    return { ...described, anyOf: [PLACEHOLDER, ...removable] };
  return { ...described, anyOf: [fieldSchema(field), ...variableFor(field), ...removable] };
}

/** Texts may have variables inside, other values may be one. */
function variableFor(field: Field): readonly Schema[] {
  switch (field.kind) {
    case 'object':
    case 'list':
    case 'opaque':
      return [];
    case 'int':
    case 'float':
    case 'bool':
      return [PLACEHOLDER];
    default:
      return [FILLED_IN];
  }
}

function defaultOf(of: Field | Param): Schema {
  return 'default' in of && of.default !== undefined ? { default: of.default } : {};
}

function fieldSchema(field: Field): Schema {
  switch (field.kind) {
    case 'string':
      return {
        type: 'string',
        ...limit('minLength', field.emptyWhen === undefined ? field.minLength : undefined),
        ...limit('maxLength', field.maxLength),
        ...patternOf(field),
      };
    case 'int':
      return {
        type: 'integer',
        ...limit('minimum', field.min),
        ...limit('maximum', field.maxAt === undefined ? field.max : undefined),
      };
    case 'float':
      return { type: 'number', ...limit('minimum', field.min), ...limit('maximum', field.max) };
    case 'bool':
      return { type: 'boolean' };
    case 'choice':
      return { enum: field.options.map(({ value }) => value), ...labels(field.options) };
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes':
      return { type: 'string', pattern: TIME_PATTERNS[field.kind] + (field.zoned ? ZONE_PATTERN : '') };
    case 'opaque':
      return { type: 'object' };
    case 'object':
      return objectSchema(field.fields);
    case 'list':
      return {
        type: 'array',
        items: itemSchema(field.item),
        ...fewest(field),
        ...limit('maxItems', field.maxItems),
      };
  }
}

function itemSchema(item: Field): Schema {
  const variables = variableFor(item);
  return variables.length === 0 ? fieldSchema(item) : { anyOf: [fieldSchema(item), ...variables] };
}

/** Editors show them beside the values; only where they say more. */
function labels(options: readonly Option[]): Schema {
  return options.some(({ value, label }) => label !== String(value))
    ? { enumDescriptions: options.map(({ label }) => label) }
    : {};
}

function patternOf({ csv, pattern }: StringField): Schema {
  if (csv !== undefined) return { pattern: '^\\s*(\\d+\\s*(,\\s*\\d+\\s*)*)?$' };
  return pattern === undefined ? {} : { pattern: `^(?:${pattern})$` };
}

/** A list that may be empty takes none or enough. */
function fewest({ minItems, emptyWhen }: ListField): Schema {
  return emptyWhen === undefined || minItems === undefined
    ? limit('minItems', minItems)
    : { anyOf: [{ maxItems: 0 }, { minItems }] };
}

function limit(name: string, value: number | undefined): Schema {
  return value === undefined ? {} : { [name]: value };
}
