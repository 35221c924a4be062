/** One section of a saved state on a device that counts in other units, knows less, or takes less. */
import { describe, expect, it } from 'vitest';
import { convertSection } from '#engine/replacement/convert-section.ts';
import { choice, decode, int, json, list, object, text, xml, type Constraint } from '#protocol/index.ts';
import { payloadOf, shows } from '../planning/pure/documents.ts';

const SET = 'thermal.thermometryBasic';
const payload = payloadOf(SET);

function device(units: string) {
  return shows(
    SET,
    `<ThermometryBasicParam xmlns="urn:x"><id>1</id>${units}<distance>5</distance><alarm>37</alarm><toleranceTemperature>1</toleranceTemperature>
    <NormalTemperatureIntervalMeasurement><alarmType>highestTemp</alarmType><TemperatureIntervalList><TemperatureInterval><id>1</id><minTemperature>30</minTemperature><maxTemperature>37</maxTemperature></TemperatureInterval></TemperatureIntervalList></NormalTemperatureIntervalMeasurement>
    <TemperatureSuddenChange><mode>close</mode><alarm>5</alarm><cycleCfg>60</cycleCfg></TemperatureSuddenChange></ThermometryBasicParam>`,
  );
}

const FAHRENHEIT = {
  temperatureUnit: 'degreeFahrenheit',
  alarm: 99.5,
  toleranceTemperature: 3.6,
  TemperatureSuddenChange: { mode: 'temperatureSuddenIncrease', alarm: 18, cycleCfg: 60 },
  NormalTemperatureIntervalMeasurement: {
    alarmType: 'highestTemp',
    TemperatureIntervalList: [{ id: 1, minTemperature: 86, maxTemperature: 99.5 }],
  },
};

describe('onto a device that counts in other units', () => {
  it('thresholds, intervals and differences move from Fahrenheit to Celsius, each as what it is', () => {
    const { value, converted, lost } = convertSection(payload, FAHRENHEIT, { state: device('').state });

    expect(value).toEqual({
      alarm: 37.5,
      toleranceTemperature: 2,
      TemperatureSuddenChange: { mode: 'temperatureSuddenIncrease', alarm: 10, cycleCfg: 60 },
      NormalTemperatureIntervalMeasurement: {
        alarmType: 'highestTemp',
        TemperatureIntervalList: [{ id: 1, minTemperature: 30, maxTemperature: 37.5 }],
      },
    });
    expect(converted.length).toBe(5);
    expect(lost.map(({ path, from }) => [path, from])).toEqual([['temperatureUnit', 'degreeFahrenheit']]);
  });

  it('numbers saved without a unit are not taken for feet by a device that counts in them', () => {
    const { value, converted } = convertSection(
      payload,
      { distance: 3 },
      { state: device('<distanceUnit>feet</distanceUnit>').state },
    );

    expect(value).toEqual({ distance: 10 });
    expect(converted).toMatchObject([{ path: 'distance', from: 3, to: 10 }]);
  });

  it('the saved unit goes along where the device offers it: nothing is converted', () => {
    const { value, converted } = convertSection(payload, FAHRENHEIT, {
      state: device('<temperatureUnit>degreeCentigrade</temperatureUnit>').state,
    });

    expect([value, converted]).toEqual([FAHRENHEIT, []]);
  });

  it.each(['constructor', '__proto__', 'furlong'])(
    'a device that counts in %s is taken to count in the usual unit',
    (word) => {
      const { value } = convertSection(
        payload,
        { distanceUnit: 'feet', distance: 10 },
        {
          state: device(`<distanceUnit>${word}</distanceUnit>`).state,
          constraints: new Map([['distanceUnit', { state: 'reported', options: ['meter'] }]]),
        },
      );

      expect(value).toEqual({ distanceUnit: 'meter', distance: 3 });
    },
  );
});

describe('numbers stay as they are', () => {
  it.each([
    ['where both count in the same', { distance: 3 }, { distance: 3 }],
    [
      'where nobody knows what the saved device counted in',
      { distanceUnit: 'furlong', distance: 3 },
      { distance: 3 },
    ],
  ])('%s', (_what, saved, expected) => {
    const { value, converted } = convertSection(payload, saved, { state: device('').state });

    expect([value, converted]).toEqual([expected, []]);
  });
});

