/** The black box of a device: documents as they were, changes by jobs and from outside, bounds, no secrets. */
import { expect, it, onTestFinished } from 'vitest';
import { noteDocuments, pruneVersions, readDocumentsAt } from '#engine/snapshots/document-versions.ts';
import { openStore } from '#engine/store/index.ts';
import { startKeepingDevice } from '../odd-device.ts';
import {
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openSite,
  template,
  type TestSite,
} from '../site-engine.ts';

const basic = (value: string): string =>
  template(`set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: ${value}`);

async function setOutside(at: TestSite, text: string): Promise<void> {
  await asAnotherProgram(at, 0, async (engine, id) => {
    await applyPlan(engine, await makePlan({ engine, ids: [id] }, text));
  });
}

const find = (documents: readonly { readonly operation: string; readonly text: string }[]) =>
  documents.find(({ operation }) => operation === 'thermal.thermometryBasic.get')?.text ?? '';

it('shows a device as it was at each time, names jobs for what they wrote and nobody for the rest, each change once', async () => {
  const at = await openSite();
  const { engine, ids } = at;
  const deviceId = ids[0] ?? '';
  const first = await engine.snapshots.take({ deviceId }, never);
  const job = await applyPlan(engine, await makePlan(at, basic('{ distance: 4 }')));
  const written = find(engine.snapshots.show({ deviceId }));
  await setOutside(at, basic('{ alarm: 38.3 }'));
  const second = await engine.snapshots.take({ deviceId }, never);
  await setOutside(at, basic('{ distance: 9 }'));
  for await (const event of engine.agreements.look({ deviceIds: ids }, never)) void event;

  const timeline = engine.snapshots.timeline({ deviceId });
  const before = engine.snapshots.show({ deviceId, at: first.at });
  const between = engine.snapshots.show({ deviceId, at: second.at });
  const now = engine.snapshots.show({ deviceId });

  expect(first.documents).toBeGreaterThan(20);
  expect(second.changed).toBeLessThan(first.documents / 2);
  expect(timeline.filter(({ set }) => set === 'thermal.thermometryBasic')).toMatchObject([
    { path: 'distance', changes: [{ from: 4, to: 9 }] },
    { path: 'alarm', changes: [{ to: 38.3 }] },
    { path: 'distance', changes: [{ to: 4 }], job: { id: job.id, user: 'installer' } },
  ]);
  expect(timeline[0]?.job).toBeUndefined();
  expect(written).toContain('<distance>4</distance>');
  expect(find(between)).toContain('<distance>4</distance>');
  expect(find(now)).toContain('<distance>9</distance>');
  expect(find(before)).not.toContain('<distance>4</distance>');
  expect(() => engine.snapshots.show({ deviceId, at: '2001-01-01T00:00:00.000Z' })).toThrow(
    expect.objectContaining({ shape: expect.objectContaining({ code: 'not-found' }) }),
  );
});

it('leads back to a time by a plan with exactly what differs since, by jobs and from outside, and agrees to no more', async () => {
  const at = await openSite();
  const { engine, ids } = at;
  const deviceId = ids[0] ?? '';
  const { at: tuesday } = await engine.snapshots.take({ deviceId }, never);
  await applyPlan(engine, await makePlan(at, basic('{ distance: 4 }')));
  await setOutside(at, basic('{ alarm: 38.3 }'));
  const outdated = engine.snapshots.compare({ deviceId, from: tuesday });

  const { templateText = '', left } = await engine.snapshots.restore(
    { deviceId, at: tuesday, name: 'As it was' },
    never,
  );
  const differing = engine.snapshots.compare({ deviceId, from: tuesday });
  const plan = await makePlan(at, templateText);
  await applyPlan(engine, plan);
  const again = await engine.snapshots.restore({ deviceId, at: tuesday, name: 'As it was' }, never);

  expect(outdated.map(({ path }) => path)).toEqual(['distance']);
  expect(differing.map(({ set, path }) => `${set} ${path}`).sort()).toEqual([
    'thermal.thermometryBasic alarm',
    'thermal.thermometryBasic distance',
  ]);
  expect(left).toBe(0);
  expect(plan.devices[0]?.sections).toMatchObject([{ set: 'thermal.thermometryBasic', state: 'changes' }]);
  expect(plan.devices[0]?.sections[0]?.changes.map(({ path }) => path).sort()).toEqual(['alarm', 'distance']);
  expect(again).toEqual({ left: 0 });
  await expect(
    engine.snapshots.restore({ deviceId, at: '2001-01-01T00:00:00.000Z', name: 'x' }, never),
  ).rejects.toMatchObject({ shape: { code: 'not-found' } });
});

it('keeps no secret that a device shows among its settings', async () => {
  const at = await openSite();
  const device = await startKeepingDevice(
    new Map<string, string | Buffer>([
      [
        '/Event/schedules/thermometry/thermometry-1',
        '<?xml version="1.0"?><Schedule xmlns="urn:odd"><id>thermometry-1</id><password>hunter-2-hunter</password><TimeBlockList size="8"/></Schedule>',
      ],
    ]),
  );
  onTestFinished(() => device.close());
  const deviceId = at.engine.devices.addTransient({ url: device.url, name: 'odd' }).id;

  await at.engine.snapshots.take({ deviceId }, never);
  const texts = at.engine.snapshots.show({ deviceId }).map(({ text }) => text);

  expect(texts.join('\n')).toContain('<id>thermometry-1</id>');
  expect(texts.join('\n')).not.toContain('hunter');
});

const day = (nth: number): string => new Date(Date.UTC(2030, 0, nth)).toISOString();
const seen = (text: string) => [{ operation: 'x.get', params: {}, text }];

it('forgets what is too old or too much, the oldest first, and never the last version of a document', async () => {
  const store = openStore(':memory:', { clock: { now: () => new Date(), delay: () => Promise.resolve() } });
  for (let nth = 1; nth <= 30; nth += 1) noteDocuments(store, 'd1', day(nth), seen(`text ${nth}`));
  noteDocuments(store, 'd2', day(1), seen('once'));
  const textAt = (id: string, nth: number) => readDocumentsAt(store, id, day(nth))[0]?.text;

  pruneVersions(store, new Date(day(31)), { days: 10, bytes: 1e9 });
  const old = [textAt('d1', 15), textAt('d1', 25), textAt('d2', 30)];
  pruneVersions(store, new Date(day(31)), { days: 365, bytes: 1 });

  expect(old).toEqual([undefined, 'text 25', 'once']);
  expect([textAt('d1', 25), textAt('d1', 30), textAt('d2', 30)]).toEqual([undefined, 'text 30', 'once']);
  store.close();
});
