/**
 * Grammar of the template format: which names a template has, and what they take. The check, the JSON Schema, completion
 * and hover of the editor and the order in which forms write are made from this table; the values of sections follow
 * `protocol/definitions/`.
 */
import { TEMPLATE_LIMITS } from './limits.ts';

export const TEMPLATE_FORMAT = 'template/1';

export const VARIABLE_TYPES = ['string', 'integer', 'number', 'boolean', 'secret'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

interface Member {
  /**
   * Kind of the value behind the name: `set` is a section's name, `value` anything, `content` what the section holds,
   * `change` its lists that are changed in part.
   */
  readonly takes:
    | 'format'
    | 'text'
    | 'flag'
    | 'number'
    | 'type'
    | 'set'
    | 'map'
    | 'list'
    | 'kinds'
    | 'value'
    | 'content'
    | 'change'
    | 'keep'
    | 'missing';
  /** Description for the JSON Schema. */
  readonly about: string;
  readonly isRequired?: true;
  /** Most characters of a text, items of a list, names of a map. */
  readonly most?: number;
  /** Lists need one item at least, texts one character. */
  readonly isFilled?: true;
  /** Types of variable that have it; all of them without this. */
  readonly of?: readonly VariableType[];
  /** Another name for something, understood and not offered. */
  readonly isAlias?: true;
}

const NUMBERS = ['integer', 'number'] as const;
const OPTIONS = {
  takes: 'list',
  isFilled: true,
  most: TEMPLATE_LIMITS.options,
  of: ['string', 'integer', 'number'],
} as const;

export const KEEP_OPTIONS = ['others'] as const;
export const MISSING_OPTIONS = ['add', 'refuse'] as const;

/** Names in the order in which people write them. */
export const GRAMMAR = {
  top: {
    fieldwright: { takes: 'format', isRequired: true, about: 'The format of this file.' },
    name: {
      takes: 'text',
      isRequired: true,
      isFilled: true,
      most: 200,
      about: 'What people call the template.',
    },
    description: { takes: 'text', most: 5000, about: 'What it is for.' },
    appliesTo: {
      takes: 'map',
      about: 'Other devices are skipped. Decided from capabilities, not from names.',
    },
    variables: {
      takes: 'map',
      most: TEMPLATE_LIMITS.variables,
      about: 'Values that differ from device to device; ${name} stands for one.',
    },
    sections: {
      takes: 'list',
      isRequired: true,
      isFilled: true,
      most: TEMPLATE_LIMITS.sections,
      about: 'What is set, in this order.',
    },
  },
  appliesTo: { kinds: { takes: 'kinds', isFilled: true, about: 'Kinds of devices.' } },
  variable: {
    type: { takes: 'type', isRequired: true, about: 'What kind of value it is.' },
    default: {
      takes: 'value',
      of: ['string', 'integer', 'number', 'boolean'],
      about: 'Without one a value has to be given.',
    },
    min: { takes: 'number', of: NUMBERS, about: 'Lowest number allowed.' },
    max: { takes: 'number', of: NUMBERS, about: 'Highest number allowed.' },
    options: { ...OPTIONS, about: 'The only values allowed.' },
    enum: { ...OPTIONS, isAlias: true, about: 'Another word for options.' },
    pattern: {
      takes: 'text',
      most: 200,
      of: ['string', 'secret'],
      about:
        'Regular expression (RE2: without back-references and look-around) that the whole text must match.',
    },
    description: { takes: 'text', most: 2000, about: 'What it means, for the person who gives the value.' },
  },
  section: {
    set: { takes: 'set', isRequired: true, about: 'What is set.' },
    params: { takes: 'map', about: 'Which channel, preset, controller …' },
    optional: { takes: 'flag', about: 'A device without it is skipped, not failed.' },
    clamp: {
      takes: 'flag',
      about: 'A number outside the limits of a device is moved to the nearest limit instead of blocking.',
    },
    value: {
      takes: 'content',
      about:
        'The settings. What is not named stays as the device has it; null removes a setting; lists are replaced as a whole.',
    },
    change: {
      takes: 'change',
      about:
        'Lists that are changed in part, by the key of their items: these days, this region. A setting stands either here or below value.',
    },
  },
  listChange: {
    keep: { takes: 'keep', about: 'Items with other keys stay as each device has them.' },
    missing: {
      takes: 'missing',
      about: 'What to do on a device that lacks a key: add the item (usual), or refuse the change.',
    },
    items: {
      takes: 'list',
      isRequired: true,
      isFilled: true,
      about:
        'The items of the keys that change. Several with the same key replace all that the device has of it.',
    },
  },
  changedItem: { remove: { takes: 'flag', about: 'Removes what the device has of this key.' } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Member>>>>;

export type Block = keyof typeof GRAMMAR;

/** Returns the members of a block with their names. */
export function listGrammarMembers(block: Block): readonly (Member & { readonly name: string })[] {
  return Object.entries<Member>(GRAMMAR[block]).map(([name, member]) => ({ name, ...member }));
}
/** Returns the names of a block in the order in which they are written; `isAlias` also those that are not offered. */
export function listMemberNames(block: Block, { isAlias = false } = {}): readonly string[] {
  return listGrammarMembers(block).flatMap((member) =>
    isAlias || member.isAlias !== true ? member.name : [],
  );
}

/** Returns true if variables of the type have the member. */
export function hasMember(type: VariableType, name: keyof (typeof GRAMMAR)['variable']): boolean {
  const { of }: Member = GRAMMAR.variable[name];
  return of === undefined || of.includes(type);
}
