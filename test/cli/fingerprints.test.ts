import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { line, templateOf, tracesOfPrints } from '../engine/fingerprints/site-with-prints.ts';
import { errorOf, makeFolder, run, type Folder, type Ran, type RunOptions } from './helpers.ts';

const PASSWORD = 'Pr1nts-for-the-gates';
let folder: Folder;
let site: Site;
beforeEach(async () => {
  folder = makeFolder();
  site = await startSite({ devices: 2, kinds: ['gate'], password: PASSWORD });
});
afterEach(async () => {
  await site.close();
  folder.remove();
});

const url = (index: number): string => site.devices[index]?.url ?? '';
function fingerprints(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(folder, ['fingerprints', ...args], {
    ...options,
    env: { FIELDWRIGHT_PASSWORD: PASSWORD, ...options.env },
  });
}
const lines = (ran: Ran): readonly Record<string, unknown>[] =>
  ran.stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Record<string, unknown>);

describe('fingerprints import', () => {
  // Would catch: a result that scripts cannot read, a device or reader without one, a wrong exit code.
  it('prints one object a result and ends with 0 where all went well', async () => {
    writeFileSync(folder.file('in.ndjson'), `${line('1001', 2)}\n${line('1002', 3)}\n`);

    const ran = await fingerprints([
      ...['import', folder.file('in.ndjson'), '--device', url(0), '--device', url(1)],
      ...['--reader', '1', '--reader', '2', '--yes', '--json'],
    ]);

    expect(ran.code).toBe(0);
    const results = lines(ran);
    expect(results).toHaveLength(8);
    expect(results[0]).toMatchObject({ reader: 1, status: 'taken', code: 1 });
    expect(
      new Set(results.map((one) => `${String(one['employeeNo'])}/${String(one['fingerPrintID'])}`)),
    ).toEqual(new Set(['1001/2', '1002/3']));
    expect(new Set(results.map(({ device }) => device)).size).toBe(2);
    expect(tracesOfPrints(folder.file('data'), [templateOf('1001/2'), templateOf('1002/3')])).toEqual([]);
    expect(ran.stdout + ran.stderr).not.toContain(templateOf('1001/2').slice(10, 40));
  });

  it('takes standard input, and tells the owner of a finger and lines that cannot be used', async () => {
    site.device(0).setFault('finger-exists', 1, { times: 1 });

    const ran = await fingerprints(['import', '-', '--device', url(0), '--yes', '--json', '--progress'], {
      input: `${line('1001', 2)}\nnonsense\n${line('1001', 3)}\n`,
    });

    expect(ran.code).toBe(1);
    const all = lines(ran);
    expect(all.slice(0, -1)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ status: 'exists', code: 5, owner: '9999' }),
        expect.objectContaining({ status: 'taken', code: 1 }),
        expect.objectContaining({ status: 'bad-line', line: 2, code: null }),
      ]),
    );
    expect(all.at(-1)).toMatchObject({ kind: 'fingerprints', state: 'failed', prints: { work: 'import' } });
  });

  // Would catch: a write without a person's agreement.
  it('asks where somebody can be asked and else sends nothing', async () => {
    writeFileSync(folder.file('in.ndjson'), line('1001', 2));

    const ran = await fingerprints(['import', folder.file('in.ndjson'), '--device', url(0), '--json']);

    expect([ran.code, errorOf(ran).code]).toEqual([2, 'confirmation-needed']);
    expect(site.device(0).requests).toEqual([]);
  });

  it.each([
    ['no such file', ['import', '/nowhere/in.ndjson', '--yes'], 'unreadable-file'],
    ['a reader that there is not', ['import', '-', '--reader', '11', '--yes'], 'usage'],
    ['a cipher that there is not', ['import', '-', '--encrypt', 'rot13', '--yes'], 'usage'],
    ['nothing in it', ['import', '-', '--yes'], undefined],
  ])('ends with 2 where there is %s', async (_what, args, code) => {
    const ran = await fingerprints([...args, '--device', url(0), '--json']);

    if (code !== undefined) expect([ran.code, errorOf(ran).code]).toEqual([2, code]);
    expect(site.device(0).requests.filter(({ told }) => told !== undefined)).toEqual([]);
  });

  // Would catch: exit 0, or an empty job, for a file of which nothing can be sent.
  it.each([
    ['an empty file', ''],
    ['a file of blank lines', '\n\n'],
    ['a file without a usable fingerprint', '{"employeeNo":"1001"}\nnone\n[]\n'],
  ])('ends with 2 for %s, and sends nothing', async (_what, text) => {
    writeFileSync(folder.file('in.ndjson'), text);

    const ran = await fingerprints([
      'import',
      folder.file('in.ndjson'),
      '--device',
      url(0),
      '--yes',
      '--json',
    ]);

    expect(ran.code, ran.stdout + ran.stderr).toBe(2);
    expect(site.device(0).requests).toEqual([]);
  });

  it('ends with 3 where the device cannot be reached, and keeps what was to be done', async () => {
    await site.close();
    writeFileSync(folder.file('in.ndjson'), line('1001', 2));

    const ran = await fingerprints([
      'import',
      folder.file('in.ndjson'),
      '--device',
      url(0),
      '--yes',
      '--json',
    ]);

    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('stays encrypted in the vault');
    const [job] = (await run(folder, ['jobs', 'list', '--json'])).json<{ id: string }[]>();
    const forgotten = await fingerprints(['forget', job?.id ?? '', '--json']);
    const again = await fingerprints(['forget', job?.id ?? '', '--json']);
    expect([forgotten.json(), again.json()]).toEqual([{ wiped: true }, { wiped: false }]);
  });

  it('refuses to encrypt for a device whose token key it does not have', async () => {
    writeFileSync(folder.file('in.ndjson'), line('1001', 2));

    const ran = await fingerprints([
      ...['import', folder.file('in.ndjson'), '--device', url(0), '--encrypt', 'aes-256-cbc'],
      ...['--yes', '--json', '--progress'],
    ]);

    expect(ran.code).not.toBe(0);
    expect(JSON.stringify(lines(ran).at(-1))).toContain('token key');
    expect(site.device(0).requests.filter(({ told }) => told !== undefined)).toEqual([]);
  });
});

