/** `template new`: a commented template made from the definitions, for people to fill in. Pure. */
import {
  describeField,
  isExpectedArea,
  describeParam,
  resources,
  rootField,
  getUsualParam,
  type Field,
  type ListField,
  type Param,
  type Resource,
} from '#protocol/index.ts';
import type { DeviceKind } from '#shared/model.ts';
import type { VariableDeclaration } from './document.ts';
import { requireResource } from './resource-named.ts';
import { createVariableDeclaration, makeVariableName } from './write/declare.ts';
import {
  formatTemplate,
  VALUE_INDENT,
  type WrittenSection,
  type WrittenVariable,
} from './write/template-text.ts';
import { formatValueLines, appendComment } from './write/value-lines.ts';
import { formatFlowValue, formatScalar } from './write/yaml-text.ts';

interface SkeletonOptions {
  readonly name: string;
  /** Empty: for every kind. */
  readonly kinds: readonly DeviceKind[];
  /** Names; empty: everything that devices of the kinds have, except what cannot be set without a secret. */
  readonly sections: readonly string[];
}

/**
 * Builds a template that passes `check` unchanged. Values to decide are variables without a default, so that
 * it cannot be applied unread; all other settings are comments with their allowed values. Throws
 * `unknown-section`.
 */
export function buildTemplateSkeleton({ name, kinds, sections }: SkeletonOptions): string {
  const chosen =
    sections.length > 0
      ? [...new Set(sections)].map(requireResource)
      : resources.filter(({ put }) => isExpectedArea(put.area, kinds) && !put.sensitive);
  const leftOut =
    sections.length > 0
      ? []
      : resources.filter(({ put }) => isExpectedArea(put.area, kinds) && put.sensitive);
  const written = chosen.map((resource) =>
    sectionOf(resource, sections.length === 0 && isOptional(resource, kinds)),
  );
  const params = new Map(
    chosen.flatMap(({ put }) => put.params.map((param) => [param.name, param] as const)),
  );
  return formatTemplate({
    comments: [
      'Every variable without a default has to be given a value (--values name=value), or be replaced by one below.',
      'Lines that begin with # do nothing: to set them remove the # and give a value. What is not named stays on a device as it is.',
    ],
    name,
    kinds,
    variables: [
      ...[...params.values()].map(paramVariable),
      ...written.flatMap(({ variables }) => variables.map((declaration) => ({ declaration }))),
    ],
    sections: written.map(({ section }) => section),
    remarks: leftOut.map(
      (resource) =>
        `${resource.name} (${resource.get.label}) takes a secret; add it with: template new --section ${resource.name}`,
    ),
  });
}

/** A device that has only some of the events is skipped for the others instead of failing. */
function isOptional({ put }: Resource, kinds: readonly DeviceKind[]): boolean {
  return put.area === 'events' || kinds.length !== 1;
}

function paramVariable(param: Param): WrittenVariable {
  const isNumber = param.type === 'int';
  return {
    declaration: {
      name: param.name,
      type: isNumber ? 'integer' : 'string',
      default: getUsualParam(param),
      ...(isNumber && param.min !== undefined && { min: param.min }),
      ...(isNumber && param.max !== undefined && { max: param.max }),
      description: param.label,
      required: false,
    },
    comment: describeParam(param),
  };
}

interface SkeletonSection {
  readonly section: WrittenSection;
  readonly variables: readonly VariableDeclaration[];
}

function sectionOf(resource: Resource, optional: boolean): SkeletonSection {
  const variables: VariableDeclaration[] = [];
  const root = rootField(resource.put.request);
  const stand = (field: Field, path: string): unknown => {
    const name = makeVariableName(resource.name, {}, path);
    variables.push(createVariableDeclaration(name, field, `${field.label} (${resource.get.label})`));
    return `\${${name}}`;
  };
  const value =
    root.kind === 'list'
      ? formatValueLines(root, activeList(root, '', stand), VALUE_INDENT, fieldComment)
      : memberLines(
          root.fields.filter((field) => !isAddress(field, resource)),
          activeFields(root.fields),
          stand,
        );
  return {
    section: {
      comments: [`${resource.get.label} (part ${resource.put.spec.replace(':', ', ')})`],
      set: resource.name,
      params: Object.fromEntries(resource.put.params.map(({ name }) => [name, `\${${name}}`])),
      optional,
      value,
    },
    variables,
  };
}

/** Every device has its own id already, and takes no other. */
function isAddress({ name, perDevice }: Field, { put }: Resource): boolean {
  return perDevice === true && (name === 'id' || put.params.some((param) => param.name === name));
}

type StandIn = (field: Field, path: string) => unknown;

