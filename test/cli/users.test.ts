/** People on the command line: listed and exported as they come, one document or one line each. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { makeFolder, run, type Folder } from './helpers.ts';

let site: Site;
let folder: Folder;
let env: Record<string, string>;
let gate: readonly string[];

beforeAll(async () => {
  site = await startSite({ devices: 2, kinds: ['gate'], users: 731, password: 'Site-Passw0rd' });
});
afterAll(() => site.close());
beforeEach(() => {
  folder = makeFolder();
  env = { FIELDWRIGHT_PASSWORD: 'Site-Passw0rd' };
  gate = ['--device', site.devices[0]?.url ?? '', '--user', 'admin'];
});
afterEach(() => {
  site.device(0).clearFaults();
  folder.remove();
});

describe('users export', () => {
  // Would catch: an export that stops after the first page, or counts what was asked for.
  it('writes a heading and a line for each of 731 people of a device that gives 30 at a time', async () => {
    const result = await run(folder, ['users', 'export', ...gate, '--out', '-'], { env });

    expect(result.code).toBe(0);
    expect(result.stdout.endsWith('\n')).toBe(true);
    expect(result.stdout.trimEnd().split('\n')).toHaveLength(732);
    const rows = parse(result.stdout, { columns: true }) as Record<string, string>[];
    expect(new Set(rows.map(({ employeeNo }) => employeeNo)).size).toBe(731);
    expect(rows[0]).toMatchObject({ employeeNo: '1001', RightPlan: '1=1', 'Valid.timeType': 'local' });
    expect(JSON.parse(rows[0]?.['other'] ?? '')).toEqual({ badgePrinted: true });
  });

  it('writes a file that spreadsheets read, and says how many', async () => {
    const file = folder.file('people.csv');

    const result = await run(folder, ['users', 'export', ...gate, '--out', file, '--json'], { env });

    expect(result.json()).toMatchObject({ out: file, people: 731 });
    expect(readFileSync(file, 'utf8').startsWith('\ufeffdevice,employeeNo,name')).toBe(true);
  });

  it('writes what the device told line by line as NDJSON', async () => {
    const result = await run(folder, ['users', 'export', ...gate, '--format', 'ndjson', '--out', '-'], {
      env,
    });

    const lines = result.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(731);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ employeeNo: '1001', badgePrinted: true });
  });

  // Would catch: a list with a hole that a script takes for a whole one.
  it('fails where the device did not give everybody', async () => {
    site.device(0).setFault('person-lost', 1, { times: 1 });

    const result = await run(folder, ['users', 'export', ...gate, '--out', '-'], { env });

    expect(result.code).toBe(1);
    expect(result.stderr).toContain('changed-meanwhile');
  });
});

describe('users list', () => {
  it('prints one document, with the device at each person', async () => {
    const result = await run(folder, ['users', 'list', ...gate, '--json'], { env });

    const people = result.json<readonly { device: string; employeeNo: string }[]>();
    expect(people).toHaveLength(731);
    expect(people[0]).toMatchObject({ employeeNo: '1001', faces: 1 });
  });

  it('names a device that did not answer beside the people of the others', async () => {
    const both = ['--device', 'http://127.0.0.1:9', ...gate];

    const result = await run(folder, ['users', 'list', ...both, '--search', '1001', '--json'], { env });

    expect(result.code).toBe(1);
    expect(result.json()).toMatchObject([{ employeeNo: '1001' }, { error: { code: 'connection-refused' } }]);
  });

  it('prints a table for people', async () => {
    const result = await run(folder, ['users', 'list', ...gate, '--search', '1005'], { env });

    expect(result.stdout.split('\n')[1]).toMatch(/^1005 /);
  });
});
