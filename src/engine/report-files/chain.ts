/**
 * The chain of a site's records: each names the one before it with its hash. A record that was taken out, changed, put
 * in or put elsewhere breaks it; what was taken off its end does not show.
 */
import { createDetail, type Detail } from '#shared/details.ts';
import type { ChainFault, Previous, SealedDocument } from '#shared/report-document.ts';
import { hashOf } from './seal.ts';

export interface ChainLink {
  readonly id: string;
  /** ISO 8601 with offset. */
  readonly at: string;
  /** Undefined: of no site; those are a chain too. */
  readonly site: string | undefined;
  readonly previous: Previous | undefined;
  readonly sha256: string;
  /** The content fits the hash. */
  readonly isIntact: boolean;
  /** A site file brought it: it may follow the same record as one that was made here meanwhile. */
  readonly isBrought?: boolean;
}

export function linkOf(sealed: SealedDocument): ChainLink {
  const { document, previous, sha256 } = sealed;
  const { id, at, site } = document;
  return { id, at, site: site?.id, previous, sha256, isIntact: hashOf(sealed) === sha256 };
}

interface ChainOptions {
  /** Hashes of further records, by id: one of them is not missing. */
  readonly known?: ReadonlyMap<string, string>;
  /** These are all there are: the first of a site names none before it. */
  readonly isWhole?: boolean;
}

/**
 * Finds faults in the chains of one or many sites, in any order; of the same record only one may be given.
 */
export function findChainFaults(
  links: readonly ChainLink[],
  options: ChainOptions = {},
): readonly ChainFault[] {
  const bySite = Map.groupBy(links, ({ site }) => site);
  return [...bySite.values()].flatMap((ofSite) => siteFaults(ofSite, options));
}

function siteFaults(
  links: readonly ChainLink[],
  { known = new Map(), isWhole = false }: ChainOptions,
): readonly ChainFault[] {
  const byId = new Map(links.map((link) => [link.id, link]));
  // Records of the same second are in no order by their time.
  const first = links.find(({ previous }) => previous === undefined) ?? links.toSorted(byTime)[0];
  const faults: ChainFault[] = [];
  const found = (kind: ChainFault['kind'], id: string, finding: Detail): void => {
    faults.push({ kind, id, finding });
  };
  const followed = new Map<string, ChainLink>();
  for (const link of links) {
    const { id, at, previous, isIntact } = link;
    if (!isIntact) found('changed', id, createDetail('report.chain.changed', { id }));
    const before = previous?.id ?? '';
    const other = followed.get(before);
    if (other !== undefined && link.isBrought !== true && other.isBrought !== true)
      found('inserted', id, createDetail('report.chain.inserted', { id, other: other.id }));
    followed.set(before, link);
    if (previous === undefined) continue;
    const target = byId.get(previous.id);
    const hash = target?.sha256 ?? known.get(previous.id);
    if (hash === undefined) {
      // The chain may begin anywhere if only some records were shown.
      if (isWhole || id !== first?.id)
        found('missing', previous.id, createDetail('report.chain.missing', { id: previous.id, before: id }));
    } else if (hash !== previous.sha256)
      found('changed', previous.id, createDetail('report.chain.replaced', { id: previous.id, before: id }));
    if (target !== undefined && Date.parse(target.at) > Date.parse(at))
      found('reordered', id, createDetail('report.chain.reordered', { id, before: previous.id }));
  }
  return faults;
}

function byTime(one: ChainLink, other: ChainLink): number {
  return Date.parse(one.at) - Date.parse(other.at);
}
