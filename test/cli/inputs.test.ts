/** Inputs of scripts: files, the environment, several ways to name devices at once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceTest, Plan } from '#shared/model.ts';
import {
  LANES,
  atTerminal,
  errorOf,
  makeFolder,
  run,
  startSite,
  type Ran,
  type StartedSite,
} from './helpers.ts';

const folder = makeFolder();
const template = folder.file('lanes.yaml');
const values = folder.file('lanes.csv');
let site: StartedSite;

function url(index: number): string {
  return site.devices[index]?.url ?? '';
}

function fieldwright(...args: readonly string[]): Promise<Ran> {
  return run(folder, [...args, '--json'], { env: site.env });
}

beforeAll(async () => {
  site = await startSite(folder, ['--devices', '3', '--kinds', 'thermal']);
  writeFileSync(template, LANES);
  for (const name of ['North', 'South']) await fieldwright('site', 'add', name);
  await fieldwright('device', 'add', url(0), '--name', 'Lane 1', '--site', 'North', '--user', 'admin');
  await fieldwright('device', 'add', url(1), '--name', 'Lane 2', '--site', 'South', '--user', 'admin');
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

describe('a values file', () => {
  it.each([
    [['--site', 'North'], ['Lane 1']],
    [['--device', 'Lane 2'], ['Lane 2']],
    [[], ['Lane 1', 'Lane 2']],
  ])('beside %j plans for %j alone', async (named, expected) => {
    writeFileSync(values, 'device,distance\nLane 1,3\nLane 2,4\n');

    const result = await fieldwright('plan', '--template', template, '--values', values, ...named);

    expect(result.json<Plan>().devices.map(({ name }) => name)).toEqual(expected);
  });

  it('has its mistakes told in the order of its lines', async () => {
    writeFileSync(values, 'device,distance\nNobody,3\nLane 1,99\nNobody else,5\n');

    const result = await fieldwright('plan', '--template', template, '--values', values);

    const { others = [], ...first } = errorOf(result);
    expect([first, ...others].map(({ line, code }) => [line, code])).toEqual([
      [2, 'unknown-device'],
      [3, 'out-of-range'],
      [4, 'unknown-device'],
    ]);
  });
});

describe('a call that changes a device', () => {
  const mode = async (): Promise<unknown> =>
    (
      await fieldwright('call', 'thermal.thermometryMode.get', '--param', 'channelID=1', '--device', url(2))
    ).json<{ value: { mode: unknown } }>().value.mode;
  const PUT = ['call', 'thermal.thermometryMode.put', '--param', 'channelID=1'];

  // Would catch: a slip of the hand that is a write, and a script that waits for an answer for ever.
  it('asks whoever sits at the terminal, takes --yes for an answer, and asks no script', async () => {
    const was = await mode();
    const body = folder.file('mode.json');
    const put = (wanted: string, ...more: string[]): string[] => {
      writeFileSync(body, JSON.stringify({ mode: wanted }));
      return [...PUT, '--body', body, '--device', url(2), '--user', 'admin', ...more];
    };
    const no = await atTerminal(folder, put('expert'), 'n', site.env);
    expect([no.code, no.shown]).toEqual([
      2,
      expect.stringMatching(/Send thermal\.thermometryMode\.put to 1 device\? \[y\/N\][^]*Nothing was sent/),
    ]);
    expect(await mode()).toBe(was);
    const yes = await atTerminal(folder, put('expert'), 'y', site.env);
    expect([yes.code, await mode()]).toEqual([0, 'expert']);
    const unasked = await atTerminal(folder, put('normal', '--yes'), 'n', site.env);
    expect([unasked.code, unasked.shown, await mode()]).toEqual([
      0,
      expect.not.stringContaining('[y/N]'),
      'normal',
    ]);
    const script = await run(folder, put('expert'), { env: site.env });
    expect([script.code, await mode()]).toEqual([0, 'expert']);
    // Calls that read are never asked about, including searches that are sent with POST.
    const search = ['call', 'accessControl.users.search', '--device', url(2), '--body', body];
    expect((await atTerminal(folder, search, 'n', site.env)).shown).not.toContain('[y/N]');
  });

  it('says where its body is no JSON, in no words of a program', async () => {
    const body = folder.file('broken.json');
    writeFileSync(body, '{\n  "mode": \n}');
    const { message, line, column } = errorOf(await fieldwright(...PUT, '--body', body, '--device', url(2)));
    expect([message, line, column]).toEqual([expect.not.stringMatching(/[A-Z][a-z]+[A-Z]/), 3, 1]);
    // Would catch: a file from elsewhere reported as a fault of the program.
    for (const [text, code] of [
      ['['.repeat(100_000) + ']'.repeat(100_000), 'input-too-large'],
      ['['.repeat(100_000), 'input-too-large'],
      ['[', 'unreadable-file'],
    ] as const) {
      writeFileSync(body, text);
      const result = await fieldwright(...PUT, '--body', body, '--device', url(2));
      expect([result.code, errorOf(result).code]).toEqual([2, code]);
    }
  });
});

// Would catch: the second reader getting nothing, so that a plan is made for no device at all.
it('standard input named twice is refused', async () => {
  const result = await run(folder, ['plan', '--template', '-', '--values', '-', '--json'], {
    input: readFileSync(template, 'utf8'),
    env: site.env,
  });

  expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
});

describe('passwords', () => {
  it('are not tried where the variable is empty: the saved one is', async () => {
    const result = await run(folder, ['device', 'test', 'Lane 1', '--json'], {
      env: { FIELDWRIGHT_PASSWORD: '' },
    });

    expect([result.code, result.json<readonly DeviceTest[]>()[0]?.ok]).toEqual([0, true]);
  });

  it.each(['password', 'Pass-Word', 'PASSWD'])(
    'are not read from a column "%s", nor is it passed over',
    async (heading) => {
      const result = await run(folder, ['caps', '--devices', '-', '--json'], {
        input: `device;${heading}\n${url(2)};hidden-word\n`,
      });

      expect([result.code, errorOf(result)]).toMatchObject([2, { code: 'not-allowed', file: '-', line: 1 }]);
      expect(result.stdout + result.stderr).not.toContain('hidden-word');
    },
  );
});

describe('a path, a body, a template', () => {
  it('names no other host', async () => {
    const result = await fieldwright(
      'request',
      'GET',
      '//elsewhere/API/System/capabilities',
      '--device',
      url(0),
    );

    expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
  });

  it.skipIf(process.platform === 'win32')('is not read without end from what tells no size', async () => {
    const result = await fieldwright(
      'call',
      'thermal.thermometryMode.put',
      '--param',
      'channelID=1',
      '--body',
      '/dev/zero',
      '--device',
      url(0),
    );

    expect([result.code, errorOf(result).code]).toEqual([2, 'input-too-large']);
  });

  it('is told the nearest option, and where a level is too much', async () => {
    const check = (value: string): Promise<Ran> =>
      run(folder, ['template', 'check', '-', '--json'], {
        input: `fieldwright: template/1\nname: X\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: ${value}\n`,
      });

    expect(errorOf(await check('{ mode: nomal }'))).toMatchObject({
      code: 'not-allowed',
      nearest: 'normal',
      line: 6,
    });
    expect(errorOf(await check('{ ThermometryMode: { mode: normal } }'))).toMatchObject({
      code: 'unknown-field',
      hint: expect.stringContaining('leave this level out') as string,
    });
  });
});
