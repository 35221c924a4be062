/** Capability documents in the specification's shape, written without the codec under test. */
import { describe, expect, it } from 'vitest';
import { createDetail } from '#shared/details.ts';
import {
  decode,
  decodeCapability,
  isCapabilityDocument,
  operations,
  rootField,
  type Field,
  type Payload,
} from '#protocol/index.ts';
import { flag, float, int, json, list, object, text, xml } from './words.ts';

const documents = operations.filter(
  (operation) => isCapabilityDocument(operation) && operation.response !== undefined,
);

const optionsOf = (field: Field): readonly string[] =>
  field.kind === 'choice' ? field.options.map(({ value }) => String(value)) : ['true', 'false'];

function limitsOf(field: Field): Readonly<Record<string, string>> {
  if (field.kind === 'choice' || field.kind === 'bool') return { opt: optionsOf(field).join(',') };
  return { min: '1', max: '10', def: '2' };
}

/** Text that a device writes between the tags, beside the limits. */
const SAMPLES: Readonly<Record<string, (field: Field) => string>> = {
  nothing: () => '',
  'a sample': (field) =>
    field.kind === 'choice' || field.kind === 'bool' ? (optionsOf(field)[0] ?? '') : '1',
  'all of them': (field) => optionsOf(field).join(','),
  'a sample of another device': () => 'sample',
  'a sample that is too large': () => '99999999999',
};

function xmlOf(field: Field, sample: (field: Field) => string, isRoot = false): string {
  if (field.kind === 'list') {
    const item = xmlOf(field.item, sample);
    return field.bare ? item : `<${field.name} size="8">${item}</${field.name}>`;
  }
  if (field.kind === 'object')
    return `<${field.name}${isRoot ? ' version="2.0"' : ''}>${field.fields.map((inner) => xmlOf(inner, sample)).join('')}</${field.name}>`;
  const limits = Object.entries(limitsOf(field)).map(([name, value]) => ` ${name}="${value}"`);
  return `<${field.name}${limits.join('')}>${sample(field)}</${field.name}>`;
}

const JSON_FORMS: Readonly<Record<string, (field: Field) => unknown>> = {
  'objects of limits': (field) =>
    Object.fromEntries(
      Object.entries(limitsOf(field)).map(([name, value]) => [
        `@${name}`,
        name === 'opt' ? value.split(',') : Number(value),
      ]),
    ),
  'options as text': (field) => ({ '@opt': optionsOf(field).join(',') }),
  'bare text': (field) => optionsOf(field).join(','),
  'one option as text': (field) => SAMPLES['a sample']?.(field),
};

function jsonOf(field: Field, leaf: (field: Field) => unknown, isListed: boolean): unknown {
  if (field.kind === 'list') {
    const item = jsonOf(field.item, leaf, isListed);
    if (isListed) return [item];
    return field.item.kind === 'object' ? { '@size': 8, ...(item as object) } : item;
  }
  if (field.kind === 'object')
    return Object.fromEntries(field.fields.map((inner) => [inner.name, jsonOf(inner, leaf, isListed)]));
  // An opaque value is whatever it is.
  return leaf(field);
}

function textsOf(payload: Payload): readonly (readonly [string, string])[] {
  const field = rootField(payload);
  if (payload.format === 'xml')
    return (
      Object.entries(SAMPLES)
        // A flag that says "sample" is odd where nothing says what it may be; here limits do.
        .map(([name, sample]) => [name, xmlOf(field, sample, true)])
    );
  return Object.entries(JSON_FORMS).flatMap(([name, leaf]) =>
    [true, false].map((isListed) => {
      const value = jsonOf(field, leaf, isListed);
      return [name, JSON.stringify(payload.root === undefined ? value : { [payload.root]: value })] as const;
    }),
  );
}

describe('a capability document that conforms', () => {
  it('is looked at for every area that has one', () => {
    expect(documents.length).toBeGreaterThanOrEqual(25);
  });

  it.each(documents.map((operation) => [operation.id, operation.response as Payload] as const))(
    'is read without a remark: %s (else: "is empty and counts as absent" five times)',
    (_id, payload) => {
      for (const [form, document] of textsOf(payload)) {
        expect(decodeCapability(payload, document).notes, form).toEqual([]);
      }
    },
  );
});

describe('a capability document that does not conform', () => {
  const payload = xml('Cap', '1:1', [
    flag('isSupportOne', 'One'),
    int('most', 'Most', { max: 9 }),
    object('inner', 'Inner', [float('level', 'Level')]),
  ]);

  it('is still told: what no specification knows, and flags and counts that are neither', () => {
    const { notes } = decodeCapability(
      payload,
      '<Cap version="2.0"><isSupportOne>maybe</isSupportOne><most>many</most><inner><level/></inner><other/></Cap>',
    );

    expect(notes).toEqual([
      createDetail('read.no-bool', { field: 'isSupportOne' }),
      createDetail('read.no-number', { field: 'most' }),
      createDetail('read.unlisted', { field: 'other' }),
    ]);
  });

  it('does not silence remarks of values (else: an empty value that nobody hears of)', () => {
    expect(decode(payload, '<Cap version="2.0"><most/></Cap>').notes).toEqual([
      createDetail('read.empty', { field: 'most' }),
    ]);
  });
});

describe('a JSON number that is too large', () => {
  const payload = json(undefined, '1:1', [
    int('count', 'Count'),
    float('level', 'Level'),
    text('name', 'Name'),
    list('nums', 'Numbers', int('n', 'N')),
  ]);

  it('stays as the device wrote it and is told as unreadable (else: the text "Infinity")', () => {
    const { value, notes, unlisted } = decode(
      payload,
      '{"count":1e999,"level":-1e999,"name":1E999,"nums":[1e400],"other":1e999}',
    );

    expect(value).toEqual({ count: '1e999', level: '-1e999', name: '1E999', nums: ['1e400'] });
    expect(notes).toEqual([
      createDetail('read.unlisted', { field: 'other' }),
      createDetail('read.no-number', { field: 'count' }),
      createDetail('read.no-number', { field: 'level' }),
      createDetail('read.type', { field: 'name', type: 'a number' }),
      createDetail('read.no-number', { field: 'nums[0]' }),
    ]);
    expect(unlisted.map(({ read }) => read())).toEqual(['1e999']);
  });
});
