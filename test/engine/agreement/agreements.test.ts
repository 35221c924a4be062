/** Devices beside what was agreed for them: jobs agree, others change, people put right or accept. */
import { expect, it, onTestFinished } from 'vitest';
import type { DeviceAgreement } from '#shared/agreement.ts';
import type { Engine } from '#engine/index.ts';
import { startKeepingDevice, type OddDevice } from '../odd-device.ts';
import {
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openSite,
  reopenEngine,
  template,
  watchToEnd,
  type TestSite,
} from '../site-engine.ts';

const basic = (value: string): string =>
  template(`set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: ${value}`);

async function set(at: TestSite, text: string) {
  return applyPlan(at.engine, await makePlan(at, text));
}

/** Sets a value as another program does, which leaves no trace in the journal of the engine under test. */
async function setOutside(at: TestSite, device: number, text: string): Promise<void> {
  await asAnotherProgram(at, device, async (engine, id) => {
    await applyPlan(engine, await makePlan({ engine, ids: [id] }, text));
  });
}

async function look(engine: Engine, deviceIds: readonly string[]): Promise<readonly DeviceAgreement[]> {
  for await (const event of engine.agreements.look({ deviceIds }, never)) void event;
  return engine.agreements.status({ deviceIds });
}

const paths = ({ differences }: DeviceAgreement) => differences.map(({ path }) => path);

it('finds exactly what was changed from outside, says who agreed and since when, and asks nothing without a look', async () => {
  const at = await openSite({ devices: 3 });
  const job = await set(at, basic('{ distance: 4, alert: 37.4 }'));
  const proved = at.engine.agreements.status({ deviceIds: at.ids });
  await setOutside(at, 1, basic('{ distance: 9, alarm: 38.3 }'));
  const requests = at.ids.map((_id, nth) => at.site.device(nth).requests.length);

  const before = at.engine.agreements.status({ deviceIds: at.ids });
  const unasked = at.ids.map((_id, nth) => at.site.device(nth).requests.length);
  const after = await look(at.engine, at.ids);

  expect(proved.map(({ state }) => state)).toEqual(['as-agreed', 'as-agreed', 'as-agreed']);
  expect(before).toEqual(proved);
  expect(unasked).toEqual(requests);
  expect(after.map(({ state }) => state)).toEqual(['as-agreed', 'drifted', 'as-agreed']);
  expect(after[1]?.differences).toMatchObject([
    {
      set: 'thermal.thermometryBasic',
      params: { channelID: 1 },
      path: 'distance',
      agreed: 4,
      shown: 9,
      agreedBy: { jobId: job.id, user: 'installer' },
    },
  ]);
  expect(after[1]?.differences[0]?.changedBy).toBeUndefined();
});

it('a device that is away is unknown and keeps what was last seen; one without a job has nothing agreed', async () => {
  const at = await openSite({ devices: 2 });
  await applyPlan(
    at.engine,
    await makePlan({ engine: at.engine, ids: at.ids.slice(0, 1) }, basic('{ distance: 4 }')),
  );
  await setOutside(at, 0, basic('{ distance: 9 }'));
  await look(at.engine, at.ids);
  await at.site.close();

  const [away, never] = await look(at.engine, at.ids);

  expect(away).toMatchObject({ state: 'unknown', error: { code: 'connection-refused' } });
  expect(away && paths(away)).toEqual(['distance']);
  expect(never).toMatchObject({ state: 'nothing-agreed', differences: [] });
});

