/** One device in the place of another: what is kept, converted and lost, people with fingerprints, the archive, and the way back. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '#protocol/index.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import type { Job } from '#shared/model.ts';
import type { ReplacementPlan } from '#shared/replacement.ts';
import {
  addDevices,
  applyPlan,
  makePlan,
  never,
  openEngine,
  openSite,
  template,
  waitForEnd,
  type TestSite,
} from '../site-engine.ts';

const EXPERT =
  'set: thermal.thermometryMode\nparams: { channelID: 1 }\nvalue: { mode: expert, thermometryROIEnabled: true }';
let at: TestSite;
/** Ids in the inventory. */
let ids: readonly string[];

async function open(options: Parameters<typeof openSite>[0]): Promise<void> {
  at = await openSite(options);
  const { engine, site } = at;
  const siteId = engine.sites.save({ name: 'Harbour' }).id;
  ids = site.devices.map(
    ({ url, name, user, password }, nth) =>
      engine.devices.add({
        address: url,
        name,
        ...(nth === 1 ? {} : { siteId, tags: ['doors'] }),
        signIn: { userName: user, password },
      }).id,
  );
  await engine.devices.test({ ids }, never);
}

async function plan(from = 0, to = 1): Promise<ReplacementPlan> {
  const request = { oldId: ids[from] ?? '', newId: ids[to] ?? '' };
  for await (const event of at.engine.replacements.plan(request, never))
    if (event.type === 'replacement') return event.plan;
  throw new Error('no plan came');
}

async function replace({ id }: ReplacementPlan): Promise<Job> {
  const { jobId } = await at.engine.replacements.begin({ planId: id }, never);
  return waitForEnd(at.engine, jobId);
}

function undo({ id }: Job): Promise<Job> {
  return waitForEnd(at.engine, at.engine.jobs.undo({ id }).jobId);
}

function numbers(device: number): readonly string[] {
  const { total, page } = at.site.device(device).part(PEOPLE).search(`list ${Math.random()}`, 0, {});
  return page(0, total).map(({ record }) => String(record['employeeNo']));
}

function addPeople(device: number, count: number, prefix = 'E'): void {
  for (let nth = 0; nth < count; nth += 1) {
    const employeeNo = `${prefix}${nth}`;
    at.site
      .device(device)
      .part(PEOPLE)
      .put(
        employeeNo,
        {
          employeeNo,
          name: `Underhill ${nth}`,
          userType: 'normal',
          Valid: { enable: false, beginTime: '2026-01-01T00:00:00', endTime: '2037-12-31T23:59:59' },
          doorRight: '1',
        },
        true,
      );
    if (nth % 4 === 0) at.site.device(device).part(FINGERPRINTS).present(employeeNo, 1, [1]);
  }
}

/** Reads every document of a device, by its place; those that are live differ from look to look. */
/** Documents that can be set. The others change while people walk through the gate. */
const SETTINGS = new Set(
  operations.filter(({ method }) => method === 'PUT').map(({ id }) => id.replace(/\.\w+$/, '.get')),
);

async function documents(device: number): Promise<ReadonlyMap<string, string>> {
  const deviceId = ids[device] ?? '';
  await at.engine.snapshots.take({ deviceId }, never);
  return new Map(
    at.engine.snapshots
      .show({ deviceId })
      .map(({ operation, params, text }) => [`${operation} ${JSON.stringify(params)}`, text]),
  );
}

describe('a gate by another model', () => {
  // Would catch: a replacement that forgets name, site or people, writes over people who are there already, or whose undo
  // leaves anything of it behind.
  it('gets name, site, tags, settings, people and fingerprints in one job, and one undo takes all of it back', async () => {
    await open({ devices: 2, kinds: ['gate'], models: ['standard', 'compact'] });
    const { engine } = at;
    addPeople(0, 40);
    const before = { documents: await documents(1), people: numbers(1), devices: engine.devices.list() };
    const still = [...before.documents].filter(([place]) => SETTINGS.has(place.split(' ', 1)[0] ?? ''));
    const had = at.site.device(1).requests.length;

    const planned = await plan();
    const written = at.site
      .device(1)
      .requests.slice(had)
      .filter(({ method }) => method === 'PUT');
    const job = await replace(planned);
    const after = { devices: engine.devices.list(), archived: engine.replacements.archived() };
    const people = numbers(1);
    const snapshots = engine.snapshots.list({ deviceId: ids[0] ?? '' });
    const undone = await undo(job);
    const shown = await documents(1);

    expect(written).toEqual([]);
    expect(planned).toMatchObject({
      fingerprints: 10,
      people: [{ name: before.devices[0]?.name, added: 40 }],
    });
    expect(job.results[0]?.units.map(({ outcome }) => outcome)).toEqual([
      'effective',
      'effective',
      'effective',
    ]);
    expect(after.devices).toMatchObject([
      { id: ids[1], name: before.devices[0]?.name, tags: ['doors'], siteId: before.devices[0]?.siteId },
    ]);
    expect(after.archived).toMatchObject([
      { device: { id: ids[0] }, replacedBy: { id: ids[1] }, jobId: job.id },
    ]);
    expect(new Set(people)).toEqual(new Set([...numbers(0), ...before.people]));
    expect(snapshots).toHaveLength(1);
    expect(undone.state).toBe('done');
    expect(still.map(([place]) => [place, shown.get(place)])).toEqual(still);
    expect(still.length).toBeGreaterThan(2);
    expect(new Set(numbers(1))).toEqual(new Set(before.people));
    expect(engine.replacements.archived()).toEqual([]);
    expect(engine.devices.list().map(({ id, name, tags, siteId }) => ({ id, name, tags, siteId }))).toEqual(
      expect.arrayContaining(
        before.devices.map(({ id, name, tags, siteId }) => ({ id, name, tags, siteId })),
      ),
    );
  });

  // Would catch: a dead gate whose people are nowhere to be found although its neighbour has them.
  it('that is dead gets its people from the other terminals of its site, each of them once', async () => {
    await open({ devices: 4, kinds: ['gate'] });
    addPeople(2, 6);
    addPeople(3, 9);
    await plan(0, 1);
    await at.site.device(0).unplug();
    await at.engine.devices.test({ ids: [ids[0] ?? ''] }, never);

    const { people, seenAt, kept } = await plan(0, 1);

    expect(people.map(({ deviceId, added }) => [deviceId, added])).toEqual([
      [ids[2], 6],
      [ids[3], 3],
    ]);
    expect(seenAt).toBeDefined();
    expect(kept.length).toBeGreaterThan(0);
  });
});

