/** Tests the hand-over document as a customer reads it: its conclusion, alike devices once, and the number of its pages. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layOut } from '#report-layout/lay-out.ts';
import { createConfigurationReader } from '#engine/reports/configuration.ts';
import { indexDocument } from '#engine/reports/comparison/keyed.ts';
import type { HandoverDevice } from '#engine/reports/handover/handed-over.ts';
import { buildHandoverReport } from '#engine/reports/handover/report.ts';
import { separateShared, type Told } from '#engine/reports/handover/together.ts';
import { readReportFont, renderPdf } from '#engine/report-files/pdf.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { sealDocument } from '#engine/report-files/seal.ts';
import { USUAL_CHECKS, type HandoverDetails } from '#shared/contract/handover.ts';
import type { Fact, SealedDocument } from '#shared/report-document.ts';
import { startTestSite, type TestSite } from '../site-engine.ts';
import { sampleDocument } from '../report-files/sample.ts';
import { bytesOf, CONTEXT, gatherAll, subjectOf } from './make.ts';

const RESOURCES = join(import.meta.dirname, '../../../resources');
const KINDS = ['gate', 'thermal', 'ai', 'counter', 'recorder'] as const;

describe('46 devices', () => {
  let at: TestSite;
  let sealed: SealedDocument;
  beforeAll(async () => {
    at = await startTestSite({ devices: 46, kinds: [...KINDS] });
    await gatherAll(at.engine, at.ids);
    const request = { kind: 'handover', deviceIds: [...at.ids], format: 'json', language: 'en' } as const;
    sealed = JSON.parse((await bytesOf(at.engine, request)).toString('utf8')) as SealedDocument;
  }, 60_000);
  afterAll(() => at.close());

  // Would catch: a page or more for each device that is as the one before it (177 pages once, 23 now).
  it.each(['en', 'de', 'zh-CN'] as const)('take no more than 40 pages: %s', async (language) => {
    const parts: Uint8Array[] = [];
    for await (const part of renderPdf(sealed, language, await readReportFont(RESOURCES))) parts.push(part);

    const pages =
      Buffer.concat(parts)
        .toString('latin1')
        .match(/\/Type \/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.length).toBeLessThanOrEqual(40);
  });

  // Would catch: a warranty check that finds nothing of devices that share a section.
  it('keep the settings of each for a later check', () => {
    const kept = indexDocument(sealed);

    expect(kept.size).toBe(46);
    const sizes = at.ids.map((id) => kept.get(id)?.size ?? 0);
    expect(Math.min(...sizes)).toBeGreaterThan(5);
    // Devices of a kind show the same settings.
    for (const nth of KINDS.keys())
      expect(new Set(sizes.filter((_size, device) => device % KINDS.length === nth)).size).toBe(1);
  });

  it('have a label each, and begin with what is open', () => {
    const pieces = [...layOut(sealed, getReader('en'))];

    const title = pieces.findIndex((piece) => piece.piece === 'heading' && piece.level === 1);
    expect(pieces[title + 1]).toMatchObject({
      piece: 'text',
      tone: 'warning',
      text: expect.stringContaining('Not confirmed as in service.') as string,
    });
    const codes = pieces.flatMap((piece) =>
      piece.piece === 'figure' ? piece.figure.marks.filter(({ mark }) => mark === 'code') : [],
    );
    expect(codes).toHaveLength(46);
  });
});

const nothingApplied = createConfigurationReader({
  search: () => ({ jobs: [] }) as never,
  show: () => ({ results: [] }) as never,
})('');

function device(extra: Partial<HandoverDevice> = {}): HandoverDevice {
  return { subject: subjectOf(), configuration: nothingApplied, records: [], secrets: [], ...extra };
}

function recordOf(result: 'done' | 'failed'): SealedDocument {
  const section = {
    title: 'Steps',
    blocks: [{ block: 'checklist', items: [{ label: 'Beam 1', result }] } as const],
  };
  return sealDocument({ ...sampleDocument(), kind: 'commissioning.gate', sections: [section] });
}

const ALL_DONE: HandoverDetails = {
  checks: USUAL_CHECKS.map((check) => ({ check, result: 'done' as const, by: 'K. Jansen' })),
};

describe('the verdict', () => {
  // Would catch: "in service" for what was not tested, or for what is dangerous.
  it.each([
    ['nothing was tested', {}, [], ['reports.verdict-open']],
    ['all was tested', ALL_DONE, [recordOf('done')], ['reports.verdict-in-service']],
    ['checks alone were done', ALL_DONE, [], ['reports.verdict-open']],
    ['a record failed', ALL_DONE, [recordOf('failed')], ['reports.verdict-failed', 'reports.verdict-open']],
    [
      'something is unsafe',
      { ...ALL_DONE, openPoints: [{ text: 'Exit blocked', severity: 'unsafe' as const }] },
      [recordOf('done')],
      ['reports.verdict-unsafe'],
    ],
  ] as const)('says what it comes to: %s', (_case, details, records, expected) => {
    const { sections } = buildHandoverReport([device({ records })], { ...CONTEXT, details });

    const said = (sections[0]?.blocks ?? []).flatMap((block) =>
      block.block === 'paragraph' && typeof block.text === 'object' && 'id' in block.text
        ? [block.text.id]
        : [],
    );
    expect(said).toEqual(expected);
  });

  // Would catch: "walk-tested" beside an empty box, which a customer reads as done.
  it.each([
    ['en', /tested|trained|handed over/i],
    ['de', /geprüft|eingewiesen|übergeben/i],
    ['zh-CN', /已/],
  ] as const)('names no check as if it were done: %s', (language, done) => {
    for (const check of USUAL_CHECKS)
      expect(getReader(language).phrase(`reports.check-${check}`)).not.toMatch(done);
  });
});

describe('devices told together', () => {
  const DEVICES = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }));
  const fact = (path: string, number: number): Fact => ({
    label: { root: 'X', path, label: path },
    value: { number },
  });
  const told = (facts: readonly Fact[]): readonly Told[] => [
    { title: 'T', where: null, of: { operation: 'x.get', params: {} }, facts },
  ];

  // Would catch: the value of one device for all of them; a list that is torn apart, item by item.
  it('have what is alike once, and the rest by device', () => {
    const { common, lists, matrices } = separateShared(DEVICES, [
      told([fact('same', 1), fact('differs', 1), fact('List[0].at', 1)]),
      told([fact('same', 1), fact('differs', 2), fact('List[0].at', 1)]),
      told([fact('same', 1), fact('List[0].at', 1), fact('List[1].at', 2)]),
    ]);

    expect(common.map(({ facts }) => facts)).toEqual([[fact('same', 1)]]);
    expect(matrices.map(({ settings }) => settings)).toMatchObject([
      [{ values: [{ number: 1 }, { number: 2 }, null], without: ['c'] }],
    ]);
    expect(lists.map(({ devices, told: [own] }) => [devices, own?.facts.length])).toEqual([
      [['a', 'b'], 1],
      [['c'], 2],
    ]);
  });

  // Would catch: one device of forty that is not as it was written, called the same as the others.
  it('keep apart which one is not as it was written', () => {
    const source = { id: 'reports.changed-after', values: { title: 'T' } } as const;
    const { common, matrices } = separateShared(DEVICES, [
      told([fact('mode', 1)]),
      told([fact('mode', 1)]),
      told([{ ...fact('mode', 1), source }]),
    ]);

    expect(common).toEqual([]);
    expect(matrices[0]?.settings[0]?.sources?.[2]).toEqual(source);
  });
});
