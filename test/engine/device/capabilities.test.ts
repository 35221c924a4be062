import { afterEach, describe, expect, it } from 'vitest';
import { findOperation } from '#protocol/index.ts';
import { errorOf } from './directory.ts';
import { engineSite, never, type EngineSite } from './engine-site.ts';

let here: EngineSite | undefined;
afterEach(async () => {
  await here?.close();
  here = undefined;
});

describe('capabilities', () => {
  // Would catch: "not reported" shown as "no".
  it('keeps true, false and not reported apart', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);

    const { flags, problems } = await here.engine.operations.capabilities(
      { deviceId: here.ids[0] ?? '' },
      never,
    );

    const states = new Map(
      flags
        .filter((flag) => flag.operation === 'thermal.capabilities.get')
        .map((flag) => [flag.path, flag.state]),
    );
    expect(states.get('isSupportThermometryMode')).toBe('true');
    expect(new Set(states.values())).toEqual(new Set(['true', 'false', 'not-reported']));
    expect(problems).toEqual([]);
  });

  // Would catch: a reduced system report taken for all the device can do, without a word.
  it('says what the device leaves out of its system report unless all is asked for', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);

    const { onlyWhenAskedForAll = [], flags } = await here.engine.operations.capabilities(
      { deviceId: here.ids[0] ?? '' },
      never,
    );

    const reported = flags
      .filter(({ operation, state }) => operation === 'system.capabilities.get' && state !== 'not-reported')
      .map(({ path }) => path);
    expect(onlyWhenAskedForAll.length).toBeGreaterThan(0);
    expect(onlyWhenAskedForAll.length).toBeLessThan(reported.length);
    expect(reported).toEqual(expect.arrayContaining(onlyWhenAskedForAll.map(({ path }) => path)));
  });

  it('tells limits with their labels', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);

    const { limits } = await here.engine.operations.capabilities({ deviceId: here.ids[0] ?? '' }, never);

    const mode = limits.find(
      (limit) => limit.operation === 'thermal.thermometryMode.capabilities.get' && limit.path === 'mode',
    );
    expect(mode?.options).toContain('normal');
    expect(mode?.label).not.toBe('mode');
  });

  // Would catch: a device that can run 16 tasks on 4 channels shown without either number.
  it('tells counts, also those that stand outside of capability documents', async () => {
    here = await engineSite({ kinds: ['ai'] });
    await here.engine.devices.test({ ids: here.ids }, never);

    const { limits, flags } = await here.engine.operations.capabilities(
      { deviceId: here.ids[0] ?? '' },
      never,
    );

    const counts = limits.filter((limit) => limit.count !== undefined);
    expect(counts.map(({ path, count }) => `${path} ${count}`)).toEqual(
      expect.arrayContaining([
        'tasksNum 16',
        'maxRelChannelNum 4',
        'SysCap.RacmCap.nasNums 8',
        'HumanRecognitionModeSearchCap.searchTargetsNumMax 5',
      ]),
    );
    expect(counts.every((limit) => limit.min === undefined && limit.options === undefined)).toBe(true);
    expect(flags.map(({ path }) => path)).not.toContain('isCombinedLinkageEvents');
  });

  it('asks only for what the kind has, and probes without changing anything', async () => {
    here = await engineSite({ kinds: ['gate'] });
    await here.engine.devices.test({ ids: here.ids }, never);
    const device = here.site.device(0);
    const before = device.requests.length;

    const plain = await here.engine.operations.capabilities({ deviceId: here.ids[0] ?? '' }, never);
    const claimed = device.requests.slice(before);
    const probed = await here.engine.operations.capabilities(
      { deviceId: here.ids[0] ?? '', probe: true },
      never,
    );

    expect(plain.probes).toBeUndefined();
    expect(claimed.some((request) => request.path.includes('/Thermal/'))).toBe(false);
    expect(device.requests.every((request) => request.method === 'GET')).toBe(true);
    expect(probed.probes?.find((probe) => probe.operation === 'gate.status.get')).toMatchObject({
      answered: true,
    });
    expect(probed.probes?.find((probe) => probe.operation === 'passback.basic.get')).toMatchObject({
      answered: false,
      error: { code: 'not-supported' },
    });
  });

  // Would catch: opening a workspace that reads every document of limits twice.
  it('probes without reading the documents of limits again where it is told so', async () => {
    here = await engineSite({ kinds: ['gate'] });
    await here.engine.devices.test({ ids: here.ids }, never);
    const device = here.site.device(0);
    device.clearRequests();

    const { flags, limits, problems, probes } = await here.engine.operations.capabilities(
      { deviceId: here.ids[0] ?? '', probe: true, documents: false },
      never,
    );

    expect({ flags, limits, problems }).toEqual({ flags: [], limits: [], problems: [] });
    expect(probes?.find((probe) => probe.operation === 'gate.status.get')).toMatchObject({ answered: true });
    // Documents of flags are pages of their own, and probed as such; those of limits are not.
    expect(
      device.requests
        .map((request) => request.operation)
        .filter((id) => findOperation(id ?? '')?.isCapability === true),
    ).toEqual([]);
  });

  // Would catch: a page that waits until forty background reads are done.
  it('lets what a person waits for go before the probes', async () => {
    here = await engineSite({ kinds: ['gate'], latencyMs: 1 });
    const { engine, ids } = here;
    await engine.devices.test({ ids }, never);
    const device = here.site.device(0);
    device.clearRequests();

    const probing = engine.operations.capabilities(
      { deviceId: ids[0] ?? '', probe: true, documents: false },
      never,
    );
    await expect.poll(() => device.requests.length, { interval: 1 }).toBeGreaterThan(1);
    await engine.operations.call({ deviceId: ids[0] ?? '', operation: 'accessControl.users.count' }, never);
    const answeredBefore = device.requests.length;
    await probing;

    expect(answeredBefore).toBeLessThan(device.requests.length / 2);
  });

  it('goes on past a document that cannot be read', async () => {
    here = await engineSite({ kinds: ['thermal'] });
    await here.engine.devices.test({ ids: here.ids }, never);
    here.site.device(0).setFault('malformed', 1, { operation: 'thermal.thermometryMode.capabilities.get' });

    const { flags, problems } = await here.engine.operations.capabilities(
      { deviceId: here.ids[0] ?? '' },
      never,
    );

    expect(problems).toMatchObject([
      { code: 'malformed-answer', operation: 'thermal.thermometryMode.capabilities.get' },
    ]);
    expect(flags.length).toBeGreaterThan(20);
  });

  it('does not knock forty times on a closed door', async () => {
    here = await engineSite({ kinds: ['gate'] }, 'wrong');

    const error = await errorOf(
      here.engine.operations.capabilities({ deviceId: here.ids[0] ?? '', probe: true }, never),
    );

    expect(error.code).toBe('sign-in-failed');
    expect(here.site.device(0).requests).toHaveLength(2);
  });
});
