/** A site as a file: written for a colleague, opened on another computer, merged with what is there. */
import { createHash, randomBytes } from 'node:crypto';
import { say } from '#shared/details.ts';
import { appError, userError, type FieldwrightError } from '#shared/errors.ts';
import type { SiteFileMerge, WorkOwner, WrittenSiteFile } from '#shared/site-file.ts';
import type { Clock } from '../api/host.ts';
import type { SiteFilesApi } from '../api/routes.ts';
import type { Vault } from '../inventory/access/vault.ts';
import type { JobKinds } from '../jobs/job-kind.ts';
import type { Store } from '../store/index.ts';
import { requirePassphrase, sealStream } from './age.ts';
import { mergeSiteFile } from './merge.ts';
import { buildEnd, buildHead, readSiteFile, type SiteFileHead } from './read-lines.ts';
import { Stage } from './stage.ts';
import { SITE_TABLES, stageName } from './tables.ts';
import { compressLines, writeRows } from './write-rows.ts';

export interface SiteFilesOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly user: string;
  readonly kinds: Pick<JobKinds, 'find'>;
  /** Does work that writes rows of the inventory by itself, all or nothing. */
  readonly rewrite: <T>(work: () => T) => T;
  /** Called after a file was merged. */
  readonly onMerged: (deviceIds: readonly string[]) => void;
}

type PackRequest = Parameters<SiteFilesApi['pack']>[0];

/** Ends a merge that was only looked at. */
class LookedAt extends Error {}

export class SiteFiles implements SiteFilesApi {
  readonly #options: SiteFilesOptions;
  /** The file that was read last, and waits to be merged. */
  #read: { readonly id: string; readonly head: SiteFileHead; readonly stage: Stage } | undefined;
  #isReading = false;

  constructor(options: SiteFilesOptions) {
    this.#options = options;
  }

  readonly pack: SiteFilesApi['pack'] = async (request, through, signal) => {
    requirePassphrase(request.passphrase);
    const { store } = this.#options;
    const site = store.get<{ readonly id: string; readonly name: string }>(
      'SELECT id, name FROM sites WHERE id = ?',
      request.siteId,
    );
    if (site === undefined) throw userError('not-found', say('no-site'), { path: 'siteId' });
    const id = `file-${randomBytes(8).toString('hex')}`;
    // Those that take the work from the file name this time, which is that of the owner here.
    const at = this.#now();
    let isHandedOver = false;
    const handOver = (): void => {
      if (request.handOver === true && !isHandedOver) this.#handOver(site.id, { id, name: site.name, at });
      isHandedOver = true;
    };
    try {
      const packed = await through(
        (write) => this.#write(write, { ...request, site, id, at }, signal),
        (written) => {
          // The file has no name yet: work that waits for a person can be taken back, work that is done twice cannot.
          handOver();
          return written.bytes > 0;
        },
      );
      // A pipe has no name to wait for.
      handOver();
      return packed;
    } catch (error) {
      if (isHandedOver)
        store.run("UPDATE job_devices SET work_owner = NULL WHERE work_owner ->> '$.id' = ?", id);
      throw error;
    }
  };

