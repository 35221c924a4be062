/** Changes of jobs, one setting at a time, and one of them taken back. */
import { beforeEach, expect, it } from 'vitest';
import type { ChangeEntry } from '#shared/history.ts';
import type { ApplyOptions } from '#shared/model.ts';
import { applyPlan, makePlan, never, openSite, waitForEnd, type TestSite } from '../site-engine.ts';

let site: TestSite;

function template(distance: number, alarm: number): string {
  return JSON.stringify({
    fieldwright: 'template/1',
    name: `At ${distance} m`,
    sections: [
      { set: 'thermal.thermometryBasic', params: { channelID: 1 }, value: { distance, alarm } },
      {
        set: 'events.thermometrySchedule',
        params: { channelID: 1 },
        value: {
          TimeBlockList: [{ dayOfWeek: 2, TimeRange: { beginTime: '06:30:00', endTime: '22:00:00' } }],
        },
      },
    ],
  });
}
async function run(text: string): Promise<void> {
  await applyPlan(site.engine, await makePlan(site, text));
}
function listChanges(query = {}): readonly ChangeEntry[] {
  return site.engine.jobs.changes({ deviceIds: site.ids, ...query }).changes;
}
/** Finds the newest change of a setting, by default on the first device. */
function find(path: string, entries = listChanges({ deviceIds: [site.ids[0] ?? ''] })): ChangeEntry {
  const found = entries.find((entry) => entry.path === path && entry.kind === 'apply');
  if (found === undefined) throw new Error(`No change of ${path}.`);
  return found;
}
function textOf(device = 0): Promise<string> {
  return site.engine.operations
    .request(
      {
        deviceId: site.ids[device] ?? '',
        method: 'GET',
        path: '/API/Thermal/channels/1/thermometry/basicParam',
      },
      never,
    )
    .then(({ raw = '' }) => raw);
}
async function undo({ jobId, deviceId, index, path }: ChangeEntry, options: ApplyOptions = {}) {
  const begun = site.engine.jobs.undo({ id: jobId, deviceIds: [deviceId], only: { index, path }, options });
  return waitForEnd(site.engine, begun.jobId);
}

beforeEach(async () => {
  site = await openSite({ devices: 2, kinds: ['thermal'] });
});

// Would catch: a list shown as seven changes, and a change without its old value.
it('lists each setting with its old and new value, the newest first, of one device or all', async () => {
  await run(template(7, 40));

  const changes = listChanges({ deviceIds: [site.ids[0] ?? ''] });

  expect(changes.map(({ path, set, title, outcome }) => [set, path, title, outcome])).toEqual([
    ['events.thermometrySchedule', 'TimeBlockList', 'At 7 m', 'effective'],
    ['thermal.thermometryBasic', 'distance', 'At 7 m', 'effective'],
    ['thermal.thermometryBasic', 'alarm', 'At 7 m', 'effective'],
  ]);
  expect(find('distance', changes).changes).toMatchObject([{ from: 5, to: 7 }]);
  expect(find('distance', changes)).toMatchObject({ canUndo: true, deviceId: site.ids[0] });
  expect(listChanges()).toHaveLength(6);
});

it('comes in pages that leave nothing out and repeat nothing', async () => {
  await run(template(7, 40));
  await run(template(8, 41));

  const seen: string[] = [];
  for (let after: string | undefined; ;) {
    const page = site.engine.jobs.changes({ limit: 1, ...(after !== undefined && { after }) });
    seen.push(...page.changes.map(({ id }) => id));
    after = page.next;
    if (after === undefined) break;
  }

  expect(seen).toEqual(listChanges({ limit: 200 }).map(({ id }) => id));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(6);
});

// Would catch: `37.50` that comes back as `37.5`, and a neighbour of the setting that is put back with it.
it('puts one setting back to the byte, and leaves the other as it is now', async () => {
  const before = await textOf();
  await run(template(7, 40));
  const after = await textOf();

  const job = await undo(find('alarm'));

  expect(job.state).toBe('done');
  expect(await textOf()).toBe(after.replace('<alarm>40</alarm>', '<alarm>37.50</alarm>'));
  expect(before).toContain('<alarm>37.50</alarm>');
  expect(await textOf(1)).toContain('<alarm>40</alarm>');
  expect(find('alarm').undoneBy).toBe(job.id);
  expect(find('distance').undoneBy).toBeUndefined();
  await undo(find('distance'));
  expect(await textOf()).toBe(before);
});

it('refuses where the setting was changed again since, and says so', async () => {
  await run(template(7, 40));
  const first = find('alarm');
  await run(template(7, 41));
  const now = await textOf();

  const job = await undo(first);

  expect(job.results[0]?.units[0]).toMatchObject({ outcome: 'failed', error: { code: 'plan-outdated' } });
  expect(await textOf()).toBe(now);
  expect(listChanges().find(({ id }) => id === first.id)?.undoneBy).toBeUndefined();
});

it('does not refuse because another setting of the document was changed since', async () => {
  await run(template(7, 40));
  const first = find('alarm');
  await run(template(9, 40));

  await undo(first);

  expect(await textOf()).toContain('<distance>9</distance>');
  expect(await textOf()).toContain('<alarm>37.50</alarm>');
});

it('of no such setting there is nothing to undo', async () => {
  await run(template(7, 40));

  await expect(undo({ ...find('alarm'), index: 7 })).rejects.toMatchObject({ code: 'not-allowed' });
});