describe('the settings', () => {
  const CHANGED =
    'set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: 20, distanceUnit: feet, temperatureUnit: degreeFahrenheit, alarm: 100.4, rulesOverlayMode: alarm }';

  it('are converted for the other model; what it does not offer is lost with a reason', async () => {
    await open({ devices: 2, kinds: ['thermal'], models: ['standard', 'compact'] });
    await applyPlan(at.engine, await makePlan({ ...at, ids: ids.slice(0, 1) }, template(CHANGED, EXPERT)));

    const planned = await plan();
    const job = await replace(planned);

    const converted = Object.fromEntries(planned.converted.map(({ path, ...item }) => [path, item]));
    expect(converted).toMatchObject({ distance: { from: 20, to: 6 }, alarm: { from: 100.4, to: 38 } });
    const lost = planned.lost.map(({ set, params, path }) => [set, params['channelID'], path]);
    expect(lost).toContainEqual(['thermal.thermometryBasic', 1, 'rulesOverlayMode']);
    // The second channel is not there at all.
    expect(lost).toContainEqual(['thermal.thermometryBasic', 2, undefined]);
    expect(planned.lost.every(({ reason }) => reason !== undefined && reason.length > 0)).toBe(true);
    expect(job.state).toBe('done');
    expect(at.engine.agreements.status({ deviceIds: ids.slice(1) })).toMatchObject([{ state: 'as-agreed' }]);
  });

  // Would catch: a drifted value that is handed on as if someone had decided on it.
  it('are those that were agreed where the device showed others at last', async () => {
    await open({ devices: 2, kinds: ['thermal'] });
    const distance = (value: number): string =>
      template(`set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: ${value} }`);
    await applyPlan(at.engine, await makePlan({ ...at, ids: ids.slice(0, 1) }, distance(5)));
    const other = await openEngine(mkdtempSync(join(tmpdir(), 'fieldwright-outside-')));
    const outside = { engine: other, ids: addDevices(other, at.site).slice(0, 1) };
    await applyPlan(other, await makePlan(outside, distance(9)));

    await replace(await plan());

    const shown = await makePlan({ ...at, ids: ids.slice(1) }, distance(5));
    expect(shown.counts).toMatchObject({ unchanged: 1 });
  });
});

// Would catch: open work that is lost with its device, or sent to the new one unasked.
it('open work goes to the new device and waits for a yes, and comes back when that is undone', async () => {
  await open({ devices: 2, kinds: ['thermal'] });
  const { engine } = at;
  await at.site.device(0).unplug();
  const planned = await makePlan({ ...at, ids: ids.slice(0, 1) }, template(EXPERT));
  await applyPlan(engine, planned, { whenBack: {} });
  const before = engine.openWork.list();

  const found = await plan();
  const job = await replace(found);
  const after = engine.openWork.list();
  for await (const _event of engine.openWork.run({}, never));
  const asked = engine.openWork.list();
  await undo(job);

  expect(before).toMatchObject([{ device: ids[0], reason: 'away' }]);
  expect(found.openWork).toBe(1);
  expect(after).toMatchObject([{ device: ids[1] }]);
  expect(asked).toMatchObject([{ device: ids[1], reason: 'changed' }]);
  expect(engine.openWork.list()).toMatchObject([{ device: ids[0] }]);
  expect(at.site.device(1).requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('a device is not replaced by itself, and a plan counts once', async () => {
  await open({ devices: 2, kinds: ['counter'] });

  await expect(plan(0, 0)).rejects.toMatchObject({ code: 'usage' });
  const planned = await plan();
  await replace(planned);
  await expect(replace(planned)).rejects.toMatchObject({ code: 'plan-outdated' });
});