/** Returns the required fields of a section, or its first plain setting if none is required. */
function activeFields(fields: readonly Field[]): ReadonlySet<Field> {
  const writable = fields.filter(
    (field) => field.readOnly !== true && field.perDevice !== true && field.when === undefined,
  );
  const required = writable.filter((field) => field.required === true);
  if (required.length > 0) return new Set(required);
  const first = writable.find((field) => isPlainField(field)) ?? writable[0];
  return new Set(first === undefined ? [] : [first]);
}

function isPlainField(field: Field): boolean {
  return field.kind !== 'object' && field.kind !== 'list' && field.kind !== 'opaque';
}

function memberLines(
  fields: readonly Field[],
  active: ReadonlySet<Field>,
  stand: StandIn,
): readonly string[] {
  return fields
    .filter((field) => field.readOnly !== true && field.kind !== 'opaque')
    .flatMap((field) => {
      if (!active.has(field)) return commented(field, VALUE_INDENT, '');
      const value = activeValue(field, field.name, stand);
      if (isPlainField(field))
        return [
          appendComment(
            `${VALUE_INDENT}${formatScalar(field.name)}: ${formatFlowValue(value)}`,
            fieldComment(field),
          ),
        ];
      return [
        appendComment(`${VALUE_INDENT}${formatScalar(field.name)}:`, fieldComment(field)),
        ...formatValueLines(field, value, `${VALUE_INDENT}  `, fieldComment),
      ];
    });
}

function activeValue(field: Field, path: string, stand: StandIn): unknown {
  if (field.kind === 'list') return activeList(field, path, stand);
  if (field.kind !== 'object') return stand(field, path);
  const inner = field.fields.filter(
    (one) => one.readOnly !== true && one.when === undefined && one.kind !== 'list' && one.kind !== 'opaque',
  );
  const needed = inner.some(({ required }) => required === true)
    ? inner.filter(({ required }) => required === true)
    : inner;
  return Object.fromEntries(needed.map((one) => [one.name, activeValue(one, `${path}_${one.name}`, stand)]));
}

/** One item, to be repeated. */
function activeList(field: ListField, path: string, stand: StandIn): unknown {
  return [activeValue(field.item, path, stand)];
}

/** `# name: usual value  # what it takes`, members of objects below it. */
function commented(field: Field, indent: string, depth: string): readonly string[] {
  if (field.readOnly === true || field.kind === 'opaque') return [];
  const name = `${indent}# ${depth}${formatScalar(field.name)}:`;
  if (field.kind === 'object')
    return [
      appendComment(name, fieldComment(field)),
      ...field.fields.flatMap((inner) => commented(inner, indent, `${depth}  `)),
    ];
  if (field.sensitive === true) return [appendComment(`${name} "\${…}"`, fieldComment(field))];
  // No example for what has no usual value: it would be taken for one.
  const isOpen = isPlainField(field) && !('default' in field && field.default !== undefined);
  return [
    appendComment(isOpen ? name : `${name} ${formatFlowValue(makeExampleValue(field))}`, fieldComment(field)),
  ];
}

function fieldComment(field: Field): string {
  return field.help === undefined ? describeField(field) : `${describeField(field)}. ${field.help}`;
}

function makeExampleValue(field: Field): unknown {
  if ('default' in field && field.default !== undefined) return field.default;
  switch (field.kind) {
    case 'int':
      return Math.ceil(numberIn(field));
    case 'float':
      return Number(numberIn(field).toFixed(field.decimals ?? 1));
    case 'string':
      return textFor(field);
    case 'bool':
      return false;
    case 'choice':
      return field.options[0]?.value ?? '';
    case 'datetime':
      return '2030-01-31T08:00:00';
    case 'date':
      return '2030-01-31';
    case 'time':
      return field.zoned ? '08:00:00+00:00' : '08:00:00';
    case 'minutes':
      return '08:00';
    case 'opaque':
      return {};
    case 'object':
      return Object.fromEntries(
        shownFields(field.fields).map((inner) => [inner.name, makeExampleValue(inner)]),
      );
    case 'list':
      return Array.from(
        { length: Math.max(1, Math.min(field.minItems ?? 1, field.maxItems ?? Infinity)) },
        () => makeExampleValue(field.item),
      );
  }
}

/** Returns the fields shown in an item: those that apply without a condition. */
function shownFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    (field) =>
      field.readOnly !== true &&
      field.sensitive !== true &&
      field.when === undefined &&
      field.kind !== 'opaque',
  );
}

function numberIn({ min, max }: { readonly min?: number; readonly max?: number }): number {
  return Math.min(Math.max(0, min ?? 0), max ?? Infinity);
}

function textFor({ csv, minLength = 0, maxLength = Infinity }: Extract<Field, { kind: 'string' }>): string {
  if (csv !== undefined) return String(csv.min);
  return '1'.padEnd(minLength, '1').slice(0, maxLength);
}
