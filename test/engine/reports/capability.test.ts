/** Capability reports: true beside claimed, of many devices, without them, and harmless whatever a device is called. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { layOut } from '#report-layout/lay-out.ts';
import { renderCsv } from '#engine/report-files/files.ts';
import { renderHtml } from '#engine/report-files/html.ts';
import { readReportFont, renderPdf } from '#engine/report-files/pdf.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { sealDocument, toCanonicalJson } from '#engine/report-files/seal.ts';
import { verifyFile } from '#engine/report-files/verify.ts';
import { buildCapabilityReport } from '#engine/reports/capability/report.ts';
import { CAPABILITY_HEADS, listCapabilityRows } from '#engine/reports/capability/rows.ts';
import { listTruths } from '#engine/reports/capability/truth.ts';
import { markOf } from '#engine/reports/reading.ts';
import { type SealedDocument, reportSchemaText } from '#shared/report-document.ts';
import { openSite, type TestSite } from '../site-engine.ts';
import { CONTEXT, bytesOf, gatherAll, subjectOf } from './make.ts';

let at: TestSite;

const hasPdfToText = spawnSync('pdftotext', ['-v']).error === undefined;
const resourcesDir = join(import.meta.dirname, '../../../resources');

function textOf(sealed: SealedDocument): string {
  const lines: string[] = [];
  for (const piece of layOut(sealed, getReader('en'))) {
    if (piece.piece === 'heading' || piece.piece === 'text') lines.push(piece.text);
    if (piece.piece === 'table')
      for (const row of piece.rows) lines.push(row.map(({ text }) => text).join(' | '));
  }
  return lines.join('\n');
}

async function pdfOf(sealed: SealedDocument): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of renderPdf(sealed, 'en', await readReportFont(resourcesDir))) parts.push(part);
  return Buffer.concat(parts);
}

async function report(site: TestSite, offline = false): Promise<SealedDocument> {
  const json = await bytesOf(site.engine, {
    kind: 'capabilities',
    deviceIds: [...site.ids],
    offline,
    format: 'json',
    language: 'en',
  });
  return JSON.parse(json.toString('utf8')) as SealedDocument;
}

describe('a capability report of the virtual site', () => {
  it('tells flags that no specification lists, limits, what reads answered, and is valid by the published schema', async () => {
    at = await openSite({ devices: 2, kinds: ['thermal', 'gate'] });
    await gatherAll(at.engine, at.ids);

    const sealed = await report(at);

    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(reportSchemaText()) as object);
    expect(validate(sealed), JSON.stringify(validate.errors)).toBe(true);
    const text = textOf(sealed);
    expect(text).toContain('Flags that the specification does not list');
    expect(text).toContain('SysCap.NetworkCap.isSupportWireless | × no');
    expect(text).toMatch(
      /Temperature measuring modes \| — \| . \S+ \| ✓ works|Temperature measuring mode \| channelID 1 \| ✓ yes \| ✓ works/,
    );
    expect(text).toContain('□ not there');
  });

  // Would catch: one dead device that takes the report of all others with it.
  it('has a line for a device that fails, and what was read of it before', async () => {
    at = await openSite({ devices: 3, kinds: ['thermal', 'counter'] });
    await gatherAll(at.engine, at.ids);
    at.site.device(1).setFault('reset');

    const events = await gatherAll(at.engine, at.ids);

    expect(events.map(({ done }) => done)).toEqual([1, 2, 3]);
    expect(events.filter(({ error }) => error !== undefined).map(({ deviceId }) => deviceId)).toEqual([
      at.ids[1],
    ]);
    const text = textOf(await report(at));
    expect(text).toContain('could not be read this time: 1; of them shown as they were read before: 1.');
    expect(text).toMatch(
      new RegExp(
        `${at.site.devices[1]?.name ?? ''} \\| http\\S+ \\| Counter \\| \\d \\| × failed \\| \\d{4}-`,
      ),
    );
  });

  // Would catch: a report from memory that looks as if it were made today, or that asks the device all the same.
  it('is made without a device, and says so', async () => {
    at = await openSite({ devices: 1, kinds: ['ai'] });
    await gatherAll(at.engine, at.ids);
    const before = at.site.device(0).requests.length;

    const text = textOf(await report(at, true));

    expect(at.site.device(0).requests.length).toBe(before);
    expect(text).toContain('Made from earlier answers');
  });

  // Would catch: everything lost with a cancel.
  it('keeps what was read when it is stopped', async () => {
    at = await openSite({ devices: 2, kinds: ['counter'] });
    const stop = new AbortController();
    for await (const event of at.engine.reports.gather({ deviceIds: [...at.ids] }, stop.signal)) {
      if (event.done === 1) stop.abort();
    }

    expect(
      (await at.engine.reports.readings({}, new AbortController().signal)).length,
    ).toBeGreaterThanOrEqual(1);
  });

  // Would catch: 200 devices listed 200 times; or two that differ listed as one.
  it('tells of identical devices once', async () => {
    at = await openSite({ devices: 4, kinds: ['counter'] });
    await gatherAll(at.engine, at.ids);
    const alike = textOf(await report(at));
    at.site.device(2).setFault('malformed', 1, { operation: 'peopleCounting.status.get' });
    await gatherAll(at.engine, at.ids);

    const told = textOf(await report(at));

    expect(alike).toContain('Group 1: 4 identical devices');
    expect(told).toContain('Group 1: 3 identical devices');
    expect(told).toContain('◆ not readable');
  });
});

describe('claim against truth', () => {
  const flag = (state: 'true' | 'false') => ({
    operation: 'thermal.capabilities.get',
    path: 'isSupportThermometryMode',
    label: 'Temperature measuring mode',
    state,
  });
  const answer = (mark: 'works' | 'not-found' | 'no-permission') => ({
    operation: 'thermal.thermometryMode.get',
    params: { channelID: 1 },
    mark,
  });

  it.each([
    ['true', 'works', undefined],
    ['true', 'not-found', 'not-kept'],
    ['true', 'no-permission', 'unproved'],
    ['false', 'works', 'denied'],
    ['false', 'not-found', undefined],
  ] as const)('claimed %s, answered %s: %s', (state, mark, verdict) => {
    const { reading } = subjectOf({ flags: [flag(state)], answers: [answer(mark)] }).known;
    if (reading === undefined) throw new Error('no reading');

    expect(listTruths(reading)[0]?.verdict).toBe(verdict);
  });

  it.each([
    ['no-permission', { http: 403 }, 'no-permission'],
    ['sign-in-paused', undefined, 'no-permission'],
    ['not-supported', { http: 403, subStatusCode: 'notSupport' }, 'not-found'],
    ['malformed-answer', undefined, 'malformed'],
    ['timeout', undefined, 'no-answer'],
    ['device-error', { http: 500 }, 'refused'],
  ] as const)('%s with %o is %s', (code, status, mark) => {
    expect(markOf({ code, ...(status && { status }) })).toBe(mark);
  });
});

describe('hostile names', () => {
  const NAMES = [
    '=cmd()|calc!A1',
    '<script>alert(1)</script>',
    'camera\u202egnp.exe',
    'x'.repeat(65_536),
    '"; DROP TABLE',
  ];
  const subjects = NAMES.map((name, nth) =>
    subjectOf({
      deviceId: `d-${nth}`,
      name,
      answers: [
        {
          operation: 'storage.status.get',
          params: {},
          mark: 'works',
          facts: [{ label: name, value: name }],
          unlisted: [{ path: name, value: name }],
        },
      ],
    }),
  );
  const sealed = sealDocument(buildCapabilityReport(subjects, { offline: false }, CONTEXT));

  it('are text in HTML, without marks that reorder it', () => {
    const html = renderHtml(sealed, 'en');

    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('\u202e');
    expect(html).toContain('camera\\u{202e}gnp.exe');
  });

  it('are no formula in CSV, which reads back cell by cell', async () => {
    const parts: Uint8Array[] = [];
    const rows = subjects.flatMap((subject) => [...listCapabilityRows(subject)]);
    for await (const part of renderCsv(CAPABILITY_HEADS, rows, 'en')) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');

    const cells = parse(text, { bom: true }) as string[][];

    expect(cells.every((row) => row.length === CAPABILITY_HEADS.length)).toBe(true);
    expect(cells.flat().filter((cell) => /^[=+@\t\r]|^-\D/.test(cell))).toEqual([]);
    expect(cells.flat()).toContain("'=cmd()|calc!A1");
  });

  it.skipIf(!hasPdfToText)('are text on the pages of a PDF, and the same in its data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fieldwright-pdf-'));
    try {
      const file = join(folder, 'report.pdf');
      writeFileSync(file, await pdfOf(sealed));
      execFileSync('pdftotext', ['-layout', file, join(folder, 'report.txt')]);
      const text = readFileSync(join(folder, 'report.txt'), 'utf8');
      expect(text).toContain('=cmd()|calc!A1');
      expect(text).toContain('<script>alert(1)</script>');
      expect(text).not.toContain('\u202e');
      expect((await verifyFile(readFileSync(file))).sealed?.sha256).toBe(sealed.sha256);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are cut in the canonical JSON, which stays valid', () => {
    const json = toCanonicalJson(sealed);

    expect((JSON.parse(json) as SealedDocument).document.devices?.[3]?.name.length).toBeLessThan(4100);
  });
});
