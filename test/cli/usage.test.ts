/** Words that are wrong: exit 2, the error shape, nothing touched. */
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf, makeFolder, run } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

describe('usage errors', () => {
  it.each([
    ['an unknown command', ['plann']],
    ['an unknown subcommand', ['device', 'ad']],
    ['an unknown option', ['operations', '--jsn']],
    ['a missing argument', ['call']],
    ['too many arguments', ['operations', 'extra']],
    ['a group without its subcommand', ['jobs']],
    ['no command at all', []],
    ['a number that is none', ['simulate', '--devices', 'many']],
    ['a number out of range', ['simulate', '--port', '70000']],
    ['more ports than there are', ['simulate', '--port', '65535', '--devices', '2']],
    ['an unknown kind', ['simulate', '--kinds', 'thermal,toaster']],
    ['an unknown fault', ['simulate', '--fault', 'earthquake']],
    ['an unknown scheme', ['simulate', '--auth', 'ntlm']],
    ['no device', ['caps']],
    ['no template', ['plan', '--device', 'http://127.0.0.1:9']],
    ['template and plan together', ['apply', '--template', 'a', '--plan', 'b', '--device', 'x']],
    ['a parameter without value', ['call', 'gate.status.get', '--param', 'channelID', '--device', 'x']],
    ['an unknown method', ['request', 'PATCH', '/API/x', '--device', 'http://127.0.0.1:9']],
    ['a language that is none', ['operations', '--lang', '!!']],
  ])('refuses %s with exit 2 and one error document', async (_what, args) => {
    const result = await run(folder, [...args, '--json']);

    expect(result.code).toBe(2);
    expect(errorOf(result)).toMatchObject({ source: 'user', message: expect.any(String) });
    expect(result.stderr).toBe('');
  });

  it('tells a person in words on stderr and leaves stdout empty', async () => {
    const result = await run(folder, ['plann']);

    expect(result.stdout).toBe('');
    expect(result.stderr).toContain('plann');
  });

  // Would catch: the list of all commands for a group, and "unknown option --json".
  it.each([[['device']], [['device', '--json']], [['--json', 'device', '--lang=en']]])(
    'tells the commands of the group where one is missing: %j',
    async (args) => {
      const result = await run(folder, args);
      const { code, stdout, stderr } = result;

      expect([code, `${stdout}${stderr}`]).toEqual([
        2,
        expect.stringContaining('fieldwright device --help lists the commands.'),
      ]);
      if (args.includes('--json')) expect(errorOf(result).message).toBe('A command is missing.');
      else expect(stderr).toContain('Usage: fieldwright device');
    },
  );

  it.each([
    [['--vresion'], '--vresion'],
    [['device', '--nmae'], '--nmae'],
  ])('names the option that is not known: %j', async (args, option) => {
    expect(errorOf(await run(folder, [...args, '--json'])).message).toContain(option);
  });

  // Would catch: a typing error that is answered with "add --yes".
  it.each([
    [['flow', 'run', 'nope'], 'not-found'],
    [['fingerprints', 'import', 'no-such-file'], 'unreadable-file'],
  ])('names what there is not before it asks for a yes: %j', async (args, code) => {
    const result = await run(folder, [...args, '--device', 'http://127.0.0.1:9', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, code]);
  });

  // Would catch: "1 errors", and an error of a whole file without the path that every error has.
  it('counts one error as one, and names the whole file by an empty path', async () => {
    const file = folder.file('empty.yaml');
    writeFileSync(file, 'fieldwright: template/1\nname: X\nsections: []\n');
    expect((await run(folder, ['template', 'check', file])).stderr).toMatch(/: 1 error\.\n/);
    writeFileSync(file, 'some text');
    expect(errorOf(await run(folder, ['template', 'check', file, '--json']))).toMatchObject({
      path: '',
      line: 1,
    });
  });

  // Would catch: a sentence that names no option any more, for screens, and so leaves a script without the remedy.
  it('name the option that helps, in the language of the terminal and as data', async () => {
    const list = folder.file('devices.csv');
    writeFileSync(list, 'where,colour\nhttp://127.0.0.1:9,red\n');
    const importList = ['device', 'import', list];

    const english = await run(folder, importList);
    const german = await run(folder, [...importList, '--lang', 'de']);
    const forScripts = errorOf(await run(folder, [...importList, '--json']));

    for (const text of [english.stderr, german.stderr, forScripts.hint])
      expect(text?.match(/--map/g)).toHaveLength(2);
    expect(german.stderr).toContain('--map SPALTE=address');
  });

  it('suggests the command that was meant', async () => {
    expect(errorOf(await run(folder, ['plann', '--json'])).hint).toContain('plan');
  });

  it.each([['--password', 'Secret-1'], ['--password=Secret-1'], ['--passphrase=Secret-1']])(
    'refuses %s without repeating the password',
    async (...words) => {
      const result = await run(folder, ['device', 'add', 'http://127.0.0.1:9', ...words, '--json']);

      expect(result.code).toBe(2);
      expect(errorOf(result).message).toContain('never taken from an argument');
      expect(result.stdout + result.stderr).not.toContain('Secret-1');
    },
  );

  it('refuses a password inside an address without repeating it', async () => {
    for (const args of [
      ['device', 'add', 'http://admin:Secret-1@127.0.0.1:9'],
      ['caps', '--device', 'http://admin:Secret-1@127.0.0.1:9'],
    ]) {
      const result = await run(folder, [...args, '--json']);

      expect(result.code).toBe(2);
      expect(result.stdout + result.stderr).not.toContain('Secret-1');
    }
  });

  it('takes global options before the command as after it', async () => {
    const other = folder.file('elsewhere');
    const before = await run(folder, ['--json', '--data-dir', other, 'device', 'list']);
    const after = await run(folder, ['device', 'list', `--data-dir=${other}`, '--json']);

    expect(before.json()).toEqual([]);
    expect(after.json()).toEqual([]);
    expect(existsSync(other)).toBe(true);
  });

  it('prints help and version with exit 0', async () => {
    const help = await run(folder, ['--help']);
    const version = await run(folder, ['--version']);

    expect([help.code, version.code]).toEqual([0, 0]);
    expect(help.stdout).toContain('simulate');
    expect(help.stdout).toContain('discover');
    expect(help.stdout).toContain('fingerprints');
    // Would catch: options that every command takes and the help does not mention.
    for (const option of ['--json', '--data-dir', '--lang']) expect(help.stdout).toContain(option);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('lists all 104 operations with exactly the promised fields', async () => {
    const entries = (await run(folder, ['operations', '--json'])).json<readonly Record<string, unknown>[]>();

    expect(entries).toHaveLength(104);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(104);
    for (const entry of entries)
      expect(Object.keys(entry).toSorted()).toEqual(['area', 'format', 'id', 'method', 'path', 'specified']);
  });
});
