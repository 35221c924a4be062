/** `discover` as scripts and people run it; loopback only, where others on this computer may announce devices of their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type Site } from '../helpers/strict-site.ts';
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

const sightings = (stdout: string) => lines(stdout).filter(({ type }) => type === 'sighting');
const ours = (stdout: string) => sightings(stdout).filter((line) => line['url'] === url);
/** Counts the devices of the stream; the same identity is the same device. */
const devicesOf = (stdout: string) => new Set(sightings(stdout).map(({ identity }) => identity)).size;

describe('discover', () => {
  it('prints one object a line with url, name and via, and nothing else on stdout', async () => {
    const result = await run(folder, [...QUICK, '--sweep', '127.9.6.0/29', '--ports', port, '--json']);

    expect(result.code).toBe(0);
    expect(ours(result.stdout)).toMatchObject([{ name: '127.9.6.1', via: 'sweep', state: 'present' }]);
    expect(sightings(result.stdout)).toHaveLength(lines(result.stdout).length);
    expect(result.stderr).toBe('');
  });

  it('names the device of the inventory that was seen', async () => {
    const added = (await run(folder, ['device', 'add', url, '--name', 'Gate', '--json'])).json<{
      readonly id: string;
    }>();

    const result = await run(folder, [...QUICK, '--sweep', '127.9.6.1', '--ports', port, '--json']);

    expect(ours(result.stdout).at(-1)).toMatchObject({ deviceId: added.id });
  });

  it('ends its stream with the doctor: what was tried on each interface, and what to do next', async () => {
    const { stdout } = await run(folder, [
      ...QUICK,
      '--sweep',
      '127.9.6.0/29',
      '--ports',
      port,
      '--doctor',
      '--json',
    ]);
    const last = lines(stdout).at(-1);

    expect(last).toMatchObject({
      type: 'doctor',
      devices: devicesOf(stdout),
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

    const [list = ''] = result.stdout.split('\n\n', 2);
    expect(list).toMatch(new RegExp(`^127\\.9\\.6\\.1 +${url} +sweep`, 'm'));
    expect(result.stdout).toContain('Findings');
    const count = list.split('\n').length;
    expect(result.stderr).toContain(count === 1 ? '1 device found' : `${count} devices found`);
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
    expect(lines(result.stdout).at(-1)).toMatchObject({
      type: 'doctor',
      devices: devicesOf(result.stdout),
    });
  });
});
