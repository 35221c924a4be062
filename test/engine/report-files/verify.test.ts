import { hash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { endMark, splitAtMark, type MarkedForm } from '#engine/report-files/end-mark.ts';
import { renderHtml } from '#engine/report-files/html.ts';
import { renderPdf } from '#engine/report-files/pdf.ts';
import { sealDocument, toCanonicalJson } from '#engine/report-files/seal.ts';
import { verifyFile } from '#engine/report-files/verify.ts';
import { font, gathered, sampleDocument } from './sample.ts';

const before = sealDocument({ ...sampleDocument(), id: 'record-0' });
const sealed = sealDocument(sampleDocument(), before);
const files: Record<'json' | 'html' | 'pdf', Buffer> = {
  json: Buffer.from(toCanonicalJson(sealed)),
  html: Buffer.from(renderHtml(sealed, 'zh-CN')),
  pdf: Buffer.alloc(0),
};
const FORMS = ['json', 'html', 'pdf'] as const;

/** Rebuilds the PDF with the streams of its pages packed anew, and everything else in order. */
function rebuilt(pack: (content: Buffer) => Buffer): Buffer {
  const [content] = splitAtMark('pdf', files.pdf);
  const text = Buffer.from(content).toString('latin1');
  const [body = '', tail = ''] = text.split('xref\n0 ');
  const offsets = new Map<string, number>();
  const streams = /(\/Length )\d+(\n\/Filter \/FlateDecode\n>>\nstream\n)([^]*?)(?=\nendstream\nendobj\n)/g;
  const changed = body.replace(streams, (_whole, length: string, frame: string, stream: string) => {
    const packed = pack(inflateSync(Buffer.from(stream, 'latin1')));
    return `${length}${packed.length}${frame}${packed.toString('latin1')}`;
  });
  for (const { 1: id = '', index } of changed.matchAll(/(?<=^|\n)(\d+) 0 obj\n/g)) offsets.set(id, index);
  let id = 0;
  const table = tail
    .replace(/\d{10}(?= 00000 n)/g, () => String(offsets.get(String((id += 1)))).padStart(10, '0'))
    .replace(/startxref\n\d+/, `startxref\n${changed.length}`);
  return Buffer.from(`${changed}xref\n0 ${table}${' '.repeat(files.pdf.length - content.length)}`, 'latin1');
}

/** Returns the file with a fitting last line, as a person who knows its form would make it. */
function marked(form: MarkedForm, bytes: Uint8Array): Buffer {
  const [content] = splitAtMark(form, bytes);
  return Buffer.concat([content, Buffer.from(endMark(form, hash('sha256', content, 'hex')))]);
}

beforeAll(async () => {
  files.pdf = await gathered(renderPdf(sealed, 'zh-CN', font));
});

describe('the verification of a file', () => {
  it.each(FORMS)('finds %s intact, reads its content, and says that a hash is no signature', async (form) => {
    const verdict = await verifyFile(files[form], { font });

    expect(verdict).toMatchObject({ state: 'intact', form, sealed });
    expect(verdict.findings.map(({ id }) => id)).toEqual([
      'report.verify.intact',
      'report.verify.visible',
      'report.verify.chain-unchecked',
      'report.verify.no-signature',
    ]);
  });
  // Would catch: a byte that is not checked.
  it.each(FORMS)('finds a flipped bit anywhere in %s', async (form) => {
    const step = Math.ceil(files[form].length / 400);
    const missed: number[] = [];
    for (let at = 0; at < files[form].length; at += step) {
      const copy = Buffer.from(files[form]);
      copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8));
      if (/intact/.test((await verifyFile(copy)).state)) missed.push(at);
    }

    expect(missed).toEqual([]);
  });
  it.each(FORMS)('finds %s cut off or added to', async (form) => {
    expect((await verifyFile(files[form].subarray(0, -7))).state).not.toBe('intact');
    expect((await verifyFile(Buffer.concat([files[form], Buffer.from(' x')]))).state).not.toBe('intact');
  });
  // Would catch: the trick of changing what is seen and leaving the data alone, with the last line made anew.
  it('finds a visible word changed although the data and the last line fit', async () => {
    const html = files.html.toString().replace('No reaction within 5 s', 'Reaction within 5 s');
    const verdict = await verifyFile(marked('html', Buffer.from(html)));

    expect(verdict).toMatchObject({
      state: 'changed',
      findings: [{ id: 'report.verify.visible-changed', values: { line: expect.any(Number) as number } }],
    });
    expect(verdict.sealed?.sha256).toBe(sealed.sha256);
  });
  it('finds pages of another document around the data of this one', async () => {
    const other = sealDocument({ ...sampleDocument(), title: 'Gate 4' }, before);
    const pages = await gathered(renderPdf(other, 'zh-CN', font));
    const attached = /\/Type \/EmbeddedFile[^]*?endobj\n/;
    const own = attached.exec(files.pdf.toString('latin1'))?.[0] ?? '';
    const forged = Buffer.from(
      pages.toString('latin1').replace(attached, () => own),
      'latin1',
    );

    expect((await verifyFile(marked('pdf', forged), { font })).state).toBe('changed');
  });
  // Would catch: one word of a page painted over with all else in order; a table of offsets that leads past a page.
  it('finds a page drawn otherwise, and an object hidden from readers', async () => {
    const painted = rebuilt((content) =>
      deflateSync(Buffer.from(content.toString('latin1').replace('1 0 0 -1 48', '1 0 0 -1 49'), 'latin1')),
    );
    const text = files.pdf.toString('latin1');
    const offsets = [...text.matchAll(/\d{10}(?= 00000 n)/g)];
    const hidden = Buffer.from(text.replace(offsets[20]?.[0] ?? '', offsets[30]?.[0] ?? ''), 'latin1');

    for (const forged of [painted, hidden]) {
      expect((await verifyFile(marked('pdf', forged), { font })).findings.map(({ id }) => id)).toEqual([
        'report.verify.pages-changed',
      ]);
    }
  });
  // Would catch: a file called changed because another computer packs the same pages into other bytes.
  it('finds a PDF intact that another computer packed', async () => {
    const packed = rebuilt((content) => deflateSync(content, { level: 1 }));

    expect(Buffer.compare(packed, files.pdf)).not.toBe(0);
    expect((await verifyFile(marked('pdf', packed), { font })).state).toBe('intact');
  });
  // Would catch: every old file called forged after an update; and one of this version called merely old.
  it('does not call the look of another version a change, and says that it was not compared', async () => {
    const html = marked('html', Buffer.from(files.html.toString().replace('font:15px', 'font:16px')));

    expect((await verifyFile(html, { version: '0.1.0' })).state).toBe('changed');
    expect(await verifyFile(html, { version: '0.2.0' })).toMatchObject({
      state: 'content-intact',
      findings: [{}, { id: 'report.verify.other-version', values: { version: '0.1.0' } }, {}, {}],
    });
  });
  it('compares with the records that are kept', async () => {
    const findings = async (kept: Record<string, string>): Promise<unknown> => {
      const verdict = await verifyFile(files.json, { kept: new Map(Object.entries(kept)) });
      return [verdict.state, verdict.findings.at(0)?.id, verdict.findings.at(-1)?.id];
    };
    const other = 'f'.repeat(64);

    expect(await findings({ [sealed.document.id]: sealed.sha256, 'record-0': before.sha256 })).toEqual([
      'intact',
      'report.verify.intact',
      'report.verify.known',
    ]);
    expect(await findings({ [sealed.document.id]: other })).toEqual([
      'changed',
      'report.verify.kept-differs',
      'report.verify.kept-differs',
    ]);
    expect(await findings({ 'record-0': other })).toEqual([
      'chain-broken',
      'report.verify.chain-broken',
      'report.verify.visible',
    ]);
  });
  it.each([
    ['nothing', ''],
    ['another JSON', '{"a":1}'],
    ['a web page', '<!doctype html><p>hello'],
    ['another PDF', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\nxref\n'],
    ['deep nesting', '['.repeat(200_000)],
    ['no text', '\u0000\u0001'],
    ['a newer format', toCanonicalJson(sealed).replace('fieldwright-report/1', 'fieldwright-report/9')],
  ])('says of %s that it is none of ours, or none that it reads', async (_what, text) => {
    expect((await verifyFile(Buffer.from(text))).state).toBe('foreign');
  });
  it.each([
    ['another value', (json: string) => json.replace('No battery fitted', 'All well')],
    ['a member more', (json: string) => json.replace('{"document":{', '{"document":{"__proto__":{"a":1},')],
    [
      'deep nesting',
      (json: string) => json.replace('"No battery fitted"', '['.repeat(100_000) + ']'.repeat(100_000)),
    ],
    ['white space', (json: string) => json.replace(',', ', ')],
  ])('finds %s in the content', async (_what, change) => {
    const verdict = await verifyFile(Buffer.from(change(toCanonicalJson(sealed))));

    expect(verdict).toMatchObject({ state: 'changed', form: 'json' });
  });
  // Would catch: a small file that takes gigabytes before it is refused.
  it('counts what is inside before it is read', async () => {
    const nothing = `"x":[${'{},'.repeat(2_500_000)}0],"format"`;

    const { findings } = await verifyFile(Buffer.from(toCanonicalJson(sealed).replace('"format"', nothing)));

    expect(findings).toMatchObject([{ id: 'report.verify.content-invalid', values: { path: 'JSON' } }]);
  });
});
