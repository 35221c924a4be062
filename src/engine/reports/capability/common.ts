/**
 * Values of devices that are alike: what all of them show is listed once, and for each what it alone shows.
 */
import type { Block, Fact } from '#shared/report-document.ts';
import { isPlace } from '#report-layout/facts-runs.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';

export type Facts = Extract<Block, { block: 'facts' }>;

export interface Shared {
  /** The same on every device. */
  readonly common: readonly Facts[];
  /** Own values, in the order of the devices. */
  readonly own: readonly (readonly Facts[])[];
}

/** Separates shared from own values. `devices`: of each the values that it shows, a block for each read. */
export function findSharedFacts(devices: readonly (readonly Facts[])[]): Shared {
  const counts = new Map<string, number>();
  for (const blocks of devices)
    for (const block of blocks)
      for (const fact of block.facts) {
        const key = keyOf(block, fact);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  const isCommon = (block: Facts, fact: Fact): boolean => counts.get(keyOf(block, fact)) === devices.length;
  const [first = []] = devices;
  return {
    common: first.flatMap((block) => {
      const facts = block.facts.filter((fact) => isPlace(fact) || isCommon(block, fact));
      return facts.some((fact) => !isPlace(fact)) ? [{ ...block, facts }] : [];
    }),
    own: devices.map((blocks) =>
      blocks.flatMap((block) => {
        const facts = block.facts.filter((fact) => isPlace(fact) || !isCommon(block, fact));
        const says = facts.some((fact) => !isPlace(fact)) || block.omitted !== undefined;
        return says ? [{ ...block, facts }] : [];
      }),
    ),
  };
}

function keyOf({ of }: Facts, { label, value }: Fact): string {
  return encodeCanonicalJson([of, label, value]);
}