describe('what goes two ways', () => {
  it('a number that is moved to another unit and then inside limits tells both, from what was saved', () => {
    const { value, converted } = convertSection(
      payload,
      { distanceUnit: 'feet', distance: 30 },
      { state: device('').state, constraints: new Map([['distance', { state: 'reported', max: 5 }]]) },
    );

    expect(value).toEqual({ distance: 5 });
    expect(converted).toMatchObject([
      {
        path: 'distance',
        from: 30,
        to: 5,
        reasons: [
          { id: 'unit-moved', values: { from: 'feet', to: 'meter' } },
          { id: 'device-takes-up-to', values: { max: 5 } },
        ],
      },
    ]);
  });

  it('a number in another unit inside of a setting that the device does not have is lost, and not converted too', () => {
    const held = shows(SET, '<ThermometryBasicParam><id>1</id><alarm>37</alarm></ThermometryBasicParam>');
    const { value, converted, lost } = convertSection(payload, FAHRENHEIT, { state: held.state });

    expect(value).toEqual({ alarm: 37.5 });
    expect(converted.map(({ path }) => path)).toEqual(['alarm']);
    expect(lost.map(({ path }) => path)).toEqual([
      'temperatureUnit',
      'toleranceTemperature',
      'NormalTemperatureIntervalMeasurement',
      'TemperatureSuddenChange',
    ]);
  });

  it('the saved unit goes where the device does not offer it, and the numbers with it', () => {
    const { value, converted } = convertSection(
      payload,
      { distanceUnit: 'feet', distance: 10 },
      {
        state: device('<distanceUnit>centimeter</distanceUnit>').state,
        constraints: new Map([['distanceUnit', { state: 'reported', options: ['centimeter'] }]]),
      },
    );

    expect(value).toMatchObject({ distanceUnit: 'centimeter' });
    expect(converted).toContainEqual({
      path: 'distanceUnit',
      from: 'feet',
      to: 'centimeter',
      reasons: [{ id: 'unit-not-offered', values: { from: 'feet' } }],
    });
  });
});

