/** Reports as a script makes them: the file, the exit code, nothing sent where it is offline. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'csv-parse/sync';
import type { SealedDocument } from '#shared/report-document.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { errorOf, makeFolder, run, type Folder } from './helpers.ts';

let site: Site;
let folder: Folder;
const PASSWORD = 'Correct-horse-7';
const env = { FIELDWRIGHT_PASSWORD: PASSWORD };

beforeAll(async () => {
  site = await startSite({ devices: 3, kinds: ['counter', 'gate'], password: PASSWORD });
});
afterAll(() => site.close());
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

function devices(...nth: readonly number[]): readonly string[] {
  return nth.flatMap((at) => ['--device', site.devices[at]?.url ?? '']);
}

describe('report capabilities', () => {
  it('writes the file and says what it is', async () => {
    const file = folder.file('site.json');

    const result = await run(folder, ['report', 'capabilities', ...devices(0, 1), '--out', file, '--json'], {
      env,
    });

    expect(result.code, result.stderr).toBe(0);
    const sealed = JSON.parse(readFileSync(file, 'utf8')) as SealedDocument;
    expect(result.json()).toMatchObject({ file, format: 'json', sha256: sealed.sha256 });
    const verified = await run(folder, ['flow', 'verify', file, '--json']);
    expect(verified.json()).toMatchObject({ state: 'intact', form: 'json' });
  });

  it('speaks Chinese where that is asked for, in every format that has words', async () => {
    const file = folder.file('site.csv');

    await run(folder, ['report', 'capabilities', ...devices(0), '--out', file, '--lang', 'zh-CN'], { env });

    const [heads, ...rows] = parse(readFileSync(file), { bom: true }) as string[][];
    expect(heads?.[0]).toBe('设备');
    expect(rows.length).toBeGreaterThan(20);
  });

  // Would catch: a cover without the file's contents; a file of brackets that fills the memory; an error in
  // English.
  it('takes company and logo from a file, and refuses one that is none', async () => {
    const branding = folder.file('branding.yaml');
    const out = folder.file('site.json');
    const report = (...more: readonly string[]) =>
      run(folder, ['report', 'capabilities', ...devices(0), '--out', out, '--branding', branding, ...more], {
        env,
      });
    const wrong = ['['.repeat(3_000_000), 'company: [A', 'firm: A'];
    for (const text of wrong) {
      writeFileSync(branding, text);
      const result = await report('--json');
      expect([result.code, errorOf(result)]).toMatchObject([2, { code: 'unreadable-file', file: branding }]);
    }
    writeFileSync(branding, 'company: Ladder & Sons\nlines: [Main street 1]\n');
    await report();

    const { document } = JSON.parse(readFileSync(out, 'utf8')) as SealedDocument;
    expect(document.cover).toEqual({ company: 'Ladder & Sons', lines: ['Main street 1'] });
  });

  // Would catch: a report of 200 devices that comes to nothing because one was switched off; or that exits 0 then.
  it('goes on where a device is dead, and exits 1', async () => {
    const file = folder.file('site.html');

    const result = await run(
      folder,
      [
        'report',
        'capabilities',
        ...devices(0),
        '--device',
        'http://127.0.0.1:9',
        '--out',
        file,
        '--progress',
        '--json',
      ],
      { env },
    );

    expect(result.code).toBe(1);
    const lines = result.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { error?: object; file?: string });
    expect(lines.filter(({ error }) => error !== undefined)).toHaveLength(1);
    expect(lines.at(-1)?.file).toBe(file);
    expect(readFileSync(file, 'utf8')).toContain('http://127.0.0.1:9');
  });

  it('sends nothing with --offline, and tells what was never read', async () => {
    const file = folder.file('old.json');
    await run(folder, ['report', 'capabilities', ...devices(0), '--out', folder.file('new.json')], { env });
    const before = site.devices.map((_device, nth) => site.device(nth).requests.length);

    const result = await run(
      folder,
      ['report', 'capabilities', ...devices(0, 2), '--offline', '--out', file, '--json'],
      { env },
    );

    expect(result.code).toBe(0);
    expect(site.devices.map((_device, nth) => site.device(nth).requests.length)).toEqual(before);
    expect(readFileSync(file, 'utf8')).toContain('reports.never-read');
  });

  it.each([
    [['--out', 'report.docx'], '--format'],
    [['--format', 'html'], '--out'],
  ])('refuses %j before anything is sent', async (args, path) => {
    const before = site.device(0).requests.length;

    const result = await run(folder, ['report', 'capabilities', ...devices(0), ...args, '--json'], { env });

    expect(result.code).toBe(2);
    expect(errorOf(result).path).toBe(path);
    expect(site.device(0).requests.length).toBe(before);
  });

  // Would catch: requested answers left out without notice.
  it('refuses to ask devices for diagnostics while nothing may be sent', async () => {
    const args = ['--operation', 'system.capabilities.get', '--offline', '--out', folder.file('help.json')];

    const result = await run(folder, ['report', 'diagnostics', ...devices(0), ...args, '--json'], { env });

    expect([result.code, errorOf(result).path]).toEqual([2, '--offline']);
  });

  it('replaces no file unasked, and leaves none where it is stopped', async () => {
    const file = folder.file('site.csv');
    const args = ['report', 'capabilities', ...devices(0, 1, 2), '--out', file, '--progress', '--json'];

    const stopped = await run(folder, args, { env, onOutput: (_text, interrupt) => interrupt() });

    expect(stopped.code).toBe(130);
    expect(existsSync(file)).toBe(false);
    expect((await run(folder, args, { env })).code).toBe(0);
    expect((await run(folder, args, { env })).code).toBe(2);
  });

  // Would catch: a document that was changed, of which a script only learns that its devices are not here.
  it('refuses a hand-over document that was changed, also where nothing of it is known here', async () => {
    const file = folder.file('paper.json');
    await run(folder, ['report', 'handover', ...devices(0), '--out', file], { env });
    const paper = readFileSync(file, 'utf8');
    writeFileSync(file, paper.replace('handover', 'hendover'));
    const elsewhere = makeFolder();

    const checked = await run(
      elsewhere,
      ['report', 'comparison', '--with', file, '--out', elsewhere.file('x.json'), '--json'],
      {
        env,
      },
    );
    elsewhere.remove();

    expect(checked.code).toBe(2);
    expect(errorOf(checked)).toMatchObject({ code: 'unreadable-file', path: 'document' });
  });

  // Would catch: facts that a hand-over document has only where their file is named again.
  it('keeps the facts of a site, and gives them back', async () => {
    const file = folder.file('details.json');
    writeFileSync(file, '{"customer":"Quay 7","keys":[{"what":"Master key","where":"Safe"}]}');
    const paper = folder.file('paper.json');

    const kept = await run(folder, ['report', 'details', '--from', file, '--json'], { env });
    const shown = await run(folder, ['report', 'details', '--out', '-'], { env });
    await run(folder, ['report', 'handover', ...devices(0), '--offline', '--out', paper], { env });

    expect(kept.code, kept.stderr).toBe(0);
    expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    expect(readFileSync(paper, 'utf8')).toContain('Quay 7');
    expect((await run(folder, ['report', 'details'], { env })).code).toBe(2);
  });
});
