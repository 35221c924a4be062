/** Plan, apply, again: through the command line against a virtual site in another process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptJob } from '#cli/output/for-scripts.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Job, JobEvent, JobSummary, Plan } from '#shared/model.ts';
import { LANES, errorOf, makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const NOBODY = 'http://127.0.0.1:9';
const folder = makeFolder();
let site: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, ['--devices', '4', '--kinds', 'thermal,gate']);
});
afterAll(async () => {
  const { code } = await site.stop();
  folder.remove();
  expect(code).toBe(0);
});

function modeTemplate(mode: string): string {
  const file = folder.file(`mode-${mode}.yaml`);
  writeFileSync(
    file,
    `fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: ${mode} }\n`,
  );
  return file;
}

function url(index: number): string {
  return site.devices[index]?.url ?? '';
}

describe('the main job', () => {
  it('plans to a file, applies the plan, and changes nothing the second time', async () => {
    const planFile = folder.file('plan.json');
    const devices = [0, 1, 2, 3].flatMap((index) => ['--device', url(index)]);

    const planned = await run(
      folder,
      ['plan', '--template', 'site-basics', ...devices, '--out', planFile, '--json'],
      { env: site.env },
    );
    expect(planned.code).toBe(0);
    expect(planned.json<Plan>()).toMatchObject({ fieldwright: 'plan/1', counts: { changes: 4 } });
    expect(readFileSync(planFile, 'utf8')).not.toContain(site.password);

    const applied = await run(folder, ['apply', '--plan', planFile, '--yes', '--json'], { env: site.env });
    expect(applied.code).toBe(0);
    const job = applied.json<ScriptJob & { readonly jobId: string }>();
    expect(job).toMatchObject({ jobId: job.id, state: 'done', devices: 4 });
    for (const { sections } of job.results) {
      expect(sections.some(({ outcome }) => outcome === 'effective')).toBe(true);
      expect(sections.every(({ outcome }) => outcome === 'effective' || outcome === 'skipped')).toBe(true);
    }

    const again = await run(folder, ['apply', '--template', 'site-basics', ...devices, '--yes', '--json'], {
      env: site.env,
    });
    expect(again.code).toBe(0);
    expect(Object.keys(again.json<Job>().counts).toSorted()).toEqual(['skipped', 'unchanged']);

    const jobs = (await run(folder, ['jobs', 'list', '--json'])).json<readonly JobSummary[]>();
    expect(jobs.map(({ id }) => id)).toEqual([again.json<Job>().id, job.id]);
    expect((await run(folder, ['jobs', 'show', job.id, '--json'])).json()).toMatchObject({
      id: job.id,
      state: 'done',
    });
  });

  // Would catch: a plan that a script takes for good, and an apply of it that fails.
  it.each([
    ['optional: true', 0],
    ['optional: false', 1],
  ])('a plan ends as its apply does where a device lacks a setting: %s', async (optional, code) => {
    const template = folder.file(`lacks-${code}.yaml`);
    writeFileSync(
      template,
      `fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    ${optional}\n    value: { mode: normal }\n`,
    );
    const work = ['--template', template, '--device', url(0), '--device', url(1), '--json'];

    const planned = await run(folder, ['plan', ...work], { env: site.env });
    const applied = await run(folder, ['apply', ...work, '--yes'], { env: site.env });

    expect(planned.json<Plan>().devices[1]?.state).toBe('unsupported');
    expect([planned.code, applied.code]).toEqual([code, code]);
  });

  it('leaves a device alone that changed after its plan was reviewed', async () => {
    const planFile = folder.file('old-plan.json');
    const device = ['--device', url(0)];
    const basics = ['--template', 'site-basics', ...device, '--json', '--values'];
    await run(folder, ['apply', ...basics, 'distance=3', '--yes'], { env: site.env });
    await run(folder, ['plan', ...basics, 'distance=9', '--out', planFile], { env: site.env });
    await run(folder, ['apply', ...basics, 'distance=5', '--yes'], { env: site.env });

    const result = await run(folder, ['apply', '--plan', planFile, '--yes', '--json'], { env: site.env });

    expect(result.code).toBe(1);
    expect(JSON.stringify(result.json())).toContain('plan-outdated');
    const now = await run(
      folder,
      ['call', 'thermal.thermometryBasic.get', '--param', 'channelID=1', ...device, '--json'],
      { env: site.env },
    );
    expect(now.json()).toMatchObject({ value: { distance: 5 } });
  });

  it('sends nothing without a confirmation', async () => {
    const result = await run(
      folder,
      ['apply', '--template', modeTemplate('expert'), '--device', url(2), '--json'],
      { env: site.env },
    );

    expect(result.code).toBe(2);
    expect(errorOf(result).code).toBe('confirmation-needed');
  });

  it('goes on with the others where one device cannot be reached, exit 1', async () => {
    await run(
      folder,
      ['apply', '--template', modeTemplate('normal'), '--device', url(0), '--yes', '--json'],
      { env: site.env },
    );

    const result = await run(
      folder,
      [
        'apply',
        '--template',
        modeTemplate('expert'),
        '--device',
        url(0),
        '--device',
        NOBODY,
        '--yes',
        '--json',
      ],
      { env: site.env },
    );

    expect(result.code).toBe(1);
    const { results } = result.json<ScriptJob>();
    expect(results.find((device) => device.url === url(0))?.sections[0]?.outcome).toBe('effective');
    expect(results.find((device) => device.url === NOBODY)).toMatchObject({
      state: 'failed',
      error: { code: 'connection-refused' },
    });
  });

  it.each([
    ['nobody can be reached', NOBODY, undefined, 'connection-refused', 'connection-refused'],
    ['the password is wrong', undefined, 'Wrong-1', 'sign-in-failed', 'sign-in-paused'],
  ])('ends with 3 where %s, for plan, apply and call', async (_what, device, password, code, later) => {
    const target = ['--device', device ?? url(3)];
    const env = password === undefined ? site.env : { FIELDWRIGHT_PASSWORD: password };

    const planned = await run(folder, ['plan', '--template', 'site-basics', ...target, '--json'], { env });
    const applied = await run(folder, ['apply', '--template', 'site-basics', ...target, '--yes', '--json'], {
      env,
    });
    const called = await run(folder, ['call', 'system.capabilities.get', ...target, '--json'], { env });

    expect([planned.code, applied.code, called.code]).toEqual([3, 3, 3]);
    expect(planned.json<Plan>().devices[0]?.error?.code).toBe(code);
    expect(applied.json<Job>().results[0]?.error?.code).toBe(later);
    expect(errorOf(called)).toMatchObject({ code: later, device: target[1] });
    if (password) expect(planned.stdout + applied.stdout + called.stdout).not.toContain(password);
  });

  it('streams what happens one object a line, the job last', async () => {
    const result = await run(
      folder,
      [
        'apply',
        '--template',
        modeTemplate('expert'),
        '--device',
        url(0),
        '--device',
        url(2),
        '--yes',
        '--json',
        '--progress',
      ],
      { env: site.env },
    );

    const lines = result.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<JobEvent> & Partial<Job>);
    expect(lines[0]).toMatchObject({ type: 'job' });
    expect(lines.slice(0, -1).every((line) => typeof line.type === 'string')).toBe(true);
    expect(lines.at(-1)).toMatchObject({ id: expect.any(String), state: 'done' });
    // Names that scripts rely on, whatever the engine calls them.
    const section = { set: expect.any(String), outcome: expect.any(String), changes: expect.any(Array) };
    expect(lines.find(({ type }) => (type as string) === 'section')).toMatchObject({ result: section });
    for (const { results } of [
      (lines[0] as { readonly job: ScriptJob }).job,
      lines.at(-1) as unknown as ScriptJob,
    ])
      expect(results.every(({ sections }) => sections.length > 0)).toBe(true);
    expect(lines.findLast(({ type }) => type === 'device')).toMatchObject({
      device: { sections: [section] },
    });
    expect(result.stdout).not.toContain('"units"');
  });

  it('takes values from pairs and from a file with one row a device', async () => {
    const file = folder.file('lanes.yaml');
    writeFileSync(file, LANES);
    const values = folder.file('lanes.csv');
    writeFileSync(values, `\uFEFFdevice;distance\r\n${url(0)};7\r\n${url(2)};9\r\n`);

    const rows = await run(folder, ['plan', '--template', file, '--values', values, '--json'], {
      env: site.env,
    });
    const pair = await run(
      folder,
      ['plan', '--template', file, '--device', url(0), '--values', 'distance=11', '--json'],
      { env: site.env },
    );
    const wrong = await run(
      folder,
      ['plan', '--template', file, '--device', url(0), '--values', 'distance=far', '--json'],
      { env: site.env },
    );

    const target = (result: typeof rows): readonly unknown[] =>
      result
        .json<Plan>()
        .devices.map(({ sections }) => sections[0]?.changes.find(({ path }) => path === 'distance')?.to);
    expect(target(rows).toSorted()).toEqual([7, 9]);
    expect(target(pair)).toEqual([11]);
    expect([wrong.code, errorOf(wrong).code]).toEqual([2, 'wrong-type']);
  });

  it.each([
    [
      'a row for a device nobody knows',
      (known: string) => `device,distance\n${known},3\nNobody,4\n`,
      { code: 'unknown-device', line: 3 },
    ],
    [
      'a device twice',
      (known: string) => `device,distance\n${known},3\n${known}/,4\n`,
      { code: 'duplicate-device', line: 3 },
    ],
    [
      'a column without a variable',
      (known: string) => `device,distanse\n${known},3\n`,
      { code: 'undefined-variable', line: 1, nearest: 'distance' },
    ],
    ['no device column', (known: string) => `where,distance\n${known},3\n`, { line: 1 }],
  ])('reports %s by row and sends nothing', async (_what, csv, expected) => {
    const file = folder.file('lanes2.yaml');
    writeFileSync(file, LANES);
    const values = folder.file('rows.csv');
    writeFileSync(values, csv(url(0)));

    const result = await run(folder, ['plan', '--template', file, '--values', values, '--json'], {
      env: site.env,
    });

    expect(result.code).toBe(2);
    expect(errorOf(result)).toMatchObject({ file: values, ...expected });
  });

  it('ends with 4 where the stop threshold left devices untouched, and names the job to resume', async () => {
    const stubborn = await startSite(folder, ['--kinds', 'thermal', '--devices', '1', '--fault', 'ignored']);
    const devices = [stubborn.devices[0]?.url ?? '', url(0), url(2)].flatMap((each) => ['--device', each]);

    const result = await run(
      folder,
      [
        'apply',
        '--template',
        modeTemplate('expert'),
        ...devices,
        '--concurrency',
        '1',
        '--stop-after',
        '1',
        '--yes',
        '--json',
      ],
      { env: site.env },
    );
    await stubborn.stop();

    expect(result.code).toBe(4);
    const job = result.json<Job>();
    expect(job).toMatchObject({ resumable: true, counts: { ignored: 1, pending: 2 } });
    expect(result.stderr).toContain(job.id);
  });

  it('prints tables for people, without colours where no terminal is', async () => {
    await run(folder, ['apply', '--template', modeTemplate('expert'), '--device', url(0), '--yes'], {
      env: site.env,
    });

    const result = await run(
      folder,
      ['apply', '--template', modeTemplate('normal'), '--device', url(0), '--yes'],
      { env: site.env },
    );

    expect(result.stdout).toMatch(/DEVICE +thermometryMode\n127\.0\.0\.1:\d+ +Verified/);
    expect(result.stdout).not.toContain('\u001b');
  });
});

describe('call, request and caps', () => {
  it('answers one device with an object, many with an array', async () => {
    const one = await run(folder, ['call', 'gate.status.get', '--device', url(1), '--json'], {
      env: site.env,
    });
    const many = await run(
      folder,
      ['call', 'gate.status.get', '--device', url(1), '--device', url(0), '--device', NOBODY, '--json'],
      { env: site.env },
    );

    expect(one.json()).toMatchObject({ outcome: 'ok', status: { http: 200 }, value: expect.anything() });
    expect(one.code).toBe(0);
    expect(many.code).toBe(1);
    expect(many.json()).toMatchObject([
      { device: url(1), outcome: 'ok' },
      { device: url(0), outcome: 'refused', error: { code: 'not-supported' } },
      { device: NOBODY, error: { code: 'connection-refused' } },
    ]);
  });

  it('ends with 1 where the device refuses', async () => {
    const result = await run(folder, ['call', 'gate.status.get', '--device', url(0), '--json'], {
      env: site.env,
    });

    expect(result.code).toBe(1);
    expect(result.json()).toMatchObject({
      outcome: 'refused',
      error: { code: 'not-supported', source: 'device', operation: 'gate.status.get' },
    });
  });

  it.each([
    [['call', 'gate.statu.get'], { code: 'unknown-operation', nearest: 'gate.status.get' }, undefined],
    [['call', 'thermal.thermometryMode.get'], { code: 'missing-parameter' }, undefined],
    [
      ['call', 'thermal.thermometryMode.put', '--param', 'channelID=1', '--body', '-'],
      { code: 'unknown-field', nearest: 'mode' },
      '{"mod":"expert"}',
    ],
    [
      ['call', 'thermal.thermometryMode.put', '--param', 'channelID=1', '--body', '-'],
      { code: 'unreadable-file', line: 2 },
      '{\n"mode" expert}',
    ],
  ])('checks %j before anything is sent', async (args, expected, input) => {
    const result = await run(folder, [...args, '--device', url(0), '--json'], {
      env: site.env,
      ...removeUndefined({ input }),
    });

    expect(result.code).toBe(2);
    expect(errorOf(result)).toMatchObject(expected);
  });

  it('prints a raw body as it came', async () => {
    const result = await run(
      folder,
      ['call', 'thermal.thermometryMode.get', '--param', 'channelID=1', '--raw', '--device', url(0)],
      { env: site.env },
    );
    const request = await run(
      folder,
      ['request', 'get', '/API/Thermal/channels/1/thermometryMode', '--device', url(0)],
      { env: site.env },
    );

    expect(result.stdout).toMatch(/^<\?xml/);
    expect(request.stdout).toBe(result.stdout);
  });

  it('tells flags as true, false or not-reported, and what harmless reads answer', async () => {
    const caps = (
      await run(folder, ['caps', '--probe', '--device', url(0), '--json'], { env: site.env })
    ).json<{
      readonly flags: readonly { readonly state: string }[];
      readonly probes: readonly { readonly answered: boolean }[];
      readonly kinds: readonly string[];
    }>();

    expect(caps.kinds).toEqual(['thermal']);
    expect(caps.flags.every(({ state }) => ['true', 'false', 'not-reported'].includes(state))).toBe(true);
    expect(caps.probes.some(({ answered }) => answered)).toBe(true);
    expect(caps.probes.some(({ answered }) => !answered)).toBe(true);
  });
});

describe('the result for people', () => {
  // Would catch: a setting that the table calls one thing and the count below it another.
  it('counts below the table in the words of the table', async () => {
    const file = folder.file('both.yaml');
    writeFileSync(
      file,
      'fieldwright: template/1\nname: Both\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n  - set: accessControl.eventOptimization\n    value: { enable: true }\n',
    );

    const { stdout } = await run(folder, ['apply', '--template', file, '--device', url(1), '--yes'], {
      env: site.env,
    });

    expect(stdout).toMatch(/127\.0\.0\.1:\d+ +Not supported +Unchanged/);
    expect(stdout).toContain('Settings: 1 Not supported, 1 Unchanged.');
  });
});
