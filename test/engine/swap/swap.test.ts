/** A saved state onto another device: everything onto the same model, and on another one nothing lost in silence. */
import { describe, expect, it } from 'vitest';
import type { SwapReport } from '#shared/history.ts';
import type { Plan } from '#shared/model.ts';
import {
  applyPlan,
  makePlan,
  never,
  openEngine,
  openSite,
  template,
  watchToEnd,
  type TestSite,
} from '../site-engine.ts';

let at: TestSite;

async function save(deviceId: string, name = 'Before'): Promise<string> {
  for await (const event of at.engine.states.save({ deviceId, name }, never))
    if (event.type === 'state') return event.state.id;
  throw new Error('no state came');
}

async function swap(
  stateId: string,
  deviceId: string,
): Promise<{ readonly plan: Plan; readonly report: SwapReport }> {
  let plan: Plan | undefined;
  let report: SwapReport | undefined;
  for await (const event of at.engine.states.swap({ stateId, deviceId }, never)) {
    if (event.type === 'plan') plan = event.plan;
    if (event.type === 'swap') report = event.report;
  }
  if (plan === undefined || report === undefined) throw new Error('no report came');
  return { plan, report };
}

const CHANGED =
  'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 20, distanceUnit: feet, temperatureUnit: degreeFahrenheit, alarm: 100.4, rulesOverlayMode: alarm }';
const EXPERT =
  'set: thermal.thermometryMode\nparams: { channelID: 1 }\nvalue: { mode: expert, thermometryROIEnabled: true }';

describe('onto the identical model', () => {
  it('everything is kept; applied, a second swap has nothing to do, and an undo takes it all back', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal'] });
    const [from = '', to = ''] = at.ids;
    await applyPlan(at.engine, await makePlan({ ...at, ids: [from] }, template(CHANGED, EXPERT)));
    const stateId = await save(from);
    expect(at.engine.states.list()).toMatchObject([
      { id: stateId, name: 'Before', deviceId: from, by: 'installer', kinds: ['thermal'] },
    ]);
    const before = at.site.device(1).requests.length;

    const { plan, report } = await swap(stateId, to);
    expect(
      at.site
        .device(1)
        .requests.slice(before)
        .every(({ method }) => method === 'GET'),
    ).toBe(true);
    expect(report.converted).toEqual([]);
    expect(report.lost.filter(({ reason }) => reason?.includes('ecret') !== true)).toEqual([]);
    expect(report.kept.length).toBe(at.engine.states.list()[0]?.sections);

    const job = await applyPlan(at.engine, plan);
    expect(job.state).toBe('done');
    expect((await swap(stateId, to)).plan.counts).toMatchObject({ unchanged: 1, changes: 0 });
    expect(await makePlan({ ...at, ids: [to] }, template(CHANGED, EXPERT))).toMatchObject({
      counts: { unchanged: 1 },
    });

    const { jobId } = at.engine.jobs.undo({ id: job.id });
    expect((await watchToEnd(at.engine, jobId)).at(-1)).toMatchObject({
      type: 'end',
      job: { state: 'done' },
    });
    expect(await makePlan({ ...at, ids: [to] }, template(CHANGED, EXPERT))).toMatchObject({
      counts: { changes: 1 },
    });
  });
});

