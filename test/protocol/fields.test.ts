import { describe, expect, it } from 'vitest';
import {
  getControllerName,
  getControllerPath,
  listControllerPaths,
  findField,
  listFieldsAlong,
  listFieldsBelow,
  toGeneralPath,
  isRelated,
  isSensitiveAt,
  isWithin,
  joinPath,
  getLastName,
  listFieldLeaves,
  mapFields,
  mapLeaves,
  getMember,
  getParentPath,
  joinSteps,
  removeAt,
  rootField,
  setAt,
  parsePath,
  findUnmetCondition,
  validate,
  getValueAt,
  type Condition,
  type Field,
} from '#protocol/index.ts';
import { flag, int, json, list, object, text, xml } from './words.ts';

const MODE: Condition = { path: 'mode', oneOf: ['b'] };
const NEXT: Condition = { path: '^.control', oneOf: ['b'], given: { path: '^.^.on', oneOf: [true] } };
const PAYLOAD = json('Root', '1:1', [
  text('mode', 'Mode'),
  flag('on', 'On'),
  object('Secrets', 'Secrets', [text('plain', 'Plain'), int('depth', 'Depth')], { sensitive: true }),
  list(
    'Items',
    'Items',
    object('Item', 'Item', [
      text('control', 'Control'),
      text('key', 'Key', { sensitive: true }),
      object('Inner', 'Inner', [int('deep', 'Deep')], { when: [MODE] }),
      text('wanted', 'Wanted', { when: [NEXT] }),
    ]),
  ),
]);
const ROOT = rootField(PAYLOAD);

describe('a path', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a.b[0].c', ['a', 'b', 0, 'c']],
    ['[12]', [12]],
    ['a[].b', ['a', '[]', 'b']],
    ['a["odd key"].b', ['a', 'odd key', 'b']],
    ['a["with \\"quotes\\""]', ['a', 'with "quotes"']],
    ['["x.y"][0]', ['x.y', 0]],
    ['a[0][1]', ['a', 0, 1]],
  ])('%s is taken apart and put together again', (path, steps) => {
    expect(parsePath(path)).toEqual(steps);
    expect(joinSteps(steps)).toBe(path);
  });

  it('of great length, or among thousands of others, is read as any', () => {
    const long = Array.from({ length: 100 }, (_, at) => `name${at}`).join('.');
    for (let at = 0; at < 5_000; at += 1) parsePath(`a.b[${at}]`);

    expect([parsePath(long).length, parsePath('a.b[7]'), parsePath('a["\\x"]')]).toEqual([
      100,
      ['a', 'b', 7],
      ['a', '"\\x"'],
    ]);
  });

  it.each([
    ['', 'a', 'a'],
    ['a', '', 'a'],
    ['a', 'b', 'a.b'],
    ['a', '[0].b', 'a[0].b'],
  ])('%s and %s are joined as %s', (parent, inner, joined) => {
    expect(joinPath(parent, inner)).toBe(joined);
  });

  it.each([
    ['a.b[0]', 'a.b', 'b'],
    ['a.b', 'a', 'b'],
    ['a', '', 'a'],
    ['', '', ''],
    ['a["x.y"]', 'a', 'x.y'],
    ['a.b[]', 'a.b', 'b'],
  ])('%s lies in %s and ends with the name %s', (path, parent, name) => {
    expect([getParentPath(path), getLastName(path)]).toEqual([parent, name]);
  });

  it('stands for all items where numbers are left out', () => {
    expect([toGeneralPath('a[3].b[10]'), toGeneralPath('a.b'), toGeneralPath('a[].b')]).toEqual([
      'a[].b[]',
      'a.b',
      'a[].b',
    ]);
  });

  it.each([
    ['a.b', 'a', true],
    ['a[0]', 'a', true],
    ['a', 'a', true],
    ['a', '', true],
    ['ab', 'a', false],
    ['a', 'a.b', false],
    ['b.a', 'a', false],
  ])('%s within %s: %s (else: a change of one setting is held against another)', (path, outer, is) => {
    expect([isWithin(path, outer), isRelated(outer, path)]).toEqual([is, is || path === 'a']);
  });
});

