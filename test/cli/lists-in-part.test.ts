/** One day of a week through the command line: named by its day, never by numbers of items or as JSON. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;
beforeAll(async () => {
  site = await startSite(folder, ['--devices', '2', '--kinds', 'thermal']);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

it('plans in words, also after the plan was a file, and changes nothing the second time', async () => {
  const file = folder.file('tuesday.yaml');
  writeFileSync(
    file,
    `fieldwright: template/1
name: Longer Tuesdays
sections:
  - set: events.thermometrySchedule
    params: { channelID: 1 }
    change:
      TimeBlockList:
        keep: others
        items:
          - { dayOfWeek: 2, TimeRange: { beginTime: "06:00:00", endTime: "23:00:00" } }
          - { dayOfWeek: 7, remove: true }
`,
  );
  const devices = site.devices.flatMap(({ url }) => ['--device', url]);
  const plan = folder.file('plan.json');

  const planned = await run(folder, ['plan', '--template', file, ...devices, '--out', plan], {
    env: site.env,
  });
  const applied = await run(folder, ['apply', '--plan', plan, '--yes'], { env: site.env });
  const again = await run(folder, ['plan', '--template', file, ...devices, '--json'], { env: site.env });
  const words = `${planned.stdout}${planned.stderr}`;

  expect(words).toContain('Arming periods: Tuesday 00:00–24:00 → 06:00–23:00; Sunday removed');
  expect(words).not.toMatch(/dayOfWeek|TimeBlock|Period \d/);
  expect(applied.code).toBe(0);
  expect(again.json()).toMatchObject({ counts: { unchanged: 2 } });
});

// Would catch: a record of changes that names numbers of periods where the plan named days.
it('lists and exports the same days as the plan', async () => {
  const listed = await run(folder, ['changes', 'list'], { env: site.env });
  const csv = await run(folder, ['jobs', 'export', '--out', '-'], { env: site.env });

  expect(listed.stdout).toContain('Tuesday 00:00–24:00 → 06:00–23:00; Sunday removed');
  expect(csv.stdout).toContain('Arming periods › Tuesday,00:00–24:00,06:00–23:00');
  expect(csv.stdout).not.toContain('dayOfWeek');
});
