/** Numbers that count in a unit named beside them: what they mean, their limits, and what a change of the unit does. */
import { describe, expect, it } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  computeChanges,
  findField,
  listFieldsAlong,
  findResource,
  resolveUnit,
  convertAndRound,
  findUnitWord,
  validate,
  type NumberField,
  type Payload,
} from '#protocol/index.ts';
import { float, text } from './words.ts';

function payloadOf(set: string): Payload {
  const payload = findResource(set)?.put.request;
  if (payload === undefined) throw new Error(`no ${set}`);
  return payload;
}
const THERMOMETRY = payloadOf('thermal.thermometryBasic');
function numberAt(path: string, payload = THERMOMETRY): NumberField {
  const field = findField(payload, path);
  if (field?.kind !== 'int' && field?.kind !== 'float') throw new Error(`no number at ${path}`);
  return field;
}
const INTERVAL = 'NormalTemperatureIntervalMeasurement.TemperatureIntervalList[0].maxTemperature';

describe('what a number counts in', () => {
  it.each([
    ['distance', {}, 'm'],
    ['distance', { distanceUnit: 'feet' }, 'ft'],
    ['distance', { distanceUnit: 'centimeter' }, 'cm'],
    ['alarm', { temperatureUnit: 'degreeFahrenheit' }, '°F'],
    [INTERVAL, { temperatureUnit: 'degreeKelvin' }, 'K'],
    ['TemperatureSuddenChange.alarm', {}, '°C'],
  ])('the unit of %s in %o is %s, as the document says', (path, document, symbol) => {
    expect(resolveUnit(numberAt(path), document).unit).toBe(symbol);
  });

  it('as the specification writes them are never too much, for it does not say in which unit they are', () => {
    expect(
      validate(
        THERMOMETRY,
        { temperatureUnit: 'degreeFahrenheit', toleranceTemperature: 1 },
        { mode: 'whole' },
      ),
    ).toEqual([]);
  });

  it('of a part of a document without the unit is not known: it stays that of the device', () => {
    expect(resolveUnit(numberAt('distance'), { distance: 3 }, 'patch').unit).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'degreeFahrenheit', '${unit}'])(
    'is not known by the word %s for a distance',
    (word) => {
      expect(resolveUnit(numberAt('distance'), { distanceUnit: word }).unit).toBeUndefined();
    },
  );

  it('thresholds in Fahrenheit by their name have their own unit, whatever the terminal shows temperatures in', () => {
    const field = numberAt('highestThermalThresholdF', payloadOf('accessControl.hostConfig'));

    expect([field.unitFrom, resolveUnit(field, { thermalUnit: 'celsius' }).unit]).toEqual([undefined, '°F']);
  });

  it('every unit that a definition points at is a choice of known units', () => {
    const pointing = listFieldsAlong(THERMOMETRY, 'distance')
      .map((place) => place.field)
      .concat(numberAt('alarm'), numberAt('thermalCompensation', payloadOf('accessControl.hostConfig')));

    for (const field of pointing) {
      const unitFrom = 'unitFrom' in field ? field.unitFrom : undefined;
      const choice =
        unitFrom === undefined
          ? undefined
          : findField(
              unitFrom.path === 'thermalUnit' ? payloadOf('accessControl.hostConfig') : THERMOMETRY,
              unitFrom.path,
            );
      const words = choice?.kind === 'choice' ? choice.options.map(({ value }) => value) : [];
      expect(
        words.map((word) =>
          unitFrom === undefined ? undefined : findUnitWord(unitFrom, { [unitFrom.path]: word }),
        ),
      ).toEqual(words);
      expect(words.length).toBeGreaterThan(1);
    }
  });
});

describe('the same in another unit', () => {
  it.each([
    ['alarm', 99.5, 'degreeFahrenheit', 'degreeCentigrade', 37.5],
    ['alarm', 310.65, 'degreeKelvin', 'degreeCentigrade', 37.5],
    [INTERVAL, 37.5, 'degreeCentigrade', 'degreeFahrenheit', 99.5],
    ['toleranceTemperature', 3.6, 'degreeFahrenheit', 'degreeCentigrade', 2],
    ['TemperatureSuddenChange.alarm', 18, 'degreeFahrenheit', 'degreeKelvin', 10],
    ['enviroTemperature', 75, 'degreeFahrenheit', 'degreeCentigrade', 24],
    ['distance', 20, 'feet', 'meter', 6],
    ['distance', 3000, 'centimeter', 'meter', 30],
  ])('%s of %s in %s is in %s %s', (path, value, from, to, expected) => {
    const field = numberAt(path);
    if (field.unitFrom === undefined) throw new Error('no unit');

    expect(convertAndRound(field, value, { unitFrom: field.unitFrom, from, to })).toBe(expected);
  });
});

