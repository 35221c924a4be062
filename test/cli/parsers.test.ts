/** Values of options that are wrong: refused before anything is opened or sent, with the name of the option. */
import { existsSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { errorOf, makeFolder, run } from './helpers.ts';

const folder = makeFolder();
afterAll(() => folder.remove());

// Would catch: a value that is taken as NaN or as text, and an error that names no option.
it.each([
  ['a number below its bounds', '--limit', ['jobs', 'list', '--limit', '0']],
  ['a number that is not whole', '--concurrency', ['plan', '--template', 't', '--concurrency', '1.5']],
  ['a number with a sign', '--canary', ['apply', '--template', 't', '--canary', '-1']],
  [
    'one bad number of several',
    '--engine',
    ['model', 'send', '--file', 'f', '--mpid', 'm', '--engine', '1', '--engine', 'x'],
  ],
  ['an empty place in a list', '--ports', ['discover', '--sweep', '192.0.2.0/30', '--ports', '80,']],
  ['seconds above an hour', '--seconds', ['discover', '--seconds', '3601']],
  ['a word that is none of those allowed', '--state', ['jobs', 'list', '--state', 'lost']],
  ['a sign-in scheme in other letters', '--auth', ['caps', '--device', 'x', '--auth', 'Digest']],
  ['a day that there is not', '--from', ['jobs', 'list', '--from', '2030-13-01']],
  ['a parameter without a name', '--param', ['call', 'gate.status.get', '--param', '=1', '--device', 'x']],
  [
    'a parameter that is given twice',
    '--param',
    ['call', 'x', '--param', 'a=1', '--param', 'a=2', '--device', 'x'],
  ],
  ['a column without a field', '--map', ['device', 'import', 'x.csv', '--map', 'name']],
  [
    'a person where one alone is enrolled',
    '--employee',
    ['fingerprints', 'enrol', '--finger', '1', '--employee', '1', '--employee', '2'],
  ],
  ['a required option that is missing', '--out', ['users', 'export', '--device', 'x']],
])('refuses %s: %s', async (_what, option, args) => {
  const result = await run(folder, [...args, '--data-dir', folder.file('data'), '--json']);

  expect(result.code).toBe(2);
  expect(errorOf(result)).toMatchObject({ code: 'usage', source: 'user', path: option });
  expect(existsSync(folder.file('data'))).toBe(false);
});

// Would catch: the ports of a profile that can only be replaced, never taken away.
it('takes no text for an empty list of ports', async () => {
  const save = async (ports: string) =>
    (
      await run(folder, [
        'profile',
        'save',
        'Cameras',
        '--ports',
        ports,
        '--data-dir',
        folder.file('own'),
        '--json',
      ])
    ).json<{ ports: number[] }>().ports;

  expect(await save('80,8080')).toEqual([80, 8080]);
  expect(await save('')).toEqual([]);
});
