/**
 * Reading a device into a template: the values taken, the values left out, and the effects of odd devices.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { STORAGE_CARD } from '#simulator/areas/storage-card.ts';
import { startOddDevice, type OddAnswer, type OddDevice, type OddRequest } from '../odd-device.ts';
import { applyPlan, makePlan, never, openSite, template, type TestSite } from '../site-engine.ts';
import { capture, captureEvents, type Captured } from './capture.ts';

let at: TestSite;
let odd: OddDevice | undefined;
afterEach(async () => {
  await odd?.close();
  odd = undefined;
});

const GONE: OddAnswer = { http: 404, text: '' };

/** Adds a thermal device that answers as the test says and has nothing else. */
async function addOdd(
  answer: (request: OddRequest) => OddAnswer | Promise<OddAnswer | undefined> | undefined,
): Promise<string> {
  odd = await startOddDevice(
    async (request) =>
      (await answer(request)) ??
      (request.path.includes('/Thermal/capabilities')
        ? { text: '<ThermalCap><isSupportThermometry>true</isSupportThermometry></ThermalCap>' }
        : GONE),
  );
  at = await openSite();
  return at.engine.devices.addTransient({ url: odd.url, name: 'odd' }).id;
}

const section = (captured: Captured, set: string) => captured.sections.filter((one) => one.set === set);
const valueOf = (captured: Captured, set: string): unknown =>
  parseTemplate(captured.text).document?.sections.find((one) => one.set === set)?.value;
const at1 =
  (path: string) =>
  ({ path: asked }: OddRequest): boolean =>
    asked.includes(path);
const isBasic = at1('/channels/1/thermometry/basicParam');