describe('onto another model of the kind', () => {
  it('units are converted, what it does not offer is lost with a reason, and the rest applies', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal'], models: ['standard', 'compact'] });
    const [from = '', to = ''] = at.ids;
    await applyPlan(at.engine, await makePlan({ ...at, ids: [from] }, template(CHANGED, EXPERT)));
    const { plan, report } = await swap(await save(from), to);

    const converted = Object.fromEntries(report.converted.map(({ path, ...item }) => [path, item]));
    expect(converted).toMatchObject({
      distance: { from: 20, to: 6, reason: expect.stringContaining('feet') as string },
      alarm: { from: 100.4, to: 38 },
      toleranceTemperature: { from: 1, to: 1 },
      enviroTemperature: {},
      reflectiveTemperature: {},
      alert: {},
      'TemperatureColor.highTemperature': {},
      'TemperatureColor.lowTemperature': {},
    });
    const lost = report.lost.map(({ set, params, path }) => [set, params['channelID'], path]);
    expect(lost).toContainEqual(['thermal.thermometryBasic', 1, 'distanceUnit']);
    expect(lost).toContainEqual(['thermal.thermometryBasic', 1, 'rulesOverlayMode']);
    expect(lost).toContainEqual(['thermal.thermometryMode', 1, 'mode']);
    // The second channel is not there at all.
    expect(lost).toContainEqual(['thermal.thermometryBasic', 2, undefined]);
    expect(report.lost.every(({ reason }) => reason !== undefined && reason.length > 0)).toBe(true);

    expect(await applyPlan(at.engine, plan)).toMatchObject({ state: 'done' });
    expect((await swap(at.engine.states.list()[0]?.id ?? '', to)).plan.counts).toMatchObject({
      unchanged: 1,
    });
  });

  it('a number outside its limits moves to the nearest one', async () => {
    at = await openSite({ devices: 2, kinds: ['recorder'], models: ['standard', 'compact'] });
    const [from = '', to = ''] = at.ids;
    await applyPlan(
      at.engine,
      await makePlan(
        { ...at, ids: [from] },
        template(
          'set: passback.basic\nvalue: { maxTotalConcurrenceNum: 380, maxDvrConcurrenceNum: 6 }',
          // Looks like a variable, and is none.
          "set: events.hdBadBlockTrigger\nvalue: { eventDescription: 'for $${disk}' }",
        ),
      ),
    );
    // The name is longer than a template's may be, with an invisible character.
    const { plan, report } = await swap(await save(from, ` Re\u200bcorder ${'1'.repeat(300)}`), to);
    expect(at.engine.states.list()[0]?.name).toBe(`Re\u200bcorder ${'1'.repeat(190)}`);
    expect(plan.template.name).toBe(`Re corder ${'1'.repeat(190)}`.slice(0, 200));
    const [device] = plan.devices;
    expect(new Set(plan.template.text.match(/#.*/g))).toEqual(
      new Set([
        `# What ${device?.url} can take of the state saved from ${at.site.devices[0]?.url}.`,
        ...(device?.sections ?? []).map(({ label }) => `# ${label}`),
      ]),
    );
    expect(device?.sections.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ path: 'eventDescription', to: 'for ${disk}' }),
    );
    expect(report.converted).toMatchObject([
      {
        set: 'passback.basic',
        path: 'maxTotalConcurrenceNum',
        from: 380,
        to: 250,
        reason: expect.stringContaining('250') as string,
      },
    ]);
    expect(report.kept).toContainEqual(
      expect.objectContaining({ set: 'passback.basic', path: 'maxDvrConcurrenceNum', to: 6 }),
    );
    expect(await applyPlan(at.engine, plan)).toMatchObject({ state: 'done' });
  });
});

it('a state of another kind has nothing to give: all of it is lost, and there is no plan', async () => {
  at = await openSite({ devices: 2, kinds: ['thermal', 'counter'] });
  const [from = '', to = ''] = at.ids;
  const stateId = await save(from);
  const events = [];
  for await (const event of at.engine.states.swap({ stateId, deviceId: to }, never)) events.push(event);
  expect(events.filter(({ type }) => type === 'plan').length).toBeLessThanOrEqual(1);
  const last = events.at(-1);
  expect(last).toMatchObject({
    type: 'swap',
    report: {
      lost: expect.arrayContaining([
        expect.objectContaining({
          set: 'thermal.thermometryBasic',
          error: expect.objectContaining({ code: 'not-supported' }) as object,
        }),
      ]) as object,
    },
  });

  // Would catch: a device that is read to the end for a caller who has disconnected.
  const left = new AbortController();
  left.abort();
  const requests = at.site.device(1).requests.length;
  const swapping = at.engine.states.swap({ stateId, deviceId: to }, left.signal)[Symbol.asyncIterator]();
  await expect(swapping.next()).rejects.toMatchObject({ code: 'cancelled' });
  expect(at.site.device(1).requests).toHaveLength(requests);
});

it('states last over a restart, hold no secret, and are forgotten on request', async () => {
  at = await openSite({ kinds: ['thermal'] });
  const stateId = await save(at.ids[0] ?? '', '  ');
  expect(at.engine.states.list()[0]?.name).toBe(at.site.devices[0]?.name);
  await at.engine.close();
  const again = await openEngine(at.dataDir);
  expect(again.states.list()).toMatchObject([{ id: stateId }]);
  expect(again.states.show(stateId.slice(0, 6)).text).toContain('fieldwright: template/1');
  expect(again.states.show(stateId).text).not.toContain(at.site.devices[0]?.password ?? 'none');
  expect(again.states.remove({ id: stateId }).removed).toBe(true);
  expect(again.states.remove({ id: stateId }).removed).toBe(false);
  expect(() => again.states.show(stateId)).toThrow(expect.objectContaining({ code: 'not-found' }) as Error);
  await again.close();
});
