/** The office checks a template against devices that are not there: from their saved capability reports. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TemplateCheck } from '#shared/model.ts';
import { makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;
let saved: string;
beforeAll(async () => {
  site = await startSite(folder, ['--devices', '2', '--kinds', 'thermal,gate']);
  const devices = site.devices.flatMap(({ url }) => ['--device', url]);
  const caps = await run(folder, ['caps', ...devices, '--json'], { env: site.env });
  saved = join(folder.path, 'caps.json');
  writeFileSync(saved, caps.stdout);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

function template(mode: string): string {
  const file = join(folder.path, `mode-${mode}.yaml`);
  writeFileSync(
    file,
    `fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: ${mode} }\n`,
  );
  return file;
}

describe('template check --capabilities', () => {
  // Would catch: a template that the specification allows and the device on site refuses, found out on the ladder.
  it('finds what the specification allows and the saved device does not', async () => {
    const file = template('AI');

    const general = await run(folder, ['template', 'check', file, '--json']);
    const narrowed = await run(folder, ['template', 'check', file, '--capabilities', saved, '--json']);

    expect(general.code).toBe(0);
    expect(narrowed.code).toBe(2);
    expect(narrowed.json<TemplateCheck>().errors).toMatchObject([
      {
        code: 'not-allowed',
        path: 'sections[0].value.mode',
        line: 6,
        file,
        device: expect.stringContaining('127.0.0.1') as string,
      },
    ]);
  });

  // Would catch: a check that wants files of what the app has read itself, or that says nothing of devices that were never read.
  it('--known takes what its devices reported when they were last read', async () => {
    const file = template('AI');
    const check = ['template', 'check', file, '--known'];
    const before = await run(folder, check);
    for (const { url } of site.devices)
      await run(folder, ['device', 'add', url, '--user', 'admin'], { env: site.env });
    const out = join(folder.path, 'read.html');
    await run(folder, ['report', 'capabilities', '--all', '--out', out], { env: site.env });
    const after = await run(folder, [...check, '--json']);

    expect([before.code, before.stderr]).toEqual([0, expect.stringContaining('was read yet')]);
    expect([after.code, after.json()]).toMatchObject([
      2,
      { ok: false, devices: 2, errors: [{ code: 'not-allowed', path: 'sections[0].value.mode', file }] },
    ]);
  });

  it('accepts what both allow', async () => {
    const result = await run(folder, [
      'template',
      'check',
      template('expert'),
      '--capabilities',
      saved,
      '--json',
    ]);

    expect(result.code).toBe(0);
    expect(result.json<TemplateCheck>().ok).toBe(true);
  });

  it.each([
    ['{"half":', 'unreadable-file'],
    ['{"flags":[]}', 'unreadable-file'],
    ['[]', 'unreadable-file'],
  ])('refuses the report %s', async (text, code) => {
    const bad = join(folder.path, 'bad.json');
    writeFileSync(bad, text);

    const result = await run(folder, [
      'template',
      'check',
      template('expert'),
      '--capabilities',
      bad,
      '--json',
    ]);

    expect(result.code).toBe(2);
    expect(result.json()).toMatchObject({ code, file: bad });
  });

  it('says what is unusual and ends well, in JSON and for people', async () => {
    const file = join(folder.path, 'night.yaml');
    writeFileSync(
      file,
      'fieldwright: template/1\nname: Night\nsections:\n  - set: events.thermometrySchedule\n    params: { channelID: 1 }\n    value: { TimeBlockList: [{ dayOfWeek: 1, TimeRange: { beginTime: "22:00:00", endTime: "06:00:00" } }] }\n',
    );

    const asJson = await run(folder, ['template', 'check', file, '--json']);
    const told = await run(folder, ['template', 'check', file]);

    expect([asJson.code, told.code]).toEqual([0, 0]);
    expect(asJson.json<TemplateCheck>()).toMatchObject({
      ok: true,
      errors: [],
      warnings: [{ code: 'unusual', line: 6, file }],
    });
    expect(told.stderr).toContain(`Warning: ${file}:6`);
  });
});