  readonly read: SiteFilesApi['read'] = async (file, signal) => {
    if (this.#isReading) throw appError('not-available', say('site-file.reading'));
    this.#isReading = true;
    this.#read = undefined;
    try {
      const { siteId, ...source } = file;
      const stage = new Stage({ ...this.#options, ...(siteId !== undefined && { siteId }) });
      const head = await readSiteFile(source, stage, signal);
      const id = randomBytes(8).toString('hex');
      this.#read = { id, head, stage };
      return { id, ...this.#look() };
    } catch (error) {
      this.#drop();
      throw error;
    } finally {
      this.#isReading = false;
    }
  };

  readonly merge: SiteFilesApi['merge'] = ({ id }) => {
    if (this.#read?.id !== id) throw userError('not-found', say('site-file.gone'));
    const { store, onMerged } = this.#options;
    const merged = this.#options.rewrite(() => this.#merge());
    const devices = store.all<{ readonly id: string }>(`SELECT id FROM ${stageName('devices')}`);
    this.#drop();
    onMerged(devices.map((device) => device.id));
    return merged;
  };

  /** Merges, says what came of it, and undoes it. */
  #look(): SiteFileMerge {
    let seen: SiteFileMerge | undefined;
    try {
      this.#options.store.transaction(() => {
        seen = this.#merge();
        throw new LookedAt();
      });
    } catch (error) {
      if (!(error instanceof LookedAt)) throw error;
    }
    if (seen === undefined) throw new Error('nothing was merged');
    return seen;
  }

  #merge(): SiteFileMerge {
    const { store } = this.#options;
    if (this.#read === undefined) throw userError('not-found', say('site-file.gone'));
    const { head, stage } = this.#read;
    const busy = store.get(
      `SELECT 1 FROM main.jobs WHERE state IN ('running', 'waiting') AND id IN (SELECT id FROM ${stageName('jobs')})`,
    );
    if (busy !== undefined) throw createBusyError();
    store.requireRoom(stage.bytes);
    const site = { id: stage.siteId, name: head.site.name };
    const me = this.#owner();
    return {
      site,
      by: head.by,
      at: head.at,
      secrets: head.secrets,
      ...mergeSiteFile({ store, head, siteId: stage.siteId, me }),
    };
  }

  async #write(
    write: (content: Uint8Array) => Promise<void>,
    {
      site,
      id,
      at,
      passphrase,
      secrets = false,
      handOver = false,
    }: PackRequest & Pick<SiteFileHead, 'site' | 'id' | 'at'>,
    signal: AbortSignal,
  ): Promise<WrittenSiteFile> {
    const { store, vault, user } = this.#options;
    const view = store.view();
    try {
      const running = view.all(
        `SELECT 1 FROM jobs WHERE state = 'running' AND id IN
           (SELECT job_id FROM job_devices WHERE device_id IN (SELECT id FROM devices WHERE site_id = ?)) LIMIT 1`,
        site.id,
      );
      if (running.length > 0) throw createBusyError();
      const me = { ...this.#owner(), at };
      const head = { id, site, by: user, folder: me.id, at, secrets, handsOver: handOver };
      const owner = handOver ? { ...me, id, name: site.name } : me;
      async function* lines(): AsyncGenerator<string> {
        yield buildHead(head);
        const rows = yield* writeRows({ view, vault, siteId: site.id, secrets, folder: me.id, owner });
        yield buildEnd(rows);
      }
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of await sealStream(compressLines(lines()), passphrase)) {
        if (signal.aborted) throw userError('cancelled', say('cancelled'));
        hash.update(chunk);
        bytes += chunk.length;
        await write(chunk);
      }
      return { bytes, sha256: hash.digest('hex'), handedOver: handOver ? this.#countOwn(site.id) : 0 };
    } finally {
      view.close();
    }
  }

  #countOwn(siteId: string): number {
    return (
      this.#options.store.get<{ readonly count: number }>(
        `SELECT count(*) AS count FROM job_devices WHERE ${OWN_WORK}`,
        siteId,
      )?.count ?? 0
    );
  }

  #handOver(siteId: string, owner: WorkOwner): void {
    this.#options.store.run(
      `UPDATE job_devices SET work_owner = ?2 WHERE ${OWN_WORK}`,
      siteId,
      JSON.stringify(owner),
    );
  }

  /** Returns this data folder as an owner of open work. */
  #owner(): WorkOwner {
    const { store, user } = this.#options;
    const { id } = store.get<{ readonly id: string }>('SELECT id FROM this_folder') ?? { id: '' };
    return { id, name: user, at: this.#now() };
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  #drop(): void {
    this.#read = undefined;
    for (const { name } of SITE_TABLES) this.#options.store.run(`DROP TABLE IF EXISTS ${stageName(name)}`);
  }
}

/**
 * Condition of open work at a site that this data folder does itself and another one can do: people and fingerprints do
 * not go along with a file.
 */
const OWN_WORK = `open_reason IS NOT NULL AND device_id IN (SELECT id FROM devices WHERE site_id = ?1)
  AND job_id NOT IN (SELECT id FROM jobs WHERE kind IN ('people', 'fingerprints'))
  AND (work_owner IS NULL OR work_owner ->> '$.id' = (SELECT id FROM this_folder))`;

function createBusyError(): FieldwrightError {
  return appError('not-available', say('site-file.at-work'));
}