it('a newer job replaces what was agreed, its undo brings back what was agreed before, and an undo of all leaves nothing', async () => {
  const at = await openSite();
  const { engine, ids } = at;
  const first = await set(at, basic('{ distance: 4, alert: 37.4 }'));
  const second = await set(at, basic('{ distance: 6 }'));
  await watchToEnd(engine, engine.jobs.undo({ id: second.id }).jobId);

  const undone = await look(engine, ids);
  await setOutside(at, 0, basic('{ distance: 6 }'));
  const drifted = await look(engine, ids);
  await setOutside(at, 0, basic('{ distance: 4 }'));
  await watchToEnd(engine, engine.jobs.undo({ id: first.id }).jobId);
  const nothing = engine.agreements.status({ deviceIds: ids });

  expect(undone[0]).toMatchObject({ state: 'as-agreed', differences: [] });
  expect(drifted[0]?.differences).toMatchObject([
    { path: 'distance', agreed: 4, shown: 6, agreedBy: { jobId: first.id } },
  ]);
  expect(nothing[0]).toMatchObject({ state: 'nothing-agreed' });
});

it('one setting that was undone is agreed no more, the others of its section are', async () => {
  const at = await openSite();
  const { engine, ids } = at;
  const job = await set(at, basic('{ distance: 4, alert: 37.4 }'));
  await watchToEnd(
    engine,
    engine.jobs.undo({ id: job.id, deviceIds: ids, only: { index: 0, path: 'distance' } }).jobId,
  );
  await setOutside(at, 0, basic('{ distance: 9, alert: 37.2 }'));

  const [device] = await look(engine, ids);

  expect(device && paths(device)).toEqual(['alert']);
});

it('an accepted value is the agreement, also for a later process, and its reason is kept', async () => {
  const at = await openSite();
  await set(at, basic('{ distance: 4, alert: 37.4 }'));
  await setOutside(at, 0, basic('{ distance: 9, alert: 37.2 }'));
  await look(at.engine, at.ids);

  const accepted = at.engine.agreements.accept({
    deviceIds: at.ids,
    settings: [{ path: 'distance' }],
    reason: 'the owner wants it',
  });
  const engine = await reopenEngine(at);
  const left = await look(engine, at.ids);
  await setOutside(at, 0, basic('{ distance: 4 }'));
  const again = await look(engine, at.ids);

  expect(accepted).toEqual({ accepted: 1 });
  expect(left[0] && paths(left[0])).toEqual(['alert']);
  expect(again[0]?.differences).toMatchObject([
    { path: 'distance', agreed: 9, shown: 4, agreedBy: { reason: 'the owner wants it' } },
    { path: 'alert' },
  ]);
  expect(() =>
    engine.agreements.accept({ deviceIds: at.ids, settings: [{ set: 'system.time' }], reason: 'x' }),
  ).toThrow(expect.objectContaining({ shape: expect.objectContaining({ code: 'not-found' }) }));
});

it('puts right devices that differ alike with one template, and only what differs', async () => {
  const at = await openSite({ devices: 3 });
  await set(at, basic('{ distance: 4, alert: 37.4 }'));
  for (const device of [0, 2]) await setOutside(at, device, basic('{ distance: 9, alarm: 38.3 }'));
  await look(at.engine, at.ids);

  const groups = at.engine.agreements.putRight({ name: 'Put right', deviceIds: at.ids });
  const [group] = groups;
  const plan = await makePlan({ engine: at.engine, ids: group?.deviceIds ?? [] }, group?.templateText ?? '');
  await applyPlan(at.engine, plan);

  expect(groups).toHaveLength(1);
  expect(group?.deviceIds).toEqual([at.ids[0], at.ids[2]]);
  expect(
    plan.devices.flatMap(({ sections }) =>
      sections.flatMap(({ changes }) => changes.map(({ path }) => path)),
    ),
  ).toEqual(['distance', 'distance']);
  expect(at.engine.agreements.status({ deviceIds: at.ids }).map(({ state }) => state)).toEqual([
    'as-agreed',
    'as-agreed',
    'as-agreed',
  ]);
});

const PATH = '/Event/schedules/thermometry/thermometry-1';
const week = (...days: readonly (readonly [day: number, begin: string, end: string])[]): string =>
  `<?xml version="1.0"?><Schedule xmlns="urn:odd"><id>thermometry-1</id><TimeBlockList size="8">${days
    .map(
      ([day, begin, end]) =>
        `<TimeBlock><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>${begin}</beginTime><endTime>${end}</endTime></TimeRange></TimeBlock>`,
    )
    .join('')}</TimeBlockList></Schedule>`;

