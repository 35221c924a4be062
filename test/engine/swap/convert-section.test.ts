/** One section of a saved state on a device that counts in other units. */
import { describe, expect, it } from 'vitest';
import { convertSection } from '../../../src/engine/swap/convert-section.ts';
import { payloadOf, shows } from '../plan/documents.ts';

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
  it('fault 13: thresholds, intervals and differences move from Fahrenheit to Celsius, each as what it is', () => {
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
    expect(lost.map(({ path }) => path)).toEqual(['temperatureUnit']);
  });

  it('fault 13: numbers saved without a unit are not taken for feet by a device that counts in them', () => {
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
