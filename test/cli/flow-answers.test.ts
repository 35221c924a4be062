/** A file of answers that the command prints: it names what the flow asks, with the limits of the device, and goes in again. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ScriptJob } from '#cli/output/for-scripts.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { CASES } from '../engine/flow/cases.ts';
import { makeFolder, run, type Folder } from './helpers.ts';

const env = { FIELDWRIGHT_PASSWORD: 'Site-1' };
let folder: Folder;
let site: Site | undefined;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await site?.close();
  site = undefined;
  folder.remove();
});

interface Shown {
  readonly steps: readonly {
    readonly step: string;
    readonly fields: readonly { readonly name: string; readonly unit?: string; readonly max?: number }[];
  }[];
  readonly file: string;
}

async function show(flow: string, url: string): Promise<Shown> {
  const shown = await run(folder, ['flow', 'show', flow, '--answers', '--device', url, '--json'], { env });
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  return shown.json<Shown>();
}

// Would catch: a field that a script must answer and cannot find, a line that makes the file unreadable.
it.each(CASES)('names the fields of $flow, and sends nothing', async ({ flow, kind, answers }) => {
  site = await startSite({ kinds: [kind], devices: 1, password: 'Site-1' });

  const { steps, file } = await show(flow, site.devices[0]?.url ?? '');

  const shown = new Set(steps.flatMap(({ step, fields }) => fields.map(({ name }) => `${step}.${name}`)));
  // Fields of controllers and announcements are asked only where one is wished for.
  const onWish = new Set(['controllers', 'audio']);
  const missing = Object.entries(answers)
    .filter(([step]) => !onWish.has(step))
    .flatMap(([step, here]) => Object.keys(here).map((name) => `${step}.${name}`))
    .filter((name) => !name.endsWith('.watch') && !name.endsWith('.value') && !shown.has(name));
  expect(missing).toEqual([]);
  expect(Object.keys(parse(file) as object)).toEqual(steps.map(({ step }) => step));
  expect(site.device(0).requests.filter(({ applied }) => applied)).toEqual([]);
});

// Would catch: limits of the specification in place of those of the device that was named.
it('shows units, choices and the limits of the device', async () => {
  site = await startSite({ kinds: ['thermal'], devices: 1, password: 'Site-1' });

  const { file } = await show('thermal', site.devices[0]?.url ?? '');

  expect(file).toContain('uncertainty: # Expanded uncertainty U (k = 2) (°C); number; 0.001 … 100');
  expect(file).toContain('screening = Screening of people');
  expect(file).toMatch(/# distanceUnit: meter/);
});

// Would catch: a flow that `jobs resume` leaves waiting for a person, and a printed file that is not taken back.
it('resumes a flow with the printed file, filled in', async () => {
  site = await startSite({ kinds: ['counter'], devices: 1, password: 'Site-1' });
  const url = site.devices[0]?.url ?? '';
  const { file } = await show('token-key', url);
  const path = folder.file('answers.yaml');
  writeFileSync(path, file);
  const first = await run(
    folder,
    ['flow', 'run', 'token-key', '--device', url, '--answers', path, '--yes', '--json'],
    {
      env,
    },
  );
  expect(first.code).toBe(4);
  expect(first.stderr).toContain('hand-over.to');
  const { jobId } = first.json<{ jobId: string }>();
  writeFileSync(
    path,
    file
      .replace(/^ {2}to:/m, '  to: Integrator')
      .replace(/^ {2}given:/m, '  given: true')
      .replace(/^ {2}name:/m, '  name: A. Installer'),
  );

  const rest = await run(folder, ['jobs', 'resume', jobId, '--answers', path, '--yes', '--json'], { env });

  expect([rest.code, rest.json<ScriptJob>().state]).toEqual([0, 'done']);
});
