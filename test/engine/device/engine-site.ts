/** An engine on a fresh data folder beside a virtual site, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, createKeyFileProtection, type Engine, type LogEntry } from '#engine/index.ts';
import { startSite, type Site, type SiteOptions } from '#test/helpers/strict-site.ts';

export const PASSWORD = 'Pa55-Wört-9x';
export const never = new AbortController().signal;

export interface EngineSite {
  readonly engine: Engine;
  readonly site: Site;
  /** Ids in the site's order; each device has the sign-in `password`. */
  readonly ids: readonly string[];
  readonly folder: string;
  readonly log: LogEntry[];
  close(): Promise<void>;
}

export async function engineSite(options: SiteOptions, password = PASSWORD): Promise<EngineSite> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-engine-'));
  const log: LogEntry[] = [];
  const site = await startSite({ password: PASSWORD, ...options });
  const engine = await createEngine({
    dataDir: folder,
    resourcesDir: join(folder, 'none'),
    face: 'cli',
    version: '0.0.0',
    user: 'tester',
    protections: [createKeyFileProtection(join(folder, 'vault.key'))],
    log: (entry) => log.push(entry),
  });
  const ids = site.devices.map(
    (device) =>
      engine.devices.add({
        address: device.url,
        name: device.name,
        profile: options.prefix === undefined ? {} : { pathPrefix: options.prefix },
      }).id,
  );
  engine.credentials.save({ label: 'Site', userName: 'admin', password, deviceIds: ids });
  return {
    engine,
    site,
    ids,
    folder,
    log,
    close: async () => {
      await engine.close();
      await site.close();
      rmSync(folder, { recursive: true });
    },
  };
}
