/** Planning over real HTTP: reads, writes nothing, and one device's trouble is its own. */
import { describe, expect, it } from 'vitest';
import {
  BASIC,
  HOST,
  MODE,
  applyPlan,
  makePlan,
  openSite,
  planEvents,
  template,
  writes,
  type TestSite,
} from '../site-engine.ts';
import { parsePlan } from '#engine/planning/read-plan.ts';

let at: TestSite;

describe('a plan', () => {
  it('reads each setting once, writes nothing and says what would change', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal', 'gate'] });

    const plan = await makePlan(at, template(`${BASIC}\noptional: true`, `${HOST}\noptional: true`));

    expect(
      plan.devices.map(({ state, sections }) => [state, sections.map((section) => section.state)]),
    ).toEqual([
      ['changes', ['changes', 'unsupported']],
      ['changes', ['unsupported', 'changes']],
    ]);
    expect(plan.devices[0]?.sections[0]?.changes).toMatchObject([
      { path: 'distance', from: 5, to: 3, unit: 'm' },
      { path: 'alarmInterval', from: 10, to: 20 },
    ]);
    for (const device of [0, 1]) {
      const answered = at.site.device(device).requests.filter(({ http }) => http !== 401);
      expect(answered.map(({ method }) => method)).toEqual(['GET', 'GET']);
    }
  });

  it('asks for the limits of a device only where something would change, and once', async () => {
    at = await openSite();
    const both = template(MODE, MODE.replace('channelID: 1', 'channelID: 2').replace('expert', 'normal'));

    await makePlan(at, both);

    expect(
      at.site
        .device(0)
        .requests.filter(
          ({ operation, http }) => operation === 'thermal.thermometryMode.capabilities.get' && http === 200,
        ),
    ).toHaveLength(1);
  });

  it('blocks what the device does not offer although the specification does', async () => {
    at = await openSite();

    const plan = await makePlan(at, template(MODE.replace('expert', 'AI')));

    expect(plan.devices[0]).toMatchObject({
      state: 'blocked',
      sections: [{ problems: [{ code: 'not-allowed', path: 'mode' }] }],
    });
  });

  it('is for the kinds that the template names, as the devices show them', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal', 'gate'] });

    const plan = await makePlan(
      at,
      template(MODE).replace('sections:', 'appliesTo: { kinds: [thermal] }\nsections:'),
    );
    const job = await applyPlan(at.engine, plan);

    expect(plan.devices.map(({ state }) => state)).toEqual(['changes', 'unsupported']);
    expect(job).toMatchObject({ state: 'done', counts: { effective: 1, skipped: 1 } });
  });

  it('goes on when a device cannot be reached, is busy for good, or answers nonsense', async () => {
    at = await openSite({ devices: 4 });
    await at.site.device(0).close();
    at.site.device(1).setFault('busy', 1, { method: 'GET' });
    at.site.device(2).setFault('malformed', 1, { method: 'GET' });

    const plan = await makePlan(at, template(BASIC));

    expect(plan.devices.map(({ state }) => state)).toEqual(['failed', 'blocked', 'failed', 'changes']);
    expect(plan.devices.map(({ error, sections }) => (error ?? sections[0]?.problems[0])?.code)).toEqual([
      'connection-refused',
      'device-busy',
      'malformed-answer',
      undefined,
    ]);
    expect(at.delays).toEqual([300, 900, 2_000, 4_000]);
  });

  it('takes one wrong password to one device once', async () => {
    at = await openSite({ devices: 2 });
    const [first] = at.site.devices;
    at.engine.devices.addTransient({ url: first?.url ?? '', userName: 'admin', password: 'wrong' });

    const plan = await makePlan(at, template(BASIC, MODE));

    expect(plan.devices.map(({ state, error }) => [state, error?.code])).toEqual([
      ['failed', 'sign-in-failed'],
      ['changes', undefined],
    ]);
  });

  it('reports every wrong value at once, by device, before a device is asked', async () => {
    at = await openSite({ devices: 2 });
    const text = template(BASIC.replace('distance: 3', 'distance: ${distance}')).replace(
      'sections:',
      'variables:\n  distance: { type: integer, max: 10 }\nsections:',
    );
    const [a = '', b = ''] = at.ids;

    const planning = planEvents(at.engine, {
      templateText: text,
      deviceIds: at.ids,
      valuesByDevice: { [a]: { distance: '30' }, [b]: {} },
    });

    await expect(planning).rejects.toMatchObject({
      shape: {
        code: 'out-of-range',
        device: at.site.devices[0]?.url,
        others: [{ code: 'undefined-variable', device: at.site.devices[1]?.url }],
      },
    });
    expect(at.site.device(0).requests).toHaveLength(0);
  });

  it('gives each device its own values and groups those with equal results', async () => {
    at = await openSite({ devices: 3 });
    const text = template(BASIC.replace('distance: 3', 'distance: ${distance}')).replace(
      'sections:',
      'variables:\n  distance: { type: integer, default: 4 }\nsections:',
    );

    const plan = await makePlan(at, text, {
      values: { distance: 9 },
      valuesByDevice: { [at.ids[1] ?? '']: { distance: '2' } },
    });

    expect(plan.devices.map(({ values, group }) => [values['distance'], group])).toEqual([
      [9, 1],
      [2, 2],
      [9, 1],
    ]);
    expect(plan.groups).toEqual([
      { group: 1, devices: [at.ids[0], at.ids[2]], state: 'changes' },
      { group: 2, devices: [at.ids[1]], state: 'changes' },
    ]);
  });

  it('tells of each device as it comes, and can be stopped', async () => {
    at = await openSite({ devices: 5 });
    const stop = new AbortController();
    const seen: number[] = [];

    const run = (async () => {
      for await (const event of at.engine.plans.create(
        { templateText: template(BASIC), deviceIds: at.ids, concurrency: 1 },
        stop.signal,
      )) {
        if (event.type === 'device') seen.push(event.done);
        if (seen.length === 2) stop.abort();
      }
    })();

    await expect(run).rejects.toMatchObject({ shape: { code: 'cancelled' } });
    expect(seen).toEqual([1, 2]);
    expect(at.site.device(4).requests).toHaveLength(0);
  });

  it('survives a restart of the app', async () => {
    at = await openSite();

    const plan = await makePlan(at, template(BASIC));

    expect(at.engine.plans.get(plan.id)).toEqual(plan);
    expect(() => at.engine.plans.get('p-none')).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'plan-outdated' }) }),
    );
  });
});