describe('a value', () => {
  const value = { a: { b: [{ c: 1 }, { c: 2 }] }, n: null };

  it.each([
    ['', value],
    ['a.b[1].c', 2],
    ['a.b[2].c', undefined],
    ['a.b.length', undefined],
    ['a.b[]', undefined],
    ['n', null],
    ['n.x', undefined],
    ['constructor', undefined],
    ['a[0]', undefined],
  ])('at %s is %j', (path, found) => {
    expect(getValueAt(value, path)).toEqual(found);
  });

  it.each([
    ['a.b[1].c', 3, { a: { b: [{ c: 1 }, { c: 3 }] }, n: null }],
    ['x.y', 3, { ...value, x: { y: 3 } }],
    ['n.y', 3, { ...value, n: { y: 3 } }],
    ['x[0].y', 3, { ...value, x: [{ y: 3 }] }],
    ['n', undefined, { a: value.a }],
    ['a.b', undefined, { a: {}, n: null }],
    ['', 3, 3],
  ])('with something else at %s is a copy (else: a form changes what was read)', (path, next, copy) => {
    expect(setAt(value, path, next)).toEqual(copy);
    expect(value).toEqual({ a: { b: [{ c: 1 }, { c: 2 }] }, n: null });
  });

  it.each([
    ['a.b[0]', false, { a: { b: [{ c: 2 }] }, n: null }],
    ['a.b[0].c', false, { a: { b: [{ c: 2 }] }, n: null }],
    ['a.b[0].c', true, { a: { b: [{}, { c: 2 }] }, n: null }],
    ['a.b[0]', true, { a: { b: [{}, { c: 2 }] }, n: null }],
    ['a.b', false, { n: null }],
    ['a.x', false, value],
    ['', false, undefined],
  ])('without %s (places kept: %s)', (path, keepsPlaces, copy) => {
    expect(removeAt(value, path, keepsPlaces)).toEqual(copy);
  });

  it('of which nothing is left is none', () => {
    expect(removeAt({ a: { b: 1 } }, 'a.b')).toBeUndefined();
  });

  it('has names such as __proto__ as any other', () => {
    const odd = JSON.parse('{"__proto__": {"x": 1}, "odd key": "y"}') as unknown;
    const seen: string[] = [];

    const copy = mapLeaves(odd, (leaf, path) => {
      seen.push(path);
      return leaf;
    });

    expect([seen, JSON.stringify(copy), getValueAt({}, '__proto__')]).toEqual([
      ['__proto__.x', '["odd key"]'],
      JSON.stringify(odd),
      undefined,
    ]);
    expect(getMember({ 1: 'x' }, 1)).toBeUndefined();
  });

  it('maps everything that is no object and no list, nothing included', () => {
    expect(mapLeaves([1, null, { a: undefined }], (leaf) => leaf ?? 'none')).toEqual([
      1,
      'none',
      { a: 'none' },
    ]);
  });
});

describe('a field', () => {
  it.each([
    ['', 'Root'],
    ['mode', 'mode'],
    ['Items', 'Items'],
    ['Items[3]', 'Item'],
    ['Items[]', 'Item'],
    ['Items[3].Inner.deep', 'deep'],
    ['Items.Inner.deep', 'deep'],
    ['Items.Item.Inner', 'Inner'],
    ['mode[0]', undefined],
    ['mode.x', undefined],
    ['Secrets[0]', undefined],
    ['constructor', undefined],
  ])('at %s is %s (else: a capability document, a condition or a value speaks of nothing)', (path, name) => {
    expect(findField(PAYLOAD, path)?.name).toBe(name);
  });

  it('of a root that is a list begins with its items', () => {
    const rows = xml('Rows', '1:1', [], { rootItem: object('Row', 'Row', [int('id', 'Id')]), maxItems: 3 });

    expect([findField(rows, '[0].id')?.name, findField(rows, 'Row.id')?.name, rootField(rows)]).toEqual([
      'id',
      'id',
      expect.objectContaining({ kind: 'list', name: 'Rows', maxItems: 3 }),
    ]);
    expect(rootField(rows)).toBe(rootField(rows));
  });

  it('is found with those around it, as far as the definition goes', () => {
    expect(listFieldsAlong(ROOT, 'Items[3].Inner.other').map(({ path }) => path)).toEqual([
      'Items',
      'Items[3]',
      'Items[3].Inner',
    ]);
    expect(listFieldsAlong(ROOT, 'Items.Inner').map(({ path }) => path)).toEqual([
      'Items',
      'Items[]',
      'Items[].Inner',
    ]);
  });

  it.each([
    ['Secrets.plain', true],
    ['Secrets', true],
    ['Items[0].key', true],
    ['Items.key', true],
    ['Items[0].control', false],
    ['mode', false],
  ])('%s is secret: %s (else: a secret stands in a template)', (path, is) => {
    expect(isSensitiveAt(PAYLOAD, path)).toBe(is);
  });

  it('knows every field below it', () => {
    expect(listFieldsBelow(ROOT).map(({ path }) => path)).toEqual([
      'mode',
      'on',
      'Secrets',
      'Secrets.plain',
      'Secrets.depth',
      'Items',
      'Items[]',
      'Items[].control',
      'Items[].key',
      'Items[].Inner',
      'Items[].Inner.deep',
      'Items[].wanted',
    ]);
  });

  const value = {
    mode: 'b',
    other: 1,
    Secrets: { plain: 'p' },
    Items: [{ control: 'a', key: 'k' }, null, { Inner: 'odd' }],
  };

  it('tells the single values, secret where the field or one around it is', () => {
    expect(listFieldLeaves(ROOT, value).map(({ path, sensitive }) => `${path} ${sensitive}`)).toEqual([
      'mode false',
      'Secrets.plain true',
      'Items[0].control false',
      'Items[0].key true',
      'Items[1] false',
      'Items[2].Inner false',
    ]);
  });

  it('maps a value: what is not described goes, items keep their places', () => {
    const paths: string[] = [];

    const mapped = mapFields(ROOT, value, ({ field, path, inside }) => {
      paths.push(path);
      return field.sensitive === true ? undefined : inside();
    });

    expect(mapped).toEqual({ mode: 'b', Items: [{ control: 'a' }, null, { Inner: 'odd' }] });
    expect(paths).toContain('Items[0].key');
  });
});