describe('fingerprints copy, remove and export', () => {
  it('copies to the readers that they are on, and proves it', async () => {
    const given = site.device(0).part(FINGERPRINTS).present('1009', 4, [1, 2]);

    const ran = await fingerprints(['copy', '--from', url(0), '--to', url(1), '--yes', '--json']);

    const results = lines(ran);
    expect(results.filter(({ employeeNo }) => employeeNo === '1009')).toMatchObject([
      { reader: 1, status: 'taken', seen: true },
      { reader: 2, status: 'taken', seen: true },
    ]);
    expect(site.device(1).part(FINGERPRINTS).find('1009', undefined, 4)).toMatchObject([
      { fingerData: given },
      { fingerData: given },
    ]);
    expect(ran.code).toBe(0);
    expect(tracesOfPrints(folder.file('data'), [given])).toEqual([]);
  });

  it('removes what a person has, and asks the device again', async () => {
    site.device(0).part(FINGERPRINTS).present('1009', 4, [1, 2]);

    const ran = await fingerprints([
      ...['remove', '--employee', '1009', '--employee', 'nobody'],
      ...['--device', url(0), '--yes', '--json'],
    ]);

    expect(ran.code).toBe(0);
    const byReader = lines(ran).toSorted((a, b) => Number(a['reader'] ?? 9) - Number(b['reader'] ?? 9));
    expect(byReader).toMatchObject([
      { employeeNo: '1009', fingerPrintID: 4, reader: 1, status: 'removed', seen: true },
      { employeeNo: '1009', fingerPrintID: 4, reader: 2, status: 'removed', seen: true },
      { employeeNo: 'nobody', status: 'absent' },
    ]);
    expect(site.device(0).part(FINGERPRINTS).find('1009', undefined, undefined)).toEqual([]);
  });

  // Would catch: biometric data exported without a request, readable by others, or not importable again.
  it('exports only where somebody said yes, into a file of their own, and imports it again', async () => {
    site.device(0).part(FINGERPRINTS).present('1009', 4, [1]);
    const out = folder.file('out.ndjson');

    const asked = await fingerprints(['export', '--from', url(0), '--out', out, '--json']);
    const ran = await fingerprints(['export', '--from', url(0), '--out', out, '--yes', '--json']);
    const again = await fingerprints(['import', out, '--device', url(0), '--yes', '--json']);

    expect([asked.code, errorOf(asked).code]).toEqual([2, 'confirmation-needed']);
    expect(ran.json()).toEqual({ file: out, count: 4 });
    if (process.platform !== 'win32') expect(statSync(out).mode & 0o077).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(out, 'utf8').split('\n')[0] ?? '') as object)).toEqual([
      'employeeNo',
      'fingerPrintID',
      'fingerType',
      'fingerData',
      'readers',
    ]);
    // Three are on both readers, and go back to both; a reader takes the same finger of the same person again.
    expect(
      lines(again)
        .map(({ reader, status }) => `${String(reader)}: ${String(status)}`)
        .toSorted(),
    ).toEqual([...Array<string>(4).fill('1: taken'), ...Array<string>(3).fill('2: taken')]);
    expect(again.code).toBe(0);
  });

  it('tells the results of a job again', async () => {
    const ran = await fingerprints(['import', '-', '--device', url(0), '--yes', '--json', '--progress'], {
      input: line('1001', 2),
    });
    const { jobId } = lines(ran).at(-1) as { jobId: string };

    const again = await fingerprints(['results', jobId, '--json']);

    expect(lines(again)).toEqual(lines(ran).slice(0, -1));
  });
});
