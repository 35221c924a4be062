import { describe, expect, it } from 'vitest';
import {
  choice,
  flag,
  findOperation,
  float,
  int,
  json,
  list,
  object,
  rootField,
  setAt,
  isSameValue,
  text,
  getValueAt,
  type Payload,
} from '#protocol/index.ts';
import { mergeValue } from '../protocol/merge-value.ts';

import {
  blankValue,
  buildBody,
  moveItem,
  createItem,
  patchBetween,
  removeSecrets,
} from '#renderer/common/forms/model/edit-model.ts';

const payload = json('Sample', '3:2.7', [
  text('name', 'Name'),
  float('emissivity', 'Emissivity'),
  choice('mode', 'Mode', ['auto', 'manual']),
  int('level', 'Level', { when: [{ path: 'mode', oneOf: ['manual'] }] }),
  object('Colour', 'Colour', [int('R', 'Red', { required: true }), int('G', 'Green')]),
  list('Ports', 'Ports', object('Port', 'Port', [int('id', 'Id'), flag('on', 'On', { required: true })]), {
    key: 'id',
  }),
  text('password', 'Password', { sensitive: true }),
  text('version', 'Version', { readOnly: true }),
]);
const ORIGINAL = {
  name: 'A',
  emissivity: 0.95,
  mode: 'auto',
  Colour: { R: 1, G: 2 },
  Ports: [{ id: 1, on: true }],
  version: '1',
};

describe('values at paths', () => {
  it('are read through lists and groups, and never from a prototype', () => {
    expect(getValueAt(ORIGINAL, 'Ports[0].on')).toBe(true);
    expect(getValueAt(ORIGINAL, 'Ports[3].on')).toBeUndefined();
    expect(getValueAt(ORIGINAL, 'constructor.name')).toBeUndefined();
    expect(getValueAt([{ id: 'a' }], '[0].id')).toBe('a');
  });

  it('are replaced in a copy; what holds them is made, and undefined takes them away', () => {
    const next = setAt(ORIGINAL, 'Colour.G', undefined);

    expect(next).toEqual({ ...ORIGINAL, Colour: { R: 1 } });
    expect(ORIGINAL.Colour).toEqual({ R: 1, G: 2 });
    expect(setAt({}, 'TimeRange.beginTime', '08:00:00')).toEqual({
      TimeRange: { beginTime: '08:00:00' },
    });
    expect(Object.keys(setAt(ORIGINAL, 'emissivity', 0.8) as object), 'the order of fields stays').toEqual(
      Object.keys(ORIGINAL),
    );
  });
});

describe('patchBetween', () => {
  it.each([
    ['nothing changed', ORIGINAL, undefined],
    ['a number in another spelling', { ...ORIGINAL, emissivity: 0.95 }, undefined],
    ['one field', { ...ORIGINAL, emissivity: 0.8 }, { emissivity: 0.8 }],
    ['one field of a group', { ...ORIGINAL, Colour: { R: 1, G: 9 } }, { Colour: { G: 9 } }],
    ['a field taken away', { ...ORIGINAL, Colour: { R: 1 } }, { Colour: { G: null } }],
    ['a group taken away', setAt(ORIGINAL, 'Colour', undefined), { Colour: null }],
    ['a list: whole', { ...ORIGINAL, Ports: [{ id: 1, on: false }] }, { Ports: [{ id: 1, on: false }] }],
    ['an emptied list is not a missing one', { ...ORIGINAL, Ports: [] }, { Ports: [] }],
    ['a read-only field is never written', { ...ORIGINAL, version: '2' }, undefined],
    ['a field that does not count is left alone', { ...ORIGINAL, level: 3 }, undefined],
    ['a field that counts now', { ...ORIGINAL, mode: 'manual', level: 3 }, { mode: 'manual', level: 3 }],
    ['a secret that was given', { ...ORIGINAL, password: 'x' }, { password: 'x' }],
  ])('%s', (_what, edited, patch) => {
    expect(patchBetween(payload, ORIGINAL, edited)).toEqual(patch);
  });

  it('adds a group with what is in it, or empty', () => {
    const bare = setAt(ORIGINAL, 'Colour', undefined);

    expect(patchBetween(payload, bare, { ...ORIGINAL, Colour: { R: 5 } })).toEqual({ Colour: { R: 5 } });
    expect(patchBetween(payload, bare, { ...ORIGINAL, Colour: {} })).toEqual({ Colour: {} });
  });

  it('merged into the original gives the edited value, also where the root is a list', () => {
    const edited = {
      ...ORIGINAL,
      name: 'B',
      Ports: [...ORIGINAL.Ports, { id: 2, on: true }],
      Colour: { R: 3 },
    };
    const regions = findOperation('humanRecognition.regions.put')?.request as Payload;
    const before = [{ id: '1', enabled: true }];
    const after = [
      { id: '1', enabled: false },
      { id: '2', enabled: true },
    ];

    expect(
      isSameValue(
        rootField(payload),
        mergeValue(payload, ORIGINAL, patchBetween(payload, ORIGINAL, edited)),
        edited,
      ),
    ).toBe(true);
    expect(mergeValue(regions, before, patchBetween(regions, before, after))).toEqual(after);
  });
});

describe('what is sent and shown', () => {
  it('leaves out gaps and fields that do not count', () => {
    expect(
      buildBody(payload, {
        name: 'A',
        emissivity: undefined,
        mode: 'auto',
        level: 4,
        Ports: [{ id: 1, on: true, extra: 1 }],
      }),
    ).toEqual({ name: 'A', mode: 'auto', Ports: [{ id: 1, on: true }] });
  });

  it('never holds a secret that was read', () => {
    expect(removeSecrets(payload, { ...ORIGINAL, password: 'hunter2' })).not.toHaveProperty('password');
  });
});

describe('new entries', () => {
  const ports = payload.fields.find((field) => field.name === 'Ports') as Parameters<typeof createItem>[0];

  it('begin with what cannot be left open and the next free number', () => {
    expect(blankValue(ports.item)).toEqual({ on: false });
    expect(createItem(ports, [{ id: 1 }, { id: 4 }])).toEqual({ on: false, id: 5 });
  });

  it('get no number where the others have none', () => {
    expect(createItem(ports, [{ id: 'a' }])).toEqual({ on: false });
  });

  it('move by one place and never out of the list', () => {
    expect(moveItem(['a', 'b'], 0, 1)).toEqual(['b', 'a']);
    expect(moveItem(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
  });
});
