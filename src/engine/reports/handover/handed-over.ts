/**
 * Contents of a hand-over document: each device with its configuration, its records and the names of its
 * secrets.
 */
import type { Leaf, ReportDocument, Result, SealedDocument, Section } from '#shared/report-document.ts';
import type { DeviceSecret } from '#engine/inventory/access/device-secrets.ts';
import type { Configuration } from '../configuration.ts';
import type { Subject } from '../document.ts';

export interface HandoverDevice {
  readonly subject: Subject;
  readonly configuration: Configuration;
  /** Commissioning records of it, newest first. */
  readonly records: readonly SealedDocument[];
  /** Its secrets in the vault that it has or may have, by their names, and since when. */
  readonly secrets: readonly Pick<DeviceSecret, 'name' | 'state' | 'changedAt'>[];
}

/** Picks the newest record of each flow: it covers what an older one did not finish. */
export function pickLatestRecords(records: readonly SealedDocument[]): readonly SealedDocument[] {
  return [...Map.groupBy(records, ({ document }) => document.kind).values()].flatMap(
    ([newest]) => newest ?? [],
  );
}

export function listLeaves(sections: readonly Section[]): readonly Leaf[] {
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block): readonly Leaf[] => (block.block === 'group' ? block.blocks : [block])),
  );
}

/** The worst of what the steps of a record became. */
export function getWorstResult({ sections }: Pick<ReportDocument, 'sections'>): Result {
  const results = listLeaves(sections).flatMap((block) =>
    block.block === 'checklist' ? block.items.map(({ result }) => result) : [],
  );
  return (['failed', 'open', 'skipped'] as const).find((one) => results.includes(one)) ?? 'done';
}
