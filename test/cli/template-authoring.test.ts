/** `template new|capture|save|versions|diff|export|remove|show --version`: authoring without a window. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE_KINDS } from '#shared/model.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { errorOf, makeFolder, run } from './helpers.ts';

const folder = makeFolder();
let site: Site;
beforeAll(async () => {
  site = await startSite({ devices: 2, kinds: ['thermal', 'gate'] });
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

const at = (index: number): readonly string[] => [
  '--device',
  site.devices[index]?.url ?? '',
  '--user',
  site.devices[index]?.user ?? '',
];
const password = (index: number) => ({ env: { FIELDWRIGHT_PASSWORD: site.devices[index]?.password ?? '' } });

function file(name: string, text: string): string {
  writeFileSync(folder.file(name), text);
  return folder.file(name);
}
const text = (value: string, name = 'Lobby'): string =>
  `fieldwright: template/1\nname: ${name}\nsections:\n  - set: accessControl.hostConfig\n    value: { voicePrompt: ${value} }\n`;

describe('template new', () => {
  it.each([
    [['--kind', 'thermal']],
    [['--kind', 'gate,ai']],
    [[]],
    [['--section', 'storage.rwLock', 'humanRecognition.regions']],
    ...DEVICE_KINDS.map((kind) => [['--kind', kind]]),
  ])('%j passes check as it is, and cannot be applied unread', async (args) => {
    const out = folder.file(`new-${args.join('-')}.yaml`);

    const made = await run(folder, ['template', 'new', ...args, '--out', out, '--force', '--json']);
    const checked = await run(folder, ['template', 'check', out, '--json']);

    expect([made.code, checked.code]).toEqual([0, 0]);
    expect(
      made
        .json<{ summary: { variables: { required: boolean }[] } }>()
        .summary.variables.some(({ required }) => required),
    ).toBe(true);
  });

  it('prints the template itself without --out, and names what it does not know', async () => {
    const printed = await run(folder, [
      'template',
      'new',
      '--section',
      'thermal.thermometryMode',
      '--name',
      'My "mode"',
    ]);
    const wrong = await run(folder, ['template', 'new', '--section', 'thermal.thermometryMod', '--json']);

    expect(printed.stdout).toMatch(/^# Every variable.*\nname: "My \\"mode\\""/s);
    expect(wrong.code).toBe(2);
    expect(errorOf(wrong)).toMatchObject({ code: 'unknown-section', nearest: 'thermal.thermometryMode' });
    expect((await run(folder, ['template', 'new', '--kind', 'toaster', '--json'])).code).toBe(2);
  });

  it('does not overwrite a file unless told to', async () => {
    const out = file('mine.yaml', 'precious');

    const refused = await run(folder, ['template', 'new', '--kind', 'ai', '--out', out, '--json']);

    expect(refused.code).toBe(2);
    expect(errorOf(refused)).toMatchObject({ code: 'usage', file: out });
    expect(readFileSync(out, 'utf8')).toBe('precious');
  });
});

describe('template capture', () => {
  it('writes a file that asks nothing of the device it came from', async () => {
    const out = folder.file('captured.yaml');

    const captured = await run(
      folder,
      [
        'template',
        'capture',
        ...at(0),
        '--section',
        'thermal.thermometryMode',
        '--section',
        'thermal.thermometryBasic',
        '--param',
        'channelID=2',
        '--name',
        'Copy',
        '--out',
        out,
        '--json',
      ],
      password(0),
    );
    const planned = await run(folder, ['plan', '--template', out, ...at(0), '--json'], password(0));

    expect([captured.code, planned.code]).toEqual([0, 0]);
    expect(captured.json()).toMatchObject({
      text: readFileSync(out, 'utf8'),
      file: out,
      values: {},
      sections: [
        { params: { channelID: 2 }, state: 'captured' },
        { params: { channelID: 2 }, state: 'captured' },
      ],
    });
    expect(planned.json()).toMatchObject({ template: { name: 'Copy' }, counts: { unchanged: 1 } });
  });

  it('prints the text on stdout, and beside it what is left out and what belongs to the device', async () => {
    const captured = await run(folder, ['template', 'capture', ...at(1)], password(1));

    expect(captured.code).toBe(0);
    expect(captured.stdout).toMatch(/^# Captured from/);
    expect(captured.stderr).toContain('localController_1_ipAddress=192.0.2.31');
  });

  it('asks no device where the file is there already, the section or the parameter is wrong', async () => {
    const out = file('there.yaml', 'precious');
    site.device(0).clearRequests();

    const results = [
      await run(folder, ['template', 'capture', ...at(0), '--out', out, '--json'], password(0)),
      await run(
        folder,
        ['template', 'capture', ...at(0), '--section', 'nothing.here', '--json'],
        password(0),
      ),
      await run(
        folder,
        ['template', 'capture', ...at(0), '--param', 'channelID=zero', '--json'],
        password(0),
      ),
      await run(folder, ['template', 'capture', ...at(0), '--param', 'chanel=1', '--json'], password(0)),
    ];

    expect(results.map((result) => [result.code, errorOf(result).code])).toEqual([
      [2, 'usage'],
      [2, 'unknown-section'],
      [2, 'wrong-type'],
      [2, 'unknown-parameter'],
    ]);
    expect(site.device(0).requests).toEqual([]);
    expect(readFileSync(out, 'utf8')).toBe('precious');
  });

  it('ends with 3 where nobody answers, and leaves no file', async () => {
    const out = folder.file('nobody.yaml');

    const result = await run(
      folder,
      ['template', 'capture', '--device', 'http://127.0.0.1:9', '--out', out, '--json'],
      password(0),
    );

    expect(result.code).toBe(3);
    expect(existsSync(out)).toBe(false);
  });
});

describe('own templates', () => {
  it('are saved, compared, exported and forgotten', async () => {
    const first = file('lobby.yaml', text('true'));
    const out = folder.file('v1.yaml');

    const saved = [
      await run(folder, ['template', 'save', first, '--json']),
      await run(folder, ['template', 'save', first, '--json']),
      await run(folder, ['template', 'save', file('lobby.yaml', text('false')), '--note', 'quiet', '--json']),
    ].map((result) => result.json<{ id: string; version: number; changed: boolean }>());
    const versions = await run(folder, ['template', 'versions', 'Lobby', '--json']);
    const diff = await run(folder, ['template', 'diff', 'Lobby@1', 'Lobby', '--json']);
    const exported = await run(folder, ['template', 'export', 'Lobby', '--version', '1', '--out', out]);
    const shown = await run(folder, ['template', 'show', 'Lobby', '--version', '1', '--json']);

    expect(saved.map(({ version, changed }) => [version, changed])).toEqual([
      [1, true],
      [1, false],
      [2, true],
    ]);
    expect(versions.json()).toMatchObject([{ version: 2, note: 'quiet' }, { version: 1 }]);
    expect(diff.json()).toMatchObject({
      sections: [{ state: 'changed', changes: [{ path: 'voicePrompt', from: true, to: false }] }],
    });
    expect([exported.code, readFileSync(out, 'utf8')]).toEqual([0, text('true')]);
    expect(shown.json()).toMatchObject({ text: text('true'), summary: { name: 'Lobby' } });
    expect((await run(folder, ['template', 'diff', first, 'Lobby'])).stdout).toBe('The same.\n');
  });

  it('are not overwritten by who has not seen the newest version', async () => {
    const base = ['template', 'save', file('busy.yaml', text('true', 'Busy'))];
    await run(folder, base);
    await run(folder, ['template', 'save', file('busy.yaml', text('false', 'Busy')), '--base', '1']);

    const late = await run(folder, [
      'template',
      'save',
      file('busy.yaml', text('true', 'Busy')),
      '--base',
      '1',
      '--json',
    ]);

    expect(late.code).toBe(2);
    expect(errorOf(late)).toMatchObject({ code: 'changed-meanwhile' });
  });

  it('are not removed without a word, and bundled ones not at all', async () => {
    await run(folder, ['template', 'save', file('gone.yaml', text('true', 'Gone'))]);

    const asked = await run(folder, ['template', 'remove', 'Gone', '--json']);
    const removed = await run(folder, ['template', 'remove', 'Gone', '--yes', '--json']);
    const bundled = await run(folder, ['template', 'remove', 'site-basics', '--yes', '--json']);

    expect([asked.code, errorOf(asked).code]).toEqual([2, 'confirmation-needed']);
    expect([removed.code, removed.json()]).toMatchObject([0, { removed: 1, versions: 1 }]);
    expect([bundled.code, errorOf(bundled).code]).toEqual([2, 'not-allowed']);
    expect((await run(folder, ['template', 'versions', 'Gone', '--json'])).code).toBe(2);
  });

  it('say where a file is wrong before they are saved', async () => {
    const wrong = await run(folder, ['template', 'save', file('wrong.yaml', text('7')), '--json']);

    expect(wrong.code).toBe(2);
    expect(errorOf(wrong)).toMatchObject({ code: 'wrong-type', file: folder.file('wrong.yaml'), line: 5 });
  });
});