it('only the days that a job set are agreed; another spelling and another order of them are no drift', async () => {
  const at = await openSite();
  const documents = new Map<string, string | Buffer>([
    [PATH, week([1, '08:00:00', '18:00:00'], [2, '08:00:00', '18:00:00'])],
  ]);
  const device: OddDevice = await startKeepingDevice(documents);
  onTestFinished(() => device.close());
  const ids = [at.engine.devices.addTransient({ url: device.url, name: 'odd' }).id];
  const text = template(`set: events.thermometrySchedule
params: { channelID: 1 }
change:
  TimeBlockList:
    keep: others
    items: [{ dayOfWeek: 2, TimeRange: { beginTime: "06:00:00", endTime: "23:00:00" } }]`);
  await applyPlan(at.engine, await makePlan({ engine: at.engine, ids }, text));

  documents.set(PATH, week([2, '6:00', '23:00:00'], [1, '09:00:00', '10:00:00']));
  const [same] = await look(at.engine, ids);
  documents.set(PATH, week([2, '06:30:00', '23:00:00'], [1, '09:00:00', '10:00:00']));
  const [other] = await look(at.engine, ids);
  documents.set(PATH, '<?xml version="1.0"?><Schedule xmlns="urn:odd"><id>thermometry-1</id></Schedule>');
  const [unseen] = await look(at.engine, ids);

  expect(same).toMatchObject({ state: 'as-agreed', differences: [] });
  expect(other?.differences).toMatchObject([{ path: 'TimeBlockList' }]);
  expect(unseen).toMatchObject({ state: 'unknown', differences: [] });
});

it('putting a day right leaves the other days as they are, and agrees to no more than before (the whole week agreed by its repair)', async () => {
  const at = await openSite();
  const { engine, ids } = at;
  const tuesday = (begin: string, day = 2) =>
    template(`set: events.thermometrySchedule
params: { channelID: 1 }
change:
  TimeBlockList:
    keep: others
    items: [{ dayOfWeek: ${day}, TimeRange: { beginTime: "${begin}", endTime: "23:00:00" } }]`);
  await set(at, tuesday('06:00:00'));
  await setOutside(at, 0, tuesday('07:00:00'));
  await setOutside(at, 0, tuesday('05:00:00', 3));
  await look(engine, ids);
  const [group] = engine.agreements.putRight({ name: 'Put right', deviceIds: ids });
  const plan = await makePlan(at, group?.templateText ?? '');
  await applyPlan(engine, plan);
  await setOutside(at, 0, tuesday('04:00:00', 4));

  const [device] = await look(engine, ids);

  expect(plan.devices[0]?.sections[0]?.changes.map(({ to }) => to)).toEqual(['06:00:00']);
  expect(device).toMatchObject({ state: 'as-agreed', differences: [] });
});

it('what a person set by a call is agreed too, and a call that sets nothing leaves nothing agreed', async () => {
  const at = await openSite();
  const { engine, ids } = at;
  const [deviceId = ''] = ids;
  await engine.operations.call(
    { operation: 'thermal.thermometryMode.get', deviceId, params: { channelID: 1 } },
    never,
  );
  const before = engine.agreements.status({ deviceIds: ids });
  await engine.operations.call(
    {
      operation: 'thermal.thermometryMode.put',
      deviceId,
      params: { channelID: 1 },
      body: { mode: 'expert', thermometryROIEnabled: false },
    },
    never,
  );
  const called = engine.agreements.status({ deviceIds: ids });
  await setOutside(
    at,
    0,
    template('set: thermal.thermometryMode\nparams: { channelID: 1 }\nvalue: { mode: normal }'),
  );

  const [device] = await look(engine, ids);

  expect([before[0]?.state, called[0]?.state]).toEqual(['nothing-agreed', 'as-agreed']);
  expect(device?.differences).toMatchObject([{ path: 'mode', agreed: 'expert', shown: 'normal' }]);
});
