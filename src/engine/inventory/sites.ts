/** Places of work. A device belongs to at most one, and stays when its site goes. */
import { randomBytes } from 'node:crypto';
import type { Site } from '#shared/access.ts';
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import type { Clock } from '../api/host.ts';
import type { SitesApi } from '../api/routes.ts';
import type { Store } from '../store/index.ts';
import { nameKey, requireName } from './device-text.ts';

interface SitesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Does what removes a site; its devices stay without one. Gives what it gave. */
  readonly inventory: { leaveSite(siteId: string, remove: () => boolean): boolean };
}

interface SiteRow {
  readonly id: string;
  readonly name: string;
  readonly devices: number;
  readonly credential_id: string | null;
}

const SITES = `SELECT s.id, s.name, c.credential_id, (SELECT count(*) FROM devices d WHERE d.site_id = s.id) AS devices
  FROM sites s LEFT JOIN credential_scopes c ON c.site_id = s.id`;

export function createSites({ store, clock, inventory }: SitesOptions): SitesApi {
  return {
    list: () => store.all<SiteRow>(`${SITES} ORDER BY s.name_key, s.id`).map(toSite),
    save({ id: given, name: written }) {
      const name = requireName(written);
      const row = store.transaction(() => {
        if (given === undefined)
          return store.get<SiteRow>(`${SITES} WHERE s.id = ?`, addSite(store, clock, name));
        requireFree(store, name, given);
        if (store.update('sites', { name, name_key: nameKey(name) }, { id: given }).changes === 0)
          throw noSite();
        return store.get<SiteRow>(`${SITES} WHERE s.id = ?`, given);
      });
      if (row === undefined) throw noSite();
      return toSite(row);
    },
    remove: ({ id }) => ({
      removed: inventory.leaveSite(id, () => store.remove('sites', { id }).changes > 0),
    }),
  };
}

/** Throws `not-found`. */
export function requireSite(store: Store, id: string): void {
  if (store.get('SELECT 1 FROM sites WHERE id = ?', id) === undefined) throw noSite();
}

/** The site of this name, made where there is none. Throws `too-long`, `not-allowed`. */
export function ensureSite(store: Store, clock: Clock, written: string): string {
  const name = requireName(written, 'site');
  return store.transaction(
    () =>
      store.get<{ readonly id: string }>('SELECT id FROM sites WHERE name_key = ?', nameKey(name))?.id ??
      addSite(store, clock, name),
  );
}

function addSite(store: Store, clock: Clock, name: string): string {
  requireFree(store, name, undefined);
  const id = `s-${randomBytes(8).toString('hex')}`;
  store.insert('sites', { id, name, name_key: nameKey(name), created_at: clock.now().toISOString() });
  return id;
}

function requireFree(store: Store, name: string, but: string | undefined): void {
  const twin = store.get<{ readonly id: string; readonly name: string }>(
    'SELECT id, name FROM sites WHERE name_key = ?',
    nameKey(name),
  );
  if (twin !== undefined && twin.id !== but)
    throw userError('not-allowed', say('site-taken', { name: twin.name }), { path: 'name' });
}

function noSite(): FieldwrightError {
  return userError('not-found', say('no-site'), { path: 'siteId' });
}

function toSite({ id, name, devices, credential_id: credentialId }: SiteRow): Site {
  return { id, name, devices, ...(credentialId === null ? {} : { credentialId }) };
}
