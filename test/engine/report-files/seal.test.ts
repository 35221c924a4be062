import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildFact, listFacts } from '#engine/report-files/facts.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { REPORT_LIMITS, reportSchemaText, type Block, type ReportDocument } from '#shared/report-document.ts';
import { renderHtml } from '#engine/report-files/html.ts';
import { sealDocument, toCanonicalJson } from '#engine/report-files/seal.ts';
import { findOperation, type Operation } from '#protocol/index.ts';
import { sampleDocument } from './sample.ts';

describe('a sealed document', () => {
  // Would catch: the same record with another hash on another computer.
  it('has the same hash however its members are ordered', () => {
    const document = sampleDocument();
    const turned = Object.fromEntries(Object.entries(document).toReversed()) as ReportDocument;

    expect(toCanonicalJson(sealDocument(turned))).toBe(toCanonicalJson(sealDocument(document)));
  });
  // Would catch: a record that can be put behind another one without a trace.
  it('hashes what it names as the record before it', () => {
    const first = sealDocument({ ...sampleDocument(), id: 'one' });
    const second = sealDocument({ ...sampleDocument(), id: 'two' }, first);

    expect(second.previous).toEqual({ id: 'one', sha256: first.sha256 });
    expect(second.sha256).not.toBe(sealDocument({ ...sampleDocument(), id: 'two' }).sha256);
  });
  // Would catch: rows and text that are left out without a word.
  it('is cut to its bounds and says how much', () => {
    const rows = Array.from({ length: REPORT_LIMITS.rows + 7 }, (_none, at) => [`row ${at}`]);
    const sealed = sealDocument(
      sampleDocument([
        { block: 'table', columns: [{ label: 'Name', type: 'text' }], rows },
        { block: 'paragraph', text: 'x'.repeat(1_000_000) },
      ]),
    );
    const [table, paragraph] = sealed.document.sections.at(-1)?.blocks ?? [];

    expect(table).toMatchObject({ omitted: 7, rows: { length: REPORT_LIMITS.rows } });
    expect(paragraph).toMatchObject({ text: expect.stringMatching(/^x{4000}… \(\+996000\)$/) as string });
    expect(renderHtml(sealed, 'en')).toContain('7 further entries');
  });
  // Would catch: a sign-in inside an address, handed over with the record.
  it('holds no sign-in of an address', () => {
    const sealed = sealDocument(
      sampleDocument([{ block: 'paragraph', text: 'at http://admin:hunter2@10.0.0.9/x' }]),
    );

    expect(toCanonicalJson(sealed)).not.toContain('hunter2');
    expect(toCanonicalJson(sealed)).toContain('10.0.0.9');
  });
  it.each<[string, Block]>([
    [
      'a row longer than its head',
      { block: 'table', columns: [{ label: 'A', type: 'text' }], rows: [['a', 'b']] },
    ],
    ['a number that is none', { block: 'facts', facts: [{ label: 'A', value: { number: Number.NaN } }] }],
    ['an unknown member', { block: 'paragraph', text: 'a', password: 'b' } as Block],
  ])('is refused with %s', (_what, block) => {
    expect(() => sealDocument(sampleDocument([block]))).toThrow(/schema/);
  });
  // Would catch: a published schema that refuses what is exported.
  it('fits the published schema, which follows from the model (else: npx node build/tasks/derived.mjs)', () => {
    const text = readFileSync(
      new URL('../../../resources/schema/report.schema.json', import.meta.url),
      'utf8',
    );
    const fits = new Ajv2020({ strict: false }).compile(JSON.parse(text) as object);

    expect(text).toBe(reportSchemaText());
    expect(fits(JSON.parse(toCanonicalJson(sealDocument(sampleDocument()))))).toBe(true);
    expect(fits({})).toBe(false);
  });
});

describe('a line about a field', () => {
  const operation = (id: string): Operation => findOperation(id) as Operation;

  // Would catch: a password or a finger in a record.
  it.each([
    ['storage.rwLock.put', 'passwd', { passwd: 's3cret' }],
    [
      'accessControl.fingerprints.query',
      'FingerPrintList[0].fingerData',
      { FingerPrintList: [{ fingerData: 's3cret' }] },
    ],
    ['accessControl.fingerprints.query', 'FingerPrintList', { FingerPrintList: 's3cret' }],
  ])('of %s tells of %s only that it is set', (id, path, document) => {
    const fact = buildFact(operation(id), path, document, { proof: 'written' });

    expect(fact).toMatchObject({ value: { isSet: true }, proof: 'written' });
    expect(JSON.stringify(listFacts(operation(id), document))).not.toContain('s3cret');
    expect(buildFact(operation(id), path, {}).value).toEqual({ isSet: false });
  });
  // Would catch: a record that says "DropArmPoorSync", or English in a Chinese one.
  it('has the names of field, option and operation in the language of the reader', () => {
    const fact = buildFact(operation('gate.status.get'), 'busSync', { busSync: 'DropArmPoorSync' });
    const [english, chinese] = [getReader('en'), getReader('zh-CN')];

    expect([
      english.words(fact.label),
      english.value(fact.value).text,
      english.words(fact.source ?? ''),
    ]).toEqual([
      'Internal communication bus',
      'Arms poorly synchronized',
      operation('gate.status.get').label,
    ]);
    for (const text of [
      chinese.words(fact.label),
      chinese.value(fact.value).text,
      chinese.words(fact.source ?? ''),
    ])
      expect(text).toMatch(/\p{Script=Han}/u);
  });
  // Would catch: 36.5 where the resolution says 36.50, and degrees without their unit.
  it('has the unit of its document and the decimals it was given', () => {
    const reader = getReader('en');
    const compensation = (document: object): string =>
      reader.value(
        buildFact(operation('accessControl.hostConfig.get'), 'thermalCompensation', document).value,
      ).text;

    expect(compensation({ thermalCompensation: 1.5 })).toBe('1.5 °C');
    expect(compensation({ thermalCompensation: 1.5, thermalUnit: 'fahrenheit' })).toBe('1.5 °F');
    expect(reader.value({ number: 36.5, decimals: 2, unit: '°C' }).text).toBe('36.50 °C');
    expect(reader.value({ number: 36.5, decimals: 1, unit: '°C' }, '°C').text).toBe('36.5');
  });
  // Would catch: an id out of a hostile file that reaches into the prototype of the catalogue.
  it.each(['constructor', '__proto__', 'toString'])('shows the unknown id %s as it is', (id) => {
    for (const language of ['en', 'zh-CN'] as const) {
      const reader = getReader(language);

      expect(reader.words({ id: id as 'report.none', values: { a: 'b' } })).toBe(`${id} b`);
      expect(reader.words({ root: id, label: 'Name' })).toBe('Name');
    }
  });
});
