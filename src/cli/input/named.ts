/** Sites, sign-ins and connection profiles as people name them: by id or by name, whatever its case. */
import type { Engine } from '#engine/api.ts';
import { findNearestName } from '#engine/index.ts';
import type { NamedProfile, Site } from '#shared/access.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { Credential } from '#shared/model.ts';

interface Kind<Item> {
  readonly what: 'site' | 'credential' | 'profile';
  readonly name: (item: Item) => string;
}

/** Throws `not-found` with the nearest name, `usage` where several have it. */
function pick<Item extends { readonly id: string }>(
  items: readonly Item[],
  reference: string,
  { what, name }: Kind<Item>,
): Item {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase();
  const wanted = plain(reference.trim());
  const found = items.filter(({ id }) => id === reference);
  const named = found.length > 0 ? found : items.filter((item) => plain(name(item)) === wanted);
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined)
    throw userError('usage', say(`cli.${what}s-same`, { count: named.length, reference }));
  const nearest = findNearestName(reference, items.map(name));
  throw userError('not-found', say(`cli.no-${what}`, { reference }), { nearest });
}

export function findSite(engine: Engine, reference: string): Site {
  return pick(engine.sites.list(), reference, { what: 'site', name: ({ name }) => name });
}

export function findCredential(engine: Engine, reference: string): Credential {
  return pick(engine.credentials.list(), reference, { what: 'credential', name: ({ label }) => label });
}

export function findProfile(engine: Engine, reference: string): NamedProfile {
  return pick(engine.profiles.list(), reference, { what: 'profile', name: ({ name }) => name });
}

/** Returns the ids of the site, sign-in and connection profile that were named. */
export function findBelongings(
  engine: Engine,
  {
    site,
    credential,
    profile,
  }: { readonly site?: string; readonly credential?: string; readonly profile?: string },
) {
  return {
    siteId: site === undefined ? undefined : findSite(engine, site).id,
    credentialId: credential === undefined ? undefined : findCredential(engine, credential).id,
    profileId: profile === undefined ? undefined : findProfile(engine, profile).id,
  };
}
