/**
 * Names and values that are possible at a path of a template: by the grammar of the format, and inside a section by the
 * definitions. These know labels in the language of the screen, units, conditions and the specification's sections, which
 * the JSON Schema (for editors elsewhere) cannot carry.
 */
import type { Field, Param, Payload } from '#protocol/definition.ts';
import { findResource, resources } from '#protocol/catalogue.ts';
import { findField, rootField } from '#protocol/fields/field-at.ts';
import { joinSteps } from '#protocol/fields/path.ts';
import type { KeyBelow } from '#renderer/common/labels/translate.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import {
  KEEP_OPTIONS,
  listGrammarMembers,
  MISSING_OPTIONS,
  TEMPLATE_FORMAT,
  VARIABLE_TYPES,
  type Block,
} from '#template/grammar.ts';
import { holdsPartList } from '#template/list-change.ts';

type Member = KeyBelow<'templates.member'>;
export type Steps = readonly (string | number)[];

/** Name or value that is possible there. `word` is a key of the screen's words, `label` ready text. */
export interface Candidate {
  readonly text: string;
  readonly label?: string;
  readonly field?: Field;
  readonly param?: Param;
  /** Words of a member of the format itself. */
  readonly member?: Member;
  /** Text after the name: the beginning of a block, of a list, or a value. */
  readonly opens?: 'map' | 'list' | 'value';
}
export interface Possible {
  readonly names: readonly Candidate[];
  readonly values: readonly Candidate[];
  readonly takesVariable: boolean;
  readonly field?: Field | undefined;
  readonly param?: Param | undefined;
  readonly member?: Member | undefined;
  /** Path of the field inside the section's value: `TimeBlockList[0].dayOfWeek`. */
  readonly fieldPath?: string | undefined;
}

const NOTHING: Possible = { names: [], values: [], takesVariable: false };
const FLAGS: readonly Candidate[] = [{ text: 'true' }, { text: 'false' }];
function members(block: Block): readonly Candidate[] {
  return listGrammarMembers(block).flatMap(({ name, takes, isAlias }) =>
    isAlias === true
      ? []
      : {
          text: name,
          member: `${block}.${name}` as Member,
          opens:
            takes === 'list'
              ? 'list'
              : takes === 'map' || takes === 'content' || takes === 'change'
                ? 'map'
                : 'value',
        },
  );
}
/** Values of the format itself; those of a section follow its definition. */
function valuesIn(block: Block, name: string): readonly Candidate[] {
  switch (listGrammarMembers(block).find((member) => member.name === name)?.takes) {
    case 'format':
      return [{ text: TEMPLATE_FORMAT }];
    case 'kinds':
      return DEVICE_KINDS.map((kind) => ({ text: kind }));
    case 'type':
      return VARIABLE_TYPES.map((type) => ({ text: type }));
    case 'flag':
      return FLAGS;
    case 'keep':
      return KEEP_OPTIONS.map((text) => ({ text }));
    case 'missing':
      return MISSING_OPTIONS.map((text) => ({ text }));
    case 'set':
      return resources.map((resource) => ({ text: resource.name, label: resource.put.label }));
    default:
      return [];
  }
}
function valueAt(block: Block, name: string): Possible {
  return { ...NOTHING, values: valuesIn(block, name), member: `${block}.${name}` as Member };
}

export function listPossibleAt(path: Steps, set: string | undefined): Possible {
  const [first, second, third, ...rest] = path;
  if (first === undefined) return { ...NOTHING, names: members('top') };
  if (typeof first !== 'string') return NOTHING;
  if (path.length === 1)
    return { ...valueAt('top', first), names: first === 'appliesTo' ? members('appliesTo') : [] };
  if (first === 'appliesTo') return valueAt('appliesTo', 'kinds');
  if (first === 'variables')
    return path.length === 2
      ? { ...NOTHING, names: members('variable') }
      : valueAt('variable', String(third));
  if (first !== 'sections') return NOTHING;
  if (path.length === 2) return { ...NOTHING, names: members('section') };
  return typeof second === 'number' && typeof third === 'string' ? sectionAt(third, rest, set) : NOTHING;
}

function sectionAt(member: string, path: Steps, set: string | undefined): Possible {
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
  if (payload !== undefined && member === 'change') return changeAt(payload, path);
  if (member !== 'value' || payload === undefined) return valueAt('section', member);
  return valueBelow(path, payload);
}

/** Returns what is possible below `change`: lists that can be changed in part, their members, then their items. */
function changeAt(payload: Payload, path: Steps): Possible {
  let field: Field = rootField(payload);
  for (const [at, step] of path.entries()) {
    if (field.kind === 'list') return inPartAt(payload, path.slice(0, at), path.slice(at));
    const inner: Field | undefined = listPartFields(field).find(({ name }) => name === step);
    if (inner === undefined) return NOTHING;
    field = inner;
  }
  return field.kind === 'list'
    ? { ...NOTHING, names: members('listChange'), member: 'section.change' }
    : {
        ...NOTHING,
        names: listPartFields(field).map((one) => ({
          text: one.name,
          label: one.label,
          field: one,
          opens: 'map',
        })),
        member: 'section.change',
        fieldPath: joinSteps(path),
      };
}
function listPartFields(field: Field): readonly Field[] {
  return field.kind === 'object' ? field.fields.filter(holdsPartList) : [];
}
/** Returns what is possible in a list that is changed in part: `keep`, `items`, or something in an item. */
function inPartAt(payload: Payload, list: Steps, [member, ...rest]: Steps): Possible {
  if (member !== 'items' || rest.length === 0) return valueAt('listChange', String(member));
  if (rest[1] === 'remove') return valueAt('changedItem', 'remove');
  const inItem = valueBelow([...list, ...rest], payload);
  return rest.length === 1 ? { ...inItem, names: [...inItem.names, ...members('changedItem')] } : inItem;
}

function valueBelow(path: Steps, payload: Payload): Possible {
  const fieldPath = joinSteps(path);
  const field = findField(payload, fieldPath);
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
    field.required === true ? [] : [{ text: 'null', member: 'section.null' as const }];
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
      ? [{ text: optionText(field.default as string | number), member: 'section.default' as const }]
      : [];
  return field.kind === 'object' || field.kind === 'list' ? [] : [...known, ...removal];
}
/** Writes an option; it is quoted if YAML would read it as something else. */
function optionText(value: string | number): string {
  return typeof value === 'number' ||
    (/^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value))
    ? String(value)
    : JSON.stringify(value);
}