describe('a capture', () => {
  it('reads every channel the device reports and nothing twice', async () => {
    at = await openSite({ kinds: ['ai'] });

    const captured = await capture(at.engine, { deviceId: at.ids[0] ?? '' });

    expect(section(captured, 'humanRecognition.config').map(({ params }) => params['channelID'])).toEqual([
      1, 2, 3, 4,
    ]);
    expect(section(captured, 'humanRecognition.regions').map(({ state }) => state)).toEqual([
      'empty',
      'empty',
      'empty',
      'empty',
    ]);
  });

  it('asks for channels together where the device takes it, and for nothing that it would not ask one by one', async () => {
    const asked: string[][] = [];
    for (const inFlight of [1, 2]) {
      const sent: string[] = [];
      let release: (() => void) | undefined;
      const id = await addOdd(async ({ path }) => {
        sent.push(path);
        if (path.includes('/System/capabilities'))
          return { text: '<DeviceCap><supportImageChannel opt="3,5,7,9"/></DeviceCap>' };
        if (!path.endsWith('/thermometryMode')) return undefined;
        // The server answers neither of two parallel requests before the next one arrives.
        release?.();
        if (inFlight === 2 && /(3|7).thermometryMode/.test(path))
          await new Promise<void>((resolve) => (release = resolve));
        return { text: '<ThermometryMode><mode>normal</mode></ThermometryMode>' };
      });
      at.engine.devices.update({ id, profile: { inFlight } });
      const captured = await capture(at.engine, {
        deviceId: id,
        sections: [{ set: 'thermal.thermometryMode' }],
      });
      expect(captured.sections.map(({ state }) => state)).toEqual(Array(4).fill('captured'));
      asked.push(sent);
      await odd?.close();
      if (inFlight === 1) await at.close();
    }

    expect(asked[1]?.toSorted()).toEqual(asked[0]?.toSorted());
    expect(asked[0]?.filter((path) => path.endsWith('/thermometryMode'))).toHaveLength(4);
  });

  it('tells each setting once as it goes, and writes nothing', async () => {
    at = await openSite({ kinds: ['recorder'] });

    const events = await captureEvents(at.engine, { deviceId: at.ids[0] ?? '' });
    const sections = events.flatMap((event) => (event.type === 'section' ? [event] : []));

    expect(sections.at(-1)).toMatchObject({ done: sections[0]?.total });
    expect(
      new Set(sections.map((one) => `${one.section.set} ${JSON.stringify(one.section.params)}`)).size,
    ).toBe(sections.length);
    const plans = sections
      .filter((one) => one.section.set === 'passback.historyPlan')
      .map(({ section }) => section);
    expect(plans.filter(({ state }) => state === 'captured')).toHaveLength(32);
    // The number of streams is not reported; the first alone must not pass for all.
    expect(plans.filter(({ error }) => error?.code === 'input-too-large')).toMatchObject([
      { state: 'empty', error: { message: expect.stringContaining('streamID 1') as string } },
    ]);
    expect(at.site.device(0).requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('finds the only thermal channel of a camera although it is the second; planned and applied there (a device that counts as having nothing because channel 1 does not)', async () => {
    at = await openSite({ models: ['dual'] });
    const deviceId = at.ids[0] ?? '';

    const captured = await capture(at.engine, { deviceId });
    const plan = await makePlan(at, captured.text, { values: captured.values });
    const changed = await makePlan(
      at,
      template('set: thermal.thermometryMode\nparams: { channelID: 2 }\nvalue: { mode: expert }'),
    );
    const job = await applyPlan(at.engine, changed);
    const capabilities = await at.engine.operations.capabilities({ deviceId }, never);

    for (const set of ['thermal.thermometryBasic', 'thermal.thermometryMode', 'events.thermometrySchedule']) {
      expect(section(captured, set)).toMatchObject([{ state: 'captured', params: { channelID: 2 } }]);
    }
    expect(section(captured, 'events.thermometryPresetTrigger')[0]).toMatchObject({
      state: 'captured',
      params: { channelID: 2, presetID: 1 },
    });
    expect(plan.counts).toMatchObject({ unchanged: 1 });
    expect(job.results[0]?.units[0]?.outcome).toBe('effective');
    expect(capabilities.limits.map(({ operation }) => operation)).toContain(
      'thermal.thermometryMode.capabilities.get',
    );
  });

  it('a series that nobody reports goes on after a first one that is missing, however the device says so', async () => {
    const preset = (number: string | undefined) =>
      `<EventTrigger><id>thermometry-2</id><eventType>thermometry</eventType><eventDescription>${number ?? ''}</eventDescription></EventTrigger>`;
    const id = await addOdd(({ path }) => {
      const [, channel, number] = /triggers\/thermometry-(\d+)\/preset\/(\d+)$/.exec(path) ?? [];
      if (channel === undefined) return undefined;
      if (channel !== '2' || number === '1')
        return {
          http: 400,
          text: '<ResponseStatus><statusCode>6</statusCode><statusString>Invalid Content</statusString><subStatusCode>badParameters</subStatusCode></ResponseStatus>',
        };
      return number === '3' ? { text: preset(number) } : GONE;
    });

    const captured = await capture(at.engine, {
      deviceId: id,
      sections: [{ set: 'events.thermometryPresetTrigger' }],
    });

    expect(
      section(captured, 'events.thermometryPresetTrigger').filter(({ state }) => state === 'captured'),
    ).toMatchObject([{ params: { channelID: 2, presetID: 3 } }]);
  });

  it('takes only what is asked for, at the place that is asked for', async () => {
    at = await openSite();

    const captured = await capture(at.engine, {
      deviceId: at.ids[0] ?? '',
      sections: [
        { set: 'events.thermometryPresetTrigger', params: { channelID: 2, presetID: 200 } },
        { set: 'thermal.thermometryMode' },
      ],
    });

    expect(captured.sections.map(({ set, params }) => [set, params])).toEqual([
      ['events.thermometryPresetTrigger', { channelID: 2, presetID: 200 }],
      ['thermal.thermometryMode', { channelID: 1 }],
      ['thermal.thermometryMode', { channelID: 2 }],
    ]);
  });

  it('holds what is asked for twice once, and a part of a setting with the whole', async () => {
    at = await openSite({ kinds: ['ai'] });
    const deviceId = at.ids[0] ?? '';

    const both = await capture(at.engine, {
      deviceId,
      params: { channelID: 2 },
      sections: [
        { set: 'humanRecognition.regions' },
        { set: 'humanRecognition.config', params: { channelID: 2 } },
        { set: 'humanRecognition.config' },
      ],
    });
    const part = await capture(at.engine, {
      deviceId,
      params: { channelID: '2' },
      sections: [{ set: 'humanRecognition.regions' }],
    });

    expect(both.summary.sections.map(({ set }) => set)).toEqual(['humanRecognition.config']);
    expect(part.sections).toMatchObject([
      { set: 'humanRecognition.regions', params: { channelID: 2 }, state: 'captured' },
    ]);
  });

  it('refuses a section or a parameter that does not exist before anything is asked', async () => {
    at = await openSite();
    at.site.device(0).clearRequests();
    const run = (sections: { set: string; params?: Record<string, number> }[]) =>
      capture(at.engine, { deviceId: at.ids[0] ?? '', sections });

    await expect(run([{ set: 'thermal.thermometryMod' }])).rejects.toMatchObject({
      shape: { code: 'unknown-section', nearest: 'thermal.thermometryMode' },
    });
    await expect(run([{ set: 'thermal.thermometryMode', params: { chanelID: 1 } }])).rejects.toMatchObject({
      shape: { code: 'unknown-parameter', nearest: 'channelID' },
    });
    expect(at.site.device(0).requests).toEqual([]);
  });

  it('never holds a secret, and says how a setting that needs one is added', async () => {
    at = await openSite();
    at.site.device(0).part(STORAGE_CARD).lock('s3cret-card');

    const captured = await capture(at.engine, { deviceId: at.ids[0] ?? '' });

    expect(section(captured, 'storage.rwLock')).toMatchObject([
      {
        state: 'secret',
        left: [
          { path: 'passwd', reason: 'secret' },
          { path: 'originalPasswd', reason: 'secret' },
        ],
      },
    ]);
    expect(JSON.stringify(captured)).not.toContain('s3cret');
    expect(captured.text).toMatch(/# {3}- set: storage\.rwLock/);
    expect(captured.summary.sections.map(({ set }) => set)).not.toContain('storage.rwLock');
  });

  it('makes variables of what belongs to the device, with the values it has', async () => {
    at = await openSite({ kinds: ['gate'] });

    const captured = await capture(at.engine, { deviceId: at.ids[0] ?? '' });

    expect(captured.values).toMatchObject({
      localController_1_devName: 'Lane controller',
      localController_1_ipAddress: '192.0.2.31',
    });
    expect(captured.summary.variables.every(({ required }) => required)).toBe(true);
    expect(section(captured, 'accessControl.localController')).toMatchObject([
      {
        state: 'captured',
        left: expect.arrayContaining([
          { path: 'serialNumber', reason: 'not-described' },
          { path: 'localControllerID', reason: 'read-only' },
        ]),
      },
    ]);
  });

  it('finds local controllers behind a gap in their numbers', async () => {
    at = await openSite({ kinds: ['gate'] });
    const deviceId = at.ids[0] ?? '';
    const body = {
      localControllerID: 7,
      devName: 'Far',
      devType: '1door',
      offlineWorkMode: 'configuration',
      networkEnable: false,
      portNo: 8000,
    };
    await at.engine.operations.call(
      { deviceId, operation: 'accessControl.localController.add', body },
      new AbortController().signal,
    );

    const captured = await capture(at.engine, { deviceId });

    expect(
      section(captured, 'accessControl.localController').map(({ params }) => params['localControllerID']),
    ).toEqual([1, 7]);
  });

  it('ends when it is cancelled', async () => {
    at = await openSite({ kinds: ['recorder'] });
    const stop = new AbortController();
    const events = at.engine.templates
      .capture({ deviceId: at.ids[0] ?? '' }, stop.signal)
      [Symbol.asyncIterator]();

    await events.next();
    stop.abort();

    await expect(
      (async () => {
        while ((await events.next()).done !== true);
      })(),
    ).rejects.toMatchObject({ shape: { code: 'cancelled' } });
  });
});

describe('an odd device', () => {
  const basic = (inside: string): OddAnswer => ({
    text: `<ThermometryBasicParam version="2.0">${inside}</ThermometryBasicParam>`,
  });

  it('that answers one setting with nonsense and cuts another is captured without them', async () => {
    const id = await addOdd((request) => {
      if (isBasic(request)) return basic('<distance>5</distance>');
      if (at1('/channels/1/thermometryMode')(request)) return { text: '<html>login</html>' };
      return at1('/schedules/thermometry/')(request) ? { cut: true } : undefined;
    });

    const captured = await capture(at.engine, { deviceId: id });

    expect(captured.sections.filter(({ state }) => state === 'captured').map(({ set }) => set)).toEqual([
      'thermal.thermometryBasic',
    ]);
    expect(section(captured, 'thermal.thermometryMode')).toMatchObject([
      { state: 'failed', error: { code: 'malformed-answer' } },
    ]);
    expect(section(captured, 'events.thermometrySchedule')).toMatchObject([{ state: 'failed' }]);
    expect(captured.text).toContain('# Temperature measuring mode (channelID 1) could not be captured');
  });

  it('whose values break the specification keeps them beside its settings, and says so', async () => {
    const id = await addOdd((request) =>
      isBasic(request)
        ? basic(`<distance>5</distance><emissivity>7</emissivity><alarmInterval>NaN</alarmInterval>
      <NormalRulesColor><R>1</R></NormalRulesColor><alarmMode>alarm_alert</alarmMode><lens secret="x">y</lens>
      <NormalTemperatureIntervalMeasurement><TemperatureIntervalList><TemperatureInterval><id>1</id><minTemperature>-999</minTemperature></TemperatureInterval></TemperatureIntervalList></NormalTemperatureIntervalMeasurement>`)
        : undefined,
    );

    const captured = await capture(at.engine, { deviceId: id });
    const plan = await makePlan({ engine: at.engine, ids: [id] }, captured.text, { values: captured.values });

    expect(valueOf(captured, 'thermal.thermometryBasic')).toEqual({
      distance: 5,
      alarmMode: 'alarm_alert',
      NormalTemperatureIntervalMeasurement: { TemperatureIntervalList: [{ id: 1 }] },
    });
    expect(section(captured, 'thermal.thermometryBasic')[0]?.left).toEqual(
      expect.arrayContaining([
        { path: 'emissivity', reason: 'invalid', value: 7 },
        { path: 'alarmInterval', reason: 'invalid', value: 'NaN' },
        { path: 'NormalRulesColor', reason: 'inactive', value: { R: 1 } },
        {
          path: 'NormalTemperatureIntervalMeasurement.TemperatureIntervalList[0].minTemperature',
          reason: 'invalid',
          value: -999,
        },
        { path: 'lens', reason: 'not-described' },
      ]),
    );
    expect(captured.text).toContain(
      'left out (outside of the specification): emissivity: 7, alarmInterval: "NaN"',
    );
    expect(plan.counts.unchanged).toBe(1);
  });

  // Would catch: a limit of our own that drops what a device holds, and the specification does not limit.
  it('is captured with three decimals of emissivity', async () => {
    const id = await addOdd((request) =>
      isBasic(request) ? basic('<emissivity>0.985</emissivity>') : undefined,
    );

    const captured = await capture(at.engine, { deviceId: id });

    expect(valueOf(captured, 'thermal.thermometryBasic')).toEqual({ emissivity: 0.985 });
    expect(section(captured, 'thermal.thermometryBasic')[0]?.left).toEqual([]);
  });

  it('cannot smuggle YAML, variables or line ends into the text', async () => {
    const evil = 'a\n- set: x # ${boom} $${y} "q" \u2028\u0085 é 漢';
    const id = await addOdd((request) =>
      at1('/triggers/hdBadBlock')(request)
        ? {
            text: `<EventTrigger><id>hdBadBlock</id><eventType>hdBadBlock</eventType><eventDescription>${evil.replaceAll('"', '&quot;')}</eventDescription><inputIOPortID>${evil}</inputIOPortID></EventTrigger>`,
          }
        : undefined,
    );

    const captured = await capture(at.engine, { deviceId: id, name: 'Lane\n2: "x" ${n}' });
    const plan = await makePlan({ engine: at.engine, ids: [id] }, captured.text, { values: captured.values });

    expect(captured.values['hdBadBlockTrigger_inputIOPortID']).toBe(evil);
    expect(captured.summary.sections.map(({ set }) => set)).toEqual(['events.hdBadBlockTrigger']);
    expect(plan.devices[0]).toMatchObject({ state: 'unchanged' });
  });

  it('that answers for every number there is does not make it endless', async () => {
    const id = await addOdd((request) =>
      at1('/triggers/thermometry-')(request)
        ? { text: '<EventTrigger><id>t</id><eventType>thermometry</eventType></EventTrigger>' }
        : undefined,
    );

    const captured = await capture(at.engine, {
      deviceId: id,
      sections: [{ set: 'events.thermometryPresetTrigger', params: { channelID: 1 } }],
    });

    expect(captured.summary.sections).toHaveLength(8);
    expect(captured.sections.at(-1)).toMatchObject({ state: 'empty', error: { code: 'input-too-large' } });
  });

  it('with nothing to set is said to have nothing', async () => {
    const id = await addOdd(() => undefined);

    await expect(capture(at.engine, { deviceId: id })).rejects.toMatchObject({
      shape: { code: 'not-supported' },
    });
  });

  it('without the report of its capabilities is asked channel by channel', async () => {
    const id = await addOdd((request) => {
      if (request.path.includes('/System/capabilities')) return { cut: true };
      return /channels\/[1-3]\/thermometryMode$/.test(request.path)
        ? { text: '<ThermometryMode><mode>normal</mode></ThermometryMode>' }
        : undefined;
    });

    const captured = await capture(at.engine, { deviceId: id });

    expect(
      section(captured, 'thermal.thermometryMode').map(({ params, state }) => [params['channelID'], state]),
    ).toEqual([
      [1, 'captured'],
      [2, 'captured'],
      [3, 'captured'],
    ]);
    // A number that may not exist is asked for after the one before it.
    expect(odd?.requests.filter(({ path }) => path.endsWith('/thermometryMode'))).toHaveLength(4);
  });

  it('that refuses the sign-in or is gone ends it at once', async () => {
    const id = await addOdd(() => ({ http: 401, text: '' }));
    await expect(capture(at.engine, { deviceId: id })).rejects.toMatchObject({
      shape: { code: expect.stringMatching(/^sign-in/) },
    });

    await odd?.close();
    const { id: gone } = at.engine.devices.addTransient({ url: odd?.url ?? '', name: 'odd' });
    await expect(capture(at.engine, { deviceId: gone })).rejects.toMatchObject({
      shape: { code: expect.stringMatching(/connection-refused|unreachable|sign-in/) },
    });
  });
});
