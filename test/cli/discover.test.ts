/** `discover` as scripts and people run it; loopback only. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type Site } from '../../src/simulator/index.ts';
import { errorOf, makeFolder, run } from './helpers.ts';

const folder = makeFolder();
let site: Site;
let url = '';
let port = '';
beforeAll(async () => {
  site = await startSite({ host: '127.9.6.1' });
  url = site.devices[0]?.url ?? '';
  port = new URL(url).port;
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

const QUICK = ['discover', '--seconds', '0.1', '--interface', 'lo'];
const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('discover', () => {
  it('prints one object a line with url, name and via, and nothing else on stdout', async () => {
    const result = await run(folder, [...QUICK, '--sweep', '127.9.6.0/29', '--ports', port, '--json']);

    expect(result.code).toBe(0);
    expect(lines(result.stdout)).toMatchObject([
      { type: 'sighting', url, name: '127.9.6.1', via: 'sweep', state: 'present' },
    ]);
    expect(result.stderr).toBe('');
  });

  it('names the device of the inventory that was seen', async () => {
    const added = (await run(folder, ['device', 'add', url, '--name', 'Gate', '--json'])).json<{
      readonly id: string;
    }>();

    const result = await run(folder, [...QUICK, '--sweep', '127.9.6.1', '--ports', port, '--json']);

    expect(lines(result.stdout).at(-1)).toMatchObject({ url, deviceId: added.id });
  });

  it('ends with 0 and says so on stderr where nothing was found', async () => {
    const result = await run(folder, [...QUICK, '--json']);

    expect(result).toMatchObject({ code: 0, stdout: '' });
    expect(result.stderr).toContain('No device was found');
  });

  it('ends its stream with the doctor: what was tried on each interface, and what to do next', async () => {
    const last = lines(
      (await run(folder, [...QUICK, '--sweep', '127.9.6.0/29', '--ports', port, '--doctor', '--json']))
        .stdout,
    ).at(-1);

    expect(last).toMatchObject({
      type: 'doctor',
      devices: 1,
      sweep: { cidr: '127.9.6.0/29', done: 6, found: 1, refused: 5 },
    });
    expect(last?.['interfaces']).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'lo', family: 'IPv4', state: 'listening' })]),
    );
    expect(last?.['findings']).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'wrong-port', next: expect.any(String) })]),
    );
  });

  it('gives people columns and the report as text', async () => {
    const result = await run(folder, [...QUICK, '--sweep', '127.9.6.1', '--ports', port, '--doctor']);

    expect(result.stdout.split('\n')[0]).toMatch(new RegExp(`^127\\.9\\.6\\.1 +${url} +sweep`));
    expect(result.stdout).toContain('Findings');
    expect(result.stderr).toContain('1 device found');
  });

  it.each([
    ['a range wider than /20', ['--sweep', '127.0.0.0/19'], 'out-of-range'],
    ['a network that is not ours', ['--sweep', '203.0.113.0/28'], 'not-allowed'],
    ['a range that is none', ['--sweep', 'everything'], 'usage'],
    ['an interface that is not there', ['--interface', 'nowhere0'], 'usage'],
    ['a time that is none', ['--seconds', 'soon'], 'usage'],
    ['no time at all', ['--seconds', '0'], 'usage'],
    ['ports without a sweep', ['--ports', '80'], 'usage'],
    ['a port that is none', ['--sweep', '127.0.0.1', '--ports', '80,x'], 'usage'],
    ['too many words', ['now'], 'usage'],
  ])('refuses %s with exit 2 before anything is sent', async (_what, words, code) => {
    const result = await run(folder, ['discover', '--interface', 'lo', ...words, '--json']);

    expect(result.code).toBe(2);
    expect(errorOf(result)).toMatchObject({ code, source: 'user' });
  });

  // Would catch: a search of an hour that Ctrl-C does not end, or that loses what was seen.
  it('stops at Ctrl-C with 130 and still gives the report', async () => {
    const result = await run(
      folder,
      [
        'discover',
        '--seconds',
        '3600',
        '--interface',
        'lo',
        '--sweep',
        '127.9.6.1',
        '--ports',
        port,
        '--doctor',
        '--json',
      ],
      {
        onOutput: (_text, interrupt) => {
          interrupt();
        },
      },
    );

    expect(result.code).toBe(130);
    expect(lines(result.stdout).at(-1)).toMatchObject({ type: 'doctor', devices: 1 });
  });
});
