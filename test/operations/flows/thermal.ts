/** Thermal imaging (part 3, 2.7). */
import type { Trial } from '../trial.ts';

const AT = { params: { channelID: 2 } };

export async function thermal(trial: Trial): Promise<void> {
  await trial.call('thermal', 'thermal.capabilities.get');
  await trial.call('thermal', 'thermal.fireDetection.capabilities.get', AT);
  await trial.call('thermal', 'thermal.fireDetection.get', AT);
  await trial.call('thermal', 'thermal.faceThermometry.capabilities.get', AT);

  const basic = {
    ...((await trial.call('thermal', 'thermal.thermometryBasic.get', AT)) as object),
    temperatureRange: '100-550',
    emissivityMode: 'customsettings',
    emissivity: 0.07,
    alarmMode: 'temperatureIntervalMeasurement',
    NormalRulesColor: { R: 0, G: 255, B: 1 },
    NormalTemperatureIntervalMeasurement: {
      alarmType: 'highestTemp',
      TemperatureIntervalList: [
        {
          id: 1,
          enabled: true,
          name: 'warm',
          minTemperature: -20,
          maxTemperature: 36.6,
          AlarmColor: { R: 1, G: 2, B: 3 },
        },
      ],
    },
  };
  await trial.call('thermal', 'thermal.thermometryBasic.put', { ...AT, body: basic });
  trial.same(
    'thermal.thermometryBasic.put',
    await trial.call('thermal', 'thermal.thermometryBasic.get', AT),
    basic,
  );

  await trial.call('thermal', 'thermal.thermometryMode.capabilities.get', AT);
  await trial.call('thermal', 'thermal.thermometryMode.put', {
    ...AT,
    body: { mode: 'expert', thermometryROIEnabled: true },
  });
  trial.same('thermal.thermometryMode.put', await trial.call('thermal', 'thermal.thermometryMode.get', AT), {
    mode: 'expert',
    thermometryROIEnabled: true,
  });
  // Its capability does not list this mode.
  await trial.refused(
    'thermal',
    'thermal.thermometryMode.put',
    {
      ...AT,
      raw: true,
      body: '<ThermometryMode version="2.0" xmlns="urn:fieldwright:virtual-device:1"><mode>AI</mode></ThermometryMode>',
    },
    'invalid-content',
  );
}
