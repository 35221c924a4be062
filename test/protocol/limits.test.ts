/** Limits that a device reported, as they apply to one payload, and which of them are a mere yes or no. */
import { describe, expect, it } from 'vitest';
import { resolveLimits } from '#protocol/capability/limits-for.ts';
import { listFlags, type Constraint, type Constraints, type Payload } from '#protocol/index.ts';
import { operationById } from './definition-walk.ts';
import { flag, int, list, object, xml } from './words.ts';

const PLANE = 'plane.width';
const reported = (text: string, extra: Partial<Constraint> = {}): Constraint => ({
  state: 'reported',
  text,
  ...extra,
});

describe('the limits of a payload', () => {
  const payload = xml('Region', '1:1', [
    object('plane', 'Plane', [int('width', 'Width')]),
    int('x', 'X', { max: 1000, maxAt: PLANE }),
    list('Points', 'Points', object('Point', 'Point', [int('x', 'X', { maxAt: PLANE })])),
    int('id', 'Id'),
  ]);
  const other: Constraints = new Map([['id', reported('1')]]);

  // Would catch: a region drawn outside of the picture, or one refused because the size is left empty in the form.
  it('count the size that the value carries where none was reported', () => {
    expect(resolveLimits(payload, { plane: { width: 640 } }, other)).toEqual(
      new Map([...other, [PLANE, reported('640')]]),
    );
    expect(resolveLimits(payload, { plane: { width: 640 } }, undefined)).toEqual(
      new Map([[PLANE, reported('640')]]),
    );
    const known: Constraints = new Map([[PLANE, reported('1000')]]);
    expect(resolveLimits(payload, { plane: { width: 640 } }, known)).toBe(known);
  });

  it.each([[0], [-1], ['640'], [null], [undefined]])('take %j for no size', (width) => {
    expect(resolveLimits(payload, { plane: { width } }, other)).toBe(other);
    expect(resolveLimits(payload, { plane: { width } }, undefined)).toBeUndefined();
  });

  // Would catch: limits of a list that are looked for under a name which only the report has.
  it('of a payload that is a list are those of the list in the report', () => {
    const { request } = operationById('humanRecognition.regions.put');
    if (request === undefined) throw new Error('it takes nothing');
    const { root = '' } = request;
    const all: Constraints = new Map([
      [root, reported('', { size: 4 })],
      [`${root}[].id`, reported('', { max: 8 })],
      [`${root}Other.id`, reported('', { max: 9 })],
    ]);

    expect(resolveLimits(request, [], all)).toEqual(
      new Map([
        ['', reported('', { size: 4 })],
        ['[].id', reported('', { max: 8 })],
        [`${root}Other.id`, reported('', { max: 9 })],
      ]),
    );
    expect(resolveLimits(payload, {}, all)).toBe(all);
    expect(resolveLimits({ ...request, root: undefined } as unknown as Payload, [], all)).toEqual(all);
  });
});

describe('the flags of a report', () => {
  const payload = xml('Cap', '1:1', [
    flag('isSupportA', 'A'),
    flag('isSupportB', 'B', { when: [{ path: 'isSupportA', oneOf: [true] }] }),
    flag('enabled', 'Enabled'),
    int('time', 'Time'),
  ]);
  const flags = (all: Readonly<Record<string, Constraint>>) =>
    listFlags(payload, new Map(Object.entries(all))).map(({ path, state, label, listed, needs }) => [
      path,
      state,
      label,
      listed,
      needs,
    ]);
  const known = (state: string) => [
    ['isSupportA', state, 'A', true, undefined],
    ['isSupportB', state, 'B', true, undefined],
  ];
  const bareYes: Constraint = { state: 'true', text: 'true' };

  // Would catch: a number or a setting shown as a feature that the device has.
  it('are what is a yes or no and nothing that could be set', () => {
    expect(flags({ time: bareYes, enabled: { ...bareYes, options: ['true', 'false'] } })).toEqual(
      known('not-reported'),
    );
    expect(flags({ enabled: bareYes })).toEqual([
      ...known('not-reported'),
      ['enabled', 'true', 'Enabled', true, undefined],
    ]);
    expect(flags({ enabled: reported('7') })).toEqual(known('not-reported'));
  });

  it('without the flag they need say which one that is, where it is known not to be true', () => {
    const no: Constraint = { state: 'false', text: 'false' };
    const [, b] = flags({ isSupportA: no, isSupportB: bareYes });
    expect(b).toEqual(['isSupportB', 'true', 'B', true, 'isSupportA']);
    expect(flags({ isSupportB: bareYes })[1]?.at(-1)).toBe('isSupportA');
    expect(flags({ isSupportA: no })[1]?.at(-1)).toBeUndefined();
    expect(flags({ isSupportA: bareYes, isSupportB: bareYes })).toEqual(known('true'));
    expect(listFlags(payload, new Map([['isSupportA', bareYes]]))[0]).not.toHaveProperty('needs');
  });

  it.each([
    ['SnmpCap.isSupport', bareYes, 'SnmpCap isSupport'],
    ['Rows[].hasLight', bareYes, 'hasLight'],
    ['Deep.Snmp.enabled', { state: 'true', text: '1' }, 'enabled'],
    ['light', bareYes, 'light'],
    ['light', { state: 'false', text: 'FALSE' }, 'light'],
  ] as const)('that only the device knows, %s, are shown by their own name', (path, constraint, label) => {
    expect(flags({ [path]: constraint })).toEqual([
      ...known('not-reported'),
      [path, constraint.state, label, false, undefined],
    ]);
  });

  it.each([
    ['light', { state: 'true', text: '1' }],
    ['light', { state: 'true', text: 'true enough' }],
    ['light', { state: 'true', text: 'untrue' }],
    ['light', { state: 'true' }],
    ['light', { ...bareYes, options: ['true', 'false'] }],
    ['isSupportC', reported('maybe')],
    ['isolated', reported('true')],
  ] as const)('are not what is no answer of that kind: %s, %j', (path, constraint) => {
    expect(flags({ [path]: constraint })).toEqual(known('not-reported'));
  });
});
