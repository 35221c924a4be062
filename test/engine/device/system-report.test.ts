import { describe, expect, it, onTestFinished } from 'vitest';
import { startOddDevice, type OddAnswer, type OddDevice } from '../odd-device.ts';
import { engineSite, never, type EngineSite } from './engine-site.ts';

const REPORT =
  '<?xml version="1.0" encoding="UTF-8"?><DeviceCap version="2.0"><SysCap><isSupportDst>true</isSupportDst></SysCap><supportImageChannel opt="1,3"/></DeviceCap>';
const BAD =
  '<?xml version="1.0" encoding="UTF-8"?><ResponseStatus version="2.0"><statusCode>4</statusCode><statusString>Invalid Operation</statusString><subStatusCode>badParameters</subStatusCode></ResponseStatus>';

/** A device that knows the standard report alone. */
async function startPlain(
  refusal: OddAnswer,
): Promise<{ readonly site: EngineSite; readonly id: string; readonly device: OddDevice }> {
  const device = await startOddDevice(({ path }) => {
    if (path === '/API/System/capabilities') return { text: REPORT };
    return path === '/API/System/capabilities?type=all' ? refusal : { http: 404, text: '' };
  });
  const site = await engineSite({});
  onTestFinished(() => device.close());
  onTestFinished(() => site.close());
  return { site, device, id: site.engine.devices.addTransient({ url: device.url, name: 'Old' }).id };
}

describe('a device that refuses the full system report', () => {
  it.each<[string, OddAnswer]>([
    ['with a status', { http: 400, text: BAD }],
    ['with a status of success in HTTP', { text: BAD }],
    ['as something that it does not have', { http: 404, text: '' }],
  ])('gives its standard one, wherever it is asked: %s', async (_how, refusal) => {
    const { site, id } = await startPlain(refusal);
    const { operations, devices } = site.engine;

    const called = await operations.call({ deviceId: id, operation: 'system.capabilities.get' }, never);
    const { flags, problems } = await operations.capabilities({ deviceId: id }, never);
    const tested = await devices.test({ ids: [id] }, never);

    expect(called).toMatchObject({
      outcome: 'ok',
      value: { supportImageChannel: expect.anything() as unknown },
    });
    expect(called.notes).toEqual([{ id: 'read.plain-report' }]);
    expect(flags.filter(({ state }) => state === 'true').map(({ path }) => path)).toEqual([
      'SysCap.isSupportDst',
    ]);
    expect(problems).toEqual([]);
    expect(tested).toMatchObject([{ ok: true }]);
  });

  it('keeps its own reason where it has no report at all', async () => {
    const device = await startOddDevice(() => ({ http: 400, text: BAD }));
    const site = await engineSite({});
    onTestFinished(() => device.close());
    onTestFinished(() => site.close());
    const { id } = site.engine.devices.addTransient({ url: device.url, name: 'Older' });

    const called = await site.engine.operations.call(
      { deviceId: id, operation: 'system.capabilities.get' },
      never,
    );

    expect(called).toMatchObject({ outcome: 'refused', status: { subStatusCode: 'badParameters' } });
  });
});
