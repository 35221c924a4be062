/** Retry: a new plan for those that did not get through, with the values they had. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '#shared/model.ts';
import { getCurrentCounts } from '#shared/outcomes.ts';
import {
  BASIC,
  MODE,
  applyPlan,
  makePlan,
  never,
  openSite,
  template,
  writes,
  type TestSite,
} from '../site-engine.ts';

let at: TestSite;

async function retry(
  jobId: string,
  extra: { readonly deviceIds?: readonly string[]; readonly secrets?: Record<string, string> } = {},
): Promise<Plan> {
  for await (const event of at.engine.plans.retry({ jobId, ...extra }, never))
    if (event.type === 'plan') return event.plan;
  throw new Error('no plan came');
}

const WITH_VALUE =
  'fieldwright: template/1\nname: Distance\nvariables:\n  meters: { type: integer }\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: "${meters}" }\n';

describe('a retry', () => {
  it('plans failed, refused and ignored devices with their own values, and nothing else', async () => {
    at = await openSite({ devices: 4 });
    const [a = '', b = '', c = '', d = ''] = at.ids;
    const plan = await makePlan(at, WITH_VALUE, {
      valuesByDevice: { [a]: { meters: 1 }, [b]: { meters: 2 }, [c]: { meters: 3 }, [d]: { meters: 4 } },
    });
    at.site.device(1).setFault('ignored');
    at.site.device(2).setFault('busy', 1, { method: 'PUT' });
    at.site.device(3).setFault('unauthorized', 1, { method: 'PUT' });
    const job = await applyPlan(at.engine, plan);
    for (const index of [1, 2, 3]) at.site.device(index).clearFaults();
    // Lifts what the refused sign-in left behind.
    await at.engine.devices.test({ ids: [d] }, never);

    const again = await retry(job.id);
    expect(again.devices.map(({ deviceId, values }) => [deviceId, values['meters']])).toEqual([
      [b, 2],
      [c, 3],
      [d, 4],
    ]);
    expect(again.counts).toMatchObject({ changes: 3 });
    expect(at.engine.plans.get(again.id)).toEqual(again);

    const done = await applyPlan(at.engine, again);
    expect(done).toMatchObject({ kind: 'apply', state: 'done', counts: { effective: 3 } });
    expect(writes(at, 0)).toHaveLength(1);
    expect(() => at.engine.plans.retryPreview({ jobId: done.id })).toThrow(
      expect.objectContaining({ code: 'not-allowed' }) as Error,
    );
  });

  it('leaves to the old job only what no later job has finished (a job that needs somebody for ever)', async () => {
    at = await openSite({ devices: 3 });
    for (const index of [0, 1]) at.site.device(index).setFault('ignored');
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const before = at.engine.jobs.show({ id: job.id });
    at.site.device(0).clearFaults();

    const again = await applyPlan(at.engine, await retry(job.id));
    const after = at.engine.jobs.show({ id: job.id });
    const left = at.engine.plans.retryPreview({ jobId: job.id }).devices.map(({ deviceId }) => deviceId);
    // The page of a job watches it.
    const watched: unknown[] = [];
    for await (const event of at.engine.jobs.watch({ id: job.id }, never))
      if ('job' in event) watched.push(event.job.finishedLater);

    expect(watched).toEqual([1, 1]);
    expect(before.finishedLater).toBeUndefined();
    expect(again).toMatchObject({ deviceCounts: { done: 1, attention: 1 } });
    expect([
      getCurrentCounts(before).attention,
      getCurrentCounts(after).attention,
      after.finishedLater,
    ]).toEqual([2, 1, 1]);
    expect(at.engine.jobs.list().find(({ id }) => id === job.id)?.finishedLater).toBe(1);
    expect(left).toEqual([at.ids[1]]);

    const { jobId } = at.engine.jobs.undo({ id: again.id });
    for await (const _event of at.engine.jobs.watch({ id: jobId }, never));
    expect(at.engine.jobs.show({ id: job.id }).finishedLater).toBeUndefined();
  });

  it.each([
    ['with other values', { meters: 7 }, undefined],
    ['with the same values', { meters: 3 }, 1],
  ] as const)(
    'a later job of the same template %s (the rest is forgotten although nothing wrote it)',
    async (_what, values, finished) => {
      at = await openSite({ devices: 1 });
      at.site.device(0).setFault('ignored');
      const job = await applyPlan(at.engine, await makePlan(at, WITH_VALUE, { values: { meters: 3 } }));
      at.site.device(0).clearFaults();

      const later = await applyPlan(at.engine, await makePlan(at, WITH_VALUE, { values }));

      expect(later).toMatchObject({ state: 'done' });
      expect(at.engine.jobs.show({ id: job.id }).finishedLater).toBe(finished);
    },
  );

  it('a later job that wrote only one of two settings has not finished the other (it counts as done)', async () => {
    at = await openSite({ devices: 1 });
    at.site.device(0).setFault('ignored');
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC, MODE)));
    at.site.device(0).clearFaults();

    await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const half = at.engine.jobs.show({ id: job.id }).finishedLater;
    await applyPlan(at.engine, await makePlan(at, template(MODE)));
    const whole = at.engine.jobs.show({ id: job.id }).finishedLater;

    expect([half, whole]).toEqual([undefined, 1]);
  });

  it('a later job that left a setting out has not finished it (it counts as done)', async () => {
    at = await openSite({ devices: 1 });
    const text = template(MODE.replace('expert', 'AI'), BASIC);
    const job = await applyPlan(at.engine, await makePlan(at, text));

    const later = await applyPlan(at.engine, await makePlan(at, text), { leaveOutBlocked: true });

    expect([job.counts.blocked, later.state, later.counts.skipped]).toEqual([1, 'done', 1]);
    expect(at.engine.jobs.show({ id: job.id }).finishedLater).toBeUndefined();
  });

  it('a device that could not be planned is finished by the same values alone (its rest has no units)', async () => {
    at = await openSite({ devices: 2 });
    at.site.device(1).setFault('malformed', 1, { method: 'GET' });
    const job = await applyPlan(at.engine, await makePlan(at, WITH_VALUE, { values: { meters: 3 } }));
    at.site.device(1).clearFaults();
    const finished = [];

    for (const meters of [4, 3]) {
      await applyPlan(at.engine, await makePlan(at, WITH_VALUE, { values: { meters } }));
      finished.push(at.engine.jobs.show({ id: job.id }).finishedLater);
    }

    expect([job.results[1]?.units, finished]).toEqual([[], [undefined, 1]]);
  });

  it('redoes what the device ignored, which resuming does not', async () => {
    at = await openSite();
    at.site.device(0).setFault('ignored', 1, { times: 1 });
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC, MODE)));
    expect(job.counts).toEqual({ ignored: 1, effective: 1 });
    expect(at.engine.jobs.resume({ id: job.id }).resumed).toBe(false);

    const again = await retry(job.id);
    expect(again.devices[0]?.sections.map(({ state }) => state)).toEqual(['changes', 'unchanged']);
    expect(await applyPlan(at.engine, again)).toMatchObject({ state: 'done' });
  });

  it('of a device that is no longer in the list tells so and does not hold up the others', async () => {
    at = await openSite({ devices: 2 });
    const ids = at.site.devices.map(({ url, user: userName, password }) => {
      const { id } = at.engine.devices.add({ address: url.replace('127.0.0.1', 'localhost') });
      at.engine.credentials.save({ label: id, userName, password, deviceIds: [id] });
      return id;
    });
    for (const index of [0, 1]) at.site.device(index).setFault('ignored', 1, { times: 1 });
    const job = await applyPlan(at.engine, await makePlan({ engine: at.engine, ids }, template(BASIC)));
    at.engine.devices.remove({ ids: ids.slice(0, 1) });

    expect(at.engine.plans.retryPreview({ jobId: job.id }).devices).toMatchObject([
      { known: false, transient: false },
      { known: true },
    ]);
    const again = await retry(job.id);
    expect(again.devices).toMatchObject([
      { deviceId: ids[1], state: 'changes' },
      { deviceId: ids[0], state: 'failed', error: { code: 'unknown-device' } },
    ]);
    expect(await applyPlan(at.engine, again)).toMatchObject({ state: 'failed', counts: { effective: 1 } });
    await expect(retry(job.id, { deviceIds: ids.slice(0, 1) })).rejects.toThrow(
      expect.objectContaining({ code: 'unknown-device' }) as Error,
    );
  });

  it('is refused for an undo and for a job that nobody knows', async () => {
    at = await openSite();
    const job = await applyPlan(at.engine, await makePlan(at, template(BASIC)));
    const { jobId } = at.engine.jobs.undo({ id: job.id });
    for await (const _event of at.engine.jobs.watch({ id: jobId }, never));
    expect(() => at.engine.plans.retryPreview({ jobId })).toThrow(
      expect.objectContaining({ code: 'not-allowed' }) as Error,
    );
    expect(() => at.engine.plans.retryPreview({ jobId: 'j-nothing' })).toThrow(
      expect.objectContaining({ code: 'not-found' }) as Error,
    );
  });
});

describe('a plan file', () => {
  it('goes out and comes back under an id of its own, kept to be started', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC).replace('name: Test', 'name: "Lobby / Türen"'));
    const { text, fileName } = at.engine.plans.exportFile({ planId: plan.id });
    expect(fileName).toMatch(/^plan-lobby-tu.*ren-\d{4}-\d{2}-\d{2}\.json$/);
    const back = await at.engine.plans.importFile({ text }, AbortSignal.timeout(60_000));
    expect(at.engine.plans.get(back.id)).toEqual(back);
    expect(await applyPlan(at.engine, back)).toMatchObject({ state: 'done' });
    expect(() => at.engine.plans.exportFile({ planId: 'p-gone' })).toThrow(
      expect.objectContaining({ code: 'plan-outdated' }) as Error,
    );
  });

  it('of another computer finds its devices by address, and says which it does not know', async () => {
    at = await openSite({ devices: 2 });
    const plan = await makePlan(at, template(BASIC));
    const text = JSON.stringify(plan)
      .replaceAll(at.ids[0] ?? '', 'elsewhere')
      .replaceAll(plan.devices[1]?.url ?? '', 'http://192.0.2.1:80');
    const read = await at.engine.plans.importFile({ text }, AbortSignal.timeout(60_000));
    expect(read.devices).toMatchObject([
      { deviceId: at.ids[0], state: 'changes' },
      { state: 'failed', sections: [], error: { code: 'unknown-device' } },
    ]);
    expect(read.counts).toMatchObject({ changes: 1, failed: 1 });
    const job = await applyPlan(at.engine, read);
    expect(job).toMatchObject({ state: 'failed', counts: { effective: 1 } });
    expect(writes(at, 1)).toEqual([]);
  });

  it('whose devices are all unknown is refused with their addresses', async () => {
    at = await openSite();
    const plan = await makePlan(at, template(BASIC));
    const text = JSON.stringify(plan).replaceAll(plan.devices[0]?.url ?? '', 'http://192.0.2.1:80');
    await expect(at.engine.plans.importFile({ text }, AbortSignal.timeout(60_000))).rejects.toThrow(
      expect.objectContaining({
        code: 'unknown-device',
        message: expect.stringContaining('192.0.2.1') as string,
      }) as Error,
    );
    expect(
      (await at.engine.plans.importFile({ text, foreignDevices: true }, AbortSignal.timeout(60_000))).devices,
    ).toMatchObject([{ state: 'changes' }]);
  });
});