describe('what decides', () => {
  const wanted = findField(PAYLOAD, 'Items.wanted') as Field;

  it('is named from the root, however far out it stands (else: a variable there is not waited for)', () => {
    expect(listControllerPaths(PAYLOAD, 'Items[2].wanted')).toEqual(['Items[2].control', 'on']);
    expect(listControllerPaths(PAYLOAD, 'Items[2].Inner.deep')).toEqual(['mode']);
    expect(listControllerPaths(PAYLOAD, 'mode')).toEqual([]);
    expect(getControllerPath({ ...MODE, path: '^.^.x' }, 'a.b[1][2].c.d')).toBe('a.b[1][2].x');
    expect(getControllerPath({ ...MODE, path: '^.^.x' }, 'a.b[].c')).toBe('a.x');
    expect(getControllerName(NEXT)).toBe('control');
  });

  it.each([
    [{ on: true, Items: [{ control: 'b' }] }, true],
    [{ on: true, Items: [{ control: 'a' }] }, false],
    [{ on: true, Items: [{}] }, false],
    [{ on: false, Items: [{ control: 'a' }] }, true],
    [{ Items: [{ control: 'a' }] }, true],
  ])('of an item, given what stands outside of the list: %j %s', (root, holds) => {
    expect(findUnmetCondition(wanted, 'Items[0].wanted', root) === undefined).toBe(holds);
  });

  it('is known to be absent where a patch takes it away (else: a value without effect is sent)', () => {
    const payload = json('Root', '1:1', [
      text('mode', 'Mode'),
      object('Group', 'Group', [
        text('mode', 'Mode'),
        text('a', 'A', { when: [{ path: '^.mode', oneOf: ['b'] }] }),
      ]),
      text('b', 'B', { when: [{ path: 'Group.mode', oneOf: ['b'] }] }),
    ]);
    const codes = (patch: unknown) => validate(payload, patch, { mode: 'patch' }).map(({ path }) => path);

    expect(codes({ Group: { mode: null, a: 'x' } })).toEqual(['Group.a']);
    expect(codes({ Group: null, b: 'x' })).toEqual(['b']);
    expect(codes({ Group: { a: 'x' } })).toEqual([]);
  });

  it('may stand on the device where an item looks out of itself (else: a right patch is refused)', () => {
    const payload = json('Root', '1:1', [
      object('Group', 'Group', [
        text('mode', 'Mode'),
        list(
          'Items',
          'Items',
          object('Item', 'Item', [
            text('near', 'Near'),
            text('far', 'Far', { when: [{ path: '^.^.mode', oneOf: ['b'] }] }),
            text('here', 'Here', { when: [{ path: '^.near', oneOf: ['b'] }] }),
          ]),
        ),
      ]),
    ]);

    const issues = validate(payload, { Group: { Items: [{ far: 'x', here: 'y' }] } }, { mode: 'patch' });

    expect(issues.map(({ path }) => path)).toEqual(['Group.Items[0].here']);
  });
});