describe('a plan as a file', () => {
  const parse = (text: string) =>
    at.engine.plans.importFile({ text, file: 'p.json' }, AbortSignal.timeout(60_000));
  const code = (expected: string) =>
    expect.objectContaining({ shape: expect.objectContaining({ code: expected, file: 'p.json' }) });

  it('comes back as it was and can be applied', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));

    const read = await at.engine.plans.importFile(
      { text: `\ufeff${JSON.stringify(plan, null, 2)}` },
      AbortSignal.timeout(60_000),
    );
    const job = await applyPlan(at.engine, read);

    // The plan of a file has an id of its own, so that it never replaces an open plan.
    expect(read.id).not.toBe(plan.id);
    expect({ ...read, id: plan.id }).toEqual(plan);
    expect(job).toMatchObject({ state: 'done', counts: { effective: 1 } });
  });

  it('is not trusted', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const text = JSON.stringify(plan);

    await expect(parse('{')).rejects.toThrow(code('unreadable-file'));
    await expect(parse('[]')).rejects.toThrow(code('unreadable-file'));
    await expect(parse(text.replace('plan/1', 'plan/9'))).rejects.toThrow(code('unreadable-file'));
    await expect(parse(text.replace('"sections":[{', '"sections":[{"__proto__":{"x":1},'))).rejects.toThrow(
      code('unreadable-file'),
    );
    await expect(parse(text.replace('"state":"changes"', '"state":"fine"'))).rejects.toThrow(
      code('unreadable-file'),
    );
    await expect(parse(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)).rejects.toThrow(
      code('input-too-large'),
    );
  });

  // Would catch: values, or what is wrong with each of them, that exist before anybody counts them; millions in `from`.
  it.each([
    ['numbers', (size: number) => `[${'1,'.repeat(size / 2)}1]`],
    ['lists of lists', (size: number) => `[${'[1,1,1,1],'.repeat(size / 10)}[1]]`],
    [
      'devices without anything',
      (size: number) => `{"fieldwright":"plan/1","devices":[${'{},'.repeat(size / 3)}{}]}`,
    ],
    [
      'objects in a value that nobody looks into',
      (size: number) =>
        `{"fieldwright":"plan/1","from":[${`[${'{},'.repeat(9_000)}{}],`.repeat(size / 27_000)}[]]}`,
    ],
  ])('60 MB of %s are refused without being built', async (_name, textOf) => {
    at = await openSite();
    const text = textOf(60_000_000);
    const before = process.memoryUsage().heapUsed;

    await expect(parse(text)).rejects.toThrow(code('input-too-large'));

    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
  });

  // Would catch: a bound that honest work reaches; a plan that stops everything else while it is read.
  it('is read with 5,000 devices, and other work goes on meanwhile', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const devices = Array.from({ length: 5000 }, (_, at) => ({
      ...plan.devices[0],
      deviceId: `d-${at}`,
      sections: Array.from({ length: 10 }, () => plan.devices[0]?.sections[0]),
    }));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);

    const read = await parsePlan(JSON.stringify({ ...plan, devices }));

    clearInterval(counting);
    expect(read.devices).toEqual(devices);
    expect(turns).toBeGreaterThan(20);
  });

  it('whose template or sections were edited is refused', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));

    expect(() =>
      at.engine.jobs.start({
        plan: {
          ...plan,
          template: { ...plan.template, text: plan.template.text.replace('distance: 3', 'distance: 9') },
        },
      }),
    ).toThrow(expect.objectContaining({ shape: expect.objectContaining({ code: 'plan-outdated' }) }));
    expect(() =>
      at.engine.jobs.start({
        plan: { ...plan, devices: plan.devices.map((device) => ({ ...device, sections: [] })) },
      }),
    ).toThrow(expect.objectContaining({ shape: expect.objectContaining({ code: 'plan-outdated' }) }));
    expect(at.engine.jobs.list()).toEqual([]);
  });

  // Would catch: exit 0 for a file that lost its devices on the way; a device that is written twice.
  it.each([
    ['without devices', []],
    ['with a device twice', [0, 0]],
  ])('%s is damaged', async (_what, order) => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));

    const text = JSON.stringify({ ...plan, devices: order.map((nth) => plan.devices[nth]) });

    await expect(parse(text)).rejects.toThrow(code('unreadable-file'));
  });

  it('whose changes were edited sends nothing', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const text = JSON.stringify(plan).replace('"to":3', '"to":4');

    const job = await applyPlan(
      at.engine,
      await at.engine.plans.importFile({ text }, AbortSignal.timeout(60_000)),
    );

    expect(job.results[0]).toMatchObject({ state: 'failed', error: { code: 'plan-outdated' } });
    expect(writes(at)).toEqual([]);
  });
});