describe('limits', () => {
  const interval = (temperatureUnit: string | undefined, maxTemperature: number) => ({
    ...removeUndefined({ temperatureUnit }),
    NormalTemperatureIntervalMeasurement: { TemperatureIntervalList: [{ id: 1, maxTemperature }] },
  });

  it('are those of the unit in use: 1000 °F is inside of them, 1000 °C is not', () => {
    const issuesIn = (unit: string): readonly unknown[] =>
      validate(THERMOMETRY, interval(unit, 1000), { mode: 'whole' });

    expect(issuesIn('degreeFahrenheit')).toEqual([]);
    expect(issuesIn('degreeCentigrade')).toMatchObject([
      { code: 'out-of-range', allowed: { min: -20, max: 550 } },
    ]);
    expect(issuesIn('degreeKelvin')).toMatchObject([
      {
        code: 'out-of-range',
        allowed: { max: 823.15 },
        message: expect.stringContaining('823.15 K') as string,
      },
    ]);
  });

  it('as the specification writes them are never too much, for it does not say in which unit they are', () => {
    expect(
      validate(
        THERMOMETRY,
        { temperatureUnit: 'degreeFahrenheit', toleranceTemperature: 1 },
        { mode: 'whole' },
      ),
    ).toEqual([]);
  });

  it('of a part of a document without the unit are as wide as in any unit', () => {
    expect(validate(THERMOMETRY, interval(undefined, 1000), { mode: 'patch' })).toEqual([]);
    expect(validate(THERMOMETRY, interval(undefined, 1100), { mode: 'patch' })).toMatchObject([
      { code: 'out-of-range' },
    ]);
  });
});

describe('changes', () => {
  it('tell old and new value in the unit of each', () => {
    const changes = computeChanges(
      THERMOMETRY,
      { distanceUnit: 'feet', distance: 10 },
      { distanceUnit: 'meter', distance: 3 },
    );

    expect(changes).toMatchObject([
      { path: 'distanceUnit' },
      { path: 'distance', from: 10, fromUnit: 'ft', to: 3, unit: 'm' },
    ]);
  });

  it('a number whose unit alone changes is told, for it means something else then', () => {
    const changes = computeChanges(
      THERMOMETRY,
      { temperatureUnit: 'degreeCentigrade', alarm: 38, distance: 2 },
      { temperatureUnit: 'degreeFahrenheit', alarm: 38, distance: 2 },
    );

    expect(changes).toMatchObject([
      { path: 'temperatureUnit' },
      { path: 'alarm', from: 38, fromUnit: '°C', to: 38, unit: '°F' },
    ]);
    expect(changes.length).toBe(2);
  });

  it('name the unit once where it stays', () => {
    expect(
      computeChanges(
        THERMOMETRY,
        { distanceUnit: 'feet', distance: 10 },
        { distanceUnit: 'feet', distance: 12 },
      ),
    ).toEqual([{ path: 'distance', label: 'Distance', from: 10, to: 12, unit: 'ft' }]);
  });
});

// Would catch: a limit that is lost with a change of the unit, or one that appears where there is none.
it.each([
  [{ min: 0 }, {}, { unit: '°C', min: 0 }],
  [{ min: 10 }, { u: 'fahrenheit' }, { unit: '°F', min: 10 }],
  [{ min: -20, max: 50 }, { u: 'fahrenheit' }, { unit: '°F', min: -20, max: 122 }],
  [{ min: -50 }, { u: 'degreeFahrenheit' }, { unit: '°F', min: -58 }],
  [{ max: 0 }, { u: 5 }, { max: 273.15 }],
  [{}, { u: 'meter' }, {}],
])('%j in %j is %j', (limits, document, expected) => {
  const field = float('t', 'T', { unitFrom: { path: 'u', absent: 'celsius' }, ...limits });
  const { name, label, kind, unitFrom, ...found } = resolveUnit(field, document);

  expect([name, label, kind, unitFrom]).toEqual(['t', 'T', 'float', { path: 'u', absent: 'celsius' }]);
  expect(found).toStrictEqual(expected);
  expect(resolveUnit(text('s', 'S'), document)).toEqual(text('s', 'S'));
  expect(findUnitWord({ path: 'u', absent: 'celsius' }, {})).toBe('celsius');
});
