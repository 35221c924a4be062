/** The chain of a site's records, and what two records do not have alike. */
import { expect, it } from 'vitest';
import { findChainFaults, linkOf } from '#engine/report-files/chain.ts';
import { compareDocuments } from '#engine/report-files/compare.ts';
import { sealDocument } from '#engine/report-files/seal.ts';
import type { ReportDocument, SealedDocument } from '#shared/report-document.ts';

function record(nth: number, note = 'well'): ReportDocument {
  return {
    format: 'fieldwright-report/1',
    kind: 'commissioning.gate',
    id: `r-${nth}`,
    title: 'Gate',
    at: `2026-03-0${nth}T10:00:00+01:00`,
    zone: 'Europe/Berlin',
    by: [{ name: 'A' }],
    preparedWith: { name: 'Fieldwright', version: '1.0.0' },
    site: { id: 's-1', name: 'North' },
    devices: [{ name: 'Gate 1', serial: 'G-1' }],
    sections: [
      {
        title: { id: 'flow-gate-health' },
        blocks: [
          { block: 'facts', facts: [{ label: 'Note', value: note, proof: 'attested' }] },
          { block: 'checklist', items: [{ label: { id: 'flow-gate-bus-well' }, result: 'done' }] },
        ],
      },
    ],
  };
}

function chain(count: number): SealedDocument[] {
  const all: SealedDocument[] = [];
  for (let nth = 1; nth <= count; nth += 1) all.push(sealDocument(record(nth), all.at(-1)));
  return all;
}

const faultsOf = (records: readonly SealedDocument[], options = {}) =>
  findChainFaults(records.map(linkOf), options).map(({ kind, id }) => `${kind} ${id}`);

it('finds nothing wrong with records that follow on each other, in whatever order they are shown', () => {
  const all = chain(4);

  expect(faultsOf(all, { isWhole: true })).toEqual([]);
  expect(faultsOf(all.toReversed())).toEqual([]);
  expect(faultsOf(all.slice(1))).toEqual([]);
});

// Would catch: a gap that does not show because all were made in one second, and a later one passes for the first.
it('misses a record between two of the same second, whichever is shown first', () => {
  const [one, two] = chain(2) as [SealedDocument, SealedDocument];
  const three = sealDocument({ ...record(3), at: one.document.at }, two);

  expect(faultsOf([three, one])).toEqual(['missing r-2']);
  expect(faultsOf([one, three])).toEqual(['missing r-2']);
});

// Would catch: a record that was taken out, changed and hashed anew, put in, or dated back.
it('names the record that is missing, changed, put in or put elsewhere', () => {
  const [one, two, three, four] = chain(4) as [
    SealedDocument,
    SealedDocument,
    SealedDocument,
    SealedDocument,
  ];
  const changed = sealDocument(record(2, 'not well'), one);
  const byHand = { ...two, document: record(2, 'not well') };
  const putIn = sealDocument({ ...record(3), id: 'r-x' }, two);
  const dated = sealDocument({ ...record(1), id: 'r-y' }, four);

  expect(faultsOf([one, three, four])).toEqual(['missing r-2']);
  expect(faultsOf([two, three, four], { isWhole: true })).toEqual(['missing r-1']);
  expect(faultsOf([one, changed, three, four])).toEqual(['changed r-2']);
  expect(faultsOf([one, byHand, three, four])).toEqual(['changed r-2']);
  expect(faultsOf([one, two, three, putIn, four])).toEqual(['inserted r-x']);
  expect(faultsOf([one, two, three, four, dated])).toEqual(['reordered r-y']);
  expect(faultsOf([one, three, four], { known: new Map([['r-2', two.sha256]]) })).toEqual([]);
});

it('tells what two records do not have alike, with the proof, and nothing of their times', () => {
  const before = record(1);
  const after: ReportDocument = {
    ...record(2, 'cracked'),
    devices: [{ name: 'Gate 1', serial: 'G-2' }],
    sections: [
      ...record(2, 'cracked').sections.map(({ title, blocks }) => ({
        title,
        blocks: [
          ...blocks,
          {
            block: 'openPoints' as const,
            points: [{ text: 'Glass', severity: 'unsafe' as const, owner: 'Maker' }],
          },
        ],
      })),
    ],
  };

  const { same, differences, table } = compareDocuments(before, after);

  expect(same).toBe(false);
  expect(differences).toEqual([
    {
      where: { id: 'report.device' },
      what: { id: 'report.serial' },
      before: { value: 'G-1' },
      after: { value: 'G-2' },
    },
    {
      where: { id: 'flow-gate-health' },
      what: 'Note',
      before: { value: 'well', proof: 'attested' },
      after: { value: 'cracked', proof: 'attested' },
    },
    {
      where: { id: 'flow-gate-health' },
      what: 'Glass',
      after: { value: { id: 'report.severity.unsafe' }, reason: 'Maker' },
    },
  ]);
  expect(table.rows.every(({ length }) => length === table.columns.length)).toBe(true);
  expect(compareDocuments(before, { ...record(3), id: 'r-9' }).same).toBe(true);
  expect(() => compareDocuments(before, { ...after, kind: 'commissioning.thermal' })).toThrow('one flow');
});

// Would catch: two colleagues who each made a record, and a check that calls the honest one put in.
it('lets a record that a site file brought follow the same one as a record made here', () => {
  const [one, two] = chain(2) as [SealedDocument, SealedDocument];
  const brought = sealDocument({ ...record(3), id: 'r-theirs' }, one);
  const links = [one, two, brought].map(linkOf);

  expect(findChainFaults(links, { isWhole: true }).map(({ kind }) => kind)).toEqual(['inserted']);
  expect(
    findChainFaults(
      links.map((link) => ({ ...link, isBrought: link.id === 'r-theirs' })),
      { isWhole: true },
    ),
  ).toEqual([]);
});
