/**
 * Decides whether a device is the one that was handed over: another unit at its address may be set just the
 * same.
 */
import type { Fact, SealedDocument } from '#shared/report-document.ts';
import type { DeviceReading } from '../reading.ts';
import type { Difference } from './compare.ts';

/** Values that distinguish one unit from another, as hand-over documents name them and as they are read. */
export const IDENTITIES = [
  { id: 'reports.identity-seen', of: ({ identity }: DeviceReading) => identity },
  { id: 'reports.certificate', of: ({ certificate }: DeviceReading) => certificate },
] as const;

/** Values by the id of the line. */
export type Identity = ReadonlyMap<string, string>;

export function getIdentity(reading: DeviceReading): Identity {
  return new Map(
    IDENTITIES.flatMap(({ id, of }) => {
      const value = of(reading);
      return value === undefined ? [] : [[id, value]];
    }),
  );
}

/** Finds the identity of the device with this id in the document. */
export function findIdentity({ document }: Pick<SealedDocument, 'document'>, device: string): Identity {
  const facts = document.sections.flatMap((section): readonly Pick<Fact, 'label' | 'value'>[] =>
    section.blocks.flatMap((block) => {
      if (block.block === 'facts')
        return section.device === device && block.of === undefined ? block.facts : [];
      if (block.block !== 'matrix') return [];
      const nth = block.devices.findIndex(({ id }) => id === device);
      return nth < 0
        ? []
        : block.settings.flatMap(({ of, label, values }) =>
            of === undefined ? [{ label, value: values[nth] ?? null }] : [],
          );
    }),
  );
  return new Map(
    facts.flatMap(({ label, value }) =>
      typeof label === 'object' && 'id' in label && typeof value === 'string' ? [[label.id, value]] : [],
    ),
  );
}

/** Compares the values that are known of both. */
export function compareIdentities(before: Identity, reading: DeviceReading): readonly Difference[] {
  return IDENTITIES.flatMap(({ id, of }): readonly Difference[] => {
    const [old, now] = [before.get(id), of(reading)];
    if (old === undefined || now === undefined || old === now) return [];
    const at = { operation: '', params: {}, path: '', label: { id }, value: now };
    return [{ key: id, at, mark: 'changed', before: old, after: now }];
  });
}