describe('onto a device that knows or takes less', () => {
  const row = object('row', 'Row', [int('id', 'Id'), int('x', 'X', { max: 5 })]);
  const PAYLOAD = json(undefined, '1:1', [
    int('level', 'Level', { min: 1, max: 10 }),
    text('name', 'Name', { maxLength: 3 }),
    choice('quality', 'Quality', ['super_high', 'low']),
    choice('speed', 'Speed', [1, 2, 5, 10]),
    choice('either', 'Either', ['off', 1, 9]),
    object('inner', 'Inner', [int('a', 'A'), int('b', 'B'), text('must', 'Must', { required: true })]),
    object('deep', 'Deep', [object('er', 'Er', [int('a', 'A')])]),
    list('rows', 'Rows', row, { maxItems: 2 }),
    list('many', 'Many', row, { minItems: 2 }),
  ]);
  const at = (saved: unknown, shown: unknown, limits: Readonly<Record<string, Partial<Constraint>>> = {}) =>
    convertSection(PAYLOAD, saved, {
      state: decode(PAYLOAD, JSON.stringify(shown)),
      constraints: new Map(
        Object.entries(limits).map(([path, limit]) => [path, { state: 'reported', ...limit }]),
      ),
    });

  it.each([
    ['what it shows', { level: 3 }, { level: 1 }, {}],
    ['what it does not show and has limits for', { name: 'a' }, {}, { name: {} }],
    [
      'what it has limits for further in',
      { inner: { a: 1, must: 'm' } },
      {},
      { 'inner.a': {}, 'inner.must': {} },
    ],
    ['what it has a length for', { name: 'a' }, {}, { nameLen: {} }],
    ['a list that it does not show', { rows: [{ id: 1 }] }, {}, {}],
    ['a list that it shows empty', { rows: [{ id: 1, x: 2 }] }, { rows: [] }, {}],
  ])('keeps %s', (_what, saved, shown, limits) => {
    expect(at(saved, shown, limits)).toEqual({ value: saved, converted: [], lost: [] });
  });

  it.each([
    ['a number above its limit', { level: 8 }, { level: 1 }, { level: { max: 5 } }, 5, 'device-takes'],
    [
      'the same word in another spelling',
      { quality: 'Super High' },
      { quality: 'low' },
      {},
      'super_high',
      'device-offers',
    ],
    [
      'the nearest of the numbers it offers',
      { speed: 7 },
      { speed: 1 },
      { speed: { options: ['1', '5', '10'] } },
      5,
      'device-offers',
    ],
    ['the nearest, from above', { speed: 9 }, { speed: 1 }, {}, 10, 'device-offers'],
    ['the first of two that are as near', { speed: 1.5 }, { speed: 5 }, {}, 1, 'device-offers'],
  ])('converts: %s', (_what, saved, shown, limits, to, id) => {
    const [[path, from] = ['', undefined]] = Object.entries<unknown>(saved);

    expect(at(saved, shown, limits)).toMatchObject({
      value: { [path]: to },
      converted: [{ path, from, to, reasons: [{ id }] }],
      lost: [],
    });
  });

  it('says how many entries it takes, and what a setting cannot be set without', () => {
    const { lost } = at(
      { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], inner: { a: 1 } },
      { rows: [] },
      { 'inner.a': {} },
    );

    expect(lost.flatMap(({ reasons }) => reasons)).toEqual([
      { id: 'not-without', values: { field: 'inner.must' } },
      { id: 'device-takes-entries', values: { max: 2 } },
    ]);
  });

  it('takes the entries that fit of a document that is a list itself', () => {
    const rows = xml('Rows', '1:1', [], { rootItem: row, rootKey: 'id', maxItems: 1 });
    const { value, lost } = convertSection(rows, [{ id: 1 }, { id: 2 }], {
      state: decode(rows, '<Rows><row><id>1</id></row></Rows>'),
    });

    expect([value, lost.map(({ path }) => path)]).toEqual([[{ id: 1 }], ['[1]']]);
  });

  it('says what it offers instead', () => {
    expect(
      at({ speed: 7 }, { speed: 1 }, { speed: { options: ['1', '5'] } }).converted[0]?.reasons[0]?.values,
    ).toEqual({ options: '1, 5' });
  });

  it.each([
    [
      'what it does not show',
      { level: 3, name: 'a' },
      { level: 1 },
      {},
      { level: 3 },
      [['name', 'a', 'not-on-device']],
    ],
    [
      'what it does not show further in',
      { level: 3, inner: { a: 1, b: 2 } },
      { level: 1, inner: { b: 1 } },
      {},
      { level: 3, inner: { b: 2 } },
      [['inner.a', 1, 'not-on-device']],
    ],
    [
      'what has limits under another name alone',
      { level: 3, name: 'a' },
      { level: 1 },
      { nameOf: {} },
      { level: 3 },
      [['name', 'a', 'not-on-device']],
    ],
    [
      'all of it',
      { deep: { er: { a: 1 } } },
      { deep: {} },
      {},
      undefined,
      [['deep.er', { a: 1 }, 'not-on-device']],
    ],
    [
      'a text that is too long',
      { level: 3, name: 'abcd' },
      { level: 1, name: 'a' },
      {},
      { level: 3 },
      [['name', 'abcd', 'longer']],
    ],
    [
      'a word that means nothing there',
      { level: 3, quality: 'best' },
      { level: 1, quality: 'low' },
      {},
      { level: 3 },
      [['quality', 'best', 'must-be-one-of']],
    ],
    [
      'a number where words are offered too',
      { level: 3, either: 8 },
      { level: 1, either: 1 },
      {},
      { level: 3 },
      [['either', 8, 'must-be-one-of']],
    ],
    [
      'entries beyond those it takes, the last first',
      { rows: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
      { rows: [] },
      {},
      { rows: [{ id: 1 }, { id: 2 }] },
      [
        ['rows[3]', { id: 4 }, 'device-takes-entries'],
        ['rows[2]', { id: 3 }, 'device-takes-entries'],
      ],
    ],
    [
      'a list with fewer entries than it needs',
      { level: 3, many: [{ id: 1 }] },
      { level: 1, many: [] },
      {},
      { level: 3 },
      [['many', [{ id: 1 }], 'needs-entries-from']],
    ],
    [
      'what cannot be set without something else, once, with what was lost inside of it',
      { level: 3, inner: { a: 1, b: 2 } },
      { level: 1 },
      { 'inner.a': {} },
      { level: 3 },
      [['inner', { a: 1 }, 'not-without']],
    ],
  ])('loses %s, and says why', (_what, saved, shown, limits, value, lost) => {
    const result = at(saved, shown, limits as Parameters<typeof at>[2]);

    expect([result.value, result.converted]).toEqual([value, []]);
    expect(result.lost.map(({ path, from, reasons }) => [path, from, reasons[0]?.id])).toEqual(lost);
  });
});
