/** Changes one by one, and why an alarm does not fire, through the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlarmReport } from '#shared/alarm-chain.ts';
import type { ChangeEntry } from '#shared/history.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { errorOf, makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, ['--devices', '3', '--kinds', 'thermal', '--fault', 'not-told']);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

const call = (...args: readonly string[]) => run(folder, args, { env: site.env });

// Would catch: a change that a script can see and cannot name, or an undo that takes its neighbour along.
it('lists changes with ids, and undoes one of them by its id', async () => {
  const url = site.devices[0]?.url ?? '';
  const file = folder.file('two.yaml');
  writeFileSync(
    file,
    'fieldwright: template/1\nname: Two\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { distance: 7, alarm: 40 }\n',
  );
  await call('apply', '--template', file, '--device', url, '--yes', '--json');
  const listed = (await call('changes', 'list', '--device', url, '--json')).json<readonly ChangeEntry[]>();
  const alarm = listed.find(({ path }) => path === 'alarm');

  expect(listed.map(({ path }) => path)).toEqual(['distance', 'alarm']);
  expect((await call('changes', 'list', '--device', url)).stdout).toMatch(/Alarm temperature.*37\.5 → 40/);
  const unasked = await call('changes', 'undo', alarm?.id ?? '', '--json');
  expect([unasked.code, errorOf(unasked).code]).toEqual([2, 'confirmation-needed']);
  const undone = await call('changes', 'undo', alarm?.id ?? '', '--yes', '--json');

  expect(undone.code).toBe(0);
  const after = (await call('changes', 'list', '--device', url, '--json')).json<readonly ChangeEntry[]>();
  expect(
    after.filter(({ kind }) => kind === 'apply').map(({ path, undoneBy }) => [path, typeof undoneBy]),
  ).toEqual([
    ['distance', 'undefined'],
    ['alarm', 'string'],
  ]);
  expect(errorOf(await call('changes', 'undo', 'j-000000000000:0:0:alarm', '--yes', '--json')).code).toBe(
    'not-found',
  );
});

// Would catch: three jobs of one template that a list cannot tell apart, a receipt without what was changed, and the same
// change of three devices listed three times.
it('names a job by its devices, and writes its changes into the receipt', async () => {
  const file = folder.file('three.yaml');
  writeFileSync(
    file,
    'fieldwright: template/1\nname: Three\nsections:\n  - set: thermal.thermometryBasic\n    params: { channelID: 1 }\n    value: { alarm: 41 }\n',
  );
  await call('site', 'add', 'Plant South');
  for (const { url } of site.devices)
    await call('device', 'add', url, '--name', `T ${url.slice(-2)}`, '--site', 'Plant South', '--json');
  const { jobId } = (
    await call('apply', '--template', file, '--site', 'Plant South', '--yes', '--json')
  ).json<{ readonly jobId: string }>();

  const listed = await call('jobs', 'list', '--limit', '1');
  expect(listed.stdout).toMatch(/Three · 3 (thermal|devices) of Plant South/);
  expect((await call('jobs', 'show', jobId, '--json')).json()).toMatchObject({
    selection: expect.stringMatching(/^3 .* of Plant South$/),
  });
  const out = folder.file('receipt.json');
  expect((await call('report', 'receipt', jobId, '--out', out)).code).toBe(0);
  const { document } = JSON.parse(readFileSync(out, 'utf8')) as SealedDocument;
  const rows = document.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.block === 'table' ? block.rows : [])),
  );
  const changed = rows.filter((row) => JSON.stringify(row).includes('"alarm"'));
  expect(changed).toHaveLength(1);
  expect(changed[0]).toContainEqual(expect.objectContaining({ number: 41 }));
  expect(String(changed[0]?.[0]).split(', ')).toHaveLength(3);
  expect(
    errorOf(await call('report', 'receipt', 'j-000000000000', '--out', out, '--force', '--json')).code,
  ).toBe('not-found');
});

it('says why no alarm comes, in words and as data', async () => {
  const url = site.devices[0]?.url ?? '';
  const words = await call('device', 'why-no-alarm', '--device', url);
  const data = (await call('device', 'why-no-alarm', '--device', url, '--json')).json<AlarmReport>();

  expect(words.stdout).toMatch(/And tells someone\s+no\s+No linkage is set/);
  expect(data.chains.map(({ state }) => state)).toEqual(['bad', 'bad']);
});
