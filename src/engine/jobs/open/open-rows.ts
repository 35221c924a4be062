/** Open work as the journal holds it. */
import { say } from '#shared/details.ts';
import { FieldwrightError, type ErrorShape } from '#shared/errors.ts';
import type { ApplyOptions, JobAbout, OpenReason, OpenWork } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { formatLocalTime } from '#engine/host/local-time.ts';
import type { Store } from '#engine/store/index.ts';
import { findFinishedLater } from '../finished-later.ts';
import { toAskedReason } from './open-reason.ts';

/** Open work with what decides whether it can be done now. */
export interface StoredOpenWork {
  readonly work: OpenWork;
  readonly position: number;
  readonly isAtWork: boolean;
  readonly options: ApplyOptions;
}

interface OpenRow {
  readonly job: string;
  readonly kind: string;
  readonly title: string;
  readonly about: string;
  readonly state: Parameters<typeof isAtWork>[0];
  readonly by_user: string;
  readonly options: string;
  readonly position: number;
  readonly device_id: string;
  readonly name: string;
  readonly url: string;
  readonly error: string | null;
  readonly open_reason: OpenReason;
  readonly open_since: string;
  readonly elsewhere: string | null;
}

/** A person who stopped a job wants nothing more of it. */
const OPEN = `FROM job_devices AS d JOIN jobs AS j ON j.id = d.job_id
  WHERE d.open_reason IS NOT NULL AND j.state <> 'cancelled'`;

/** Reads all open work: first what puts back changes that were not kept, then the oldest job first. */
export function readOpenWork(store: Store): readonly StoredOpenWork[] {
  const rows = store.all<OpenRow>(
    `SELECT j.id AS job, j.kind, j.title, j.about, j.state, j.by_user, j.options, d.position, d.device_id, d.name, d.url, d.error, d.open_reason, d.open_since,
       iif(d.work_owner ->> '$.id' <> (SELECT id FROM this_folder), d.work_owner ->> '$.name', NULL) AS elsewhere
     ${OPEN} ORDER BY j.options ->> '$.reverts' IS NULL, j.created_at, j.rowid, d.position`,
  );
  const later = new Map<string, ReadonlySet<number>>();
  for (const { job, kind } of rows)
    if (kind === 'apply' && !later.has(job)) later.set(job, findFinishedLater(store, job));
  return rows.flatMap((row) => (later.get(row.job)?.has(row.position) === true ? [] : toOpenWork(row)));
}

function toOpenWork(row: OpenRow): StoredOpenWork {
  const options = readOwnJson(row.options) as ApplyOptions;
  return {
    position: row.position,
    isAtWork: isAtWork(row.state),
    options,
    work: {
      id: `${row.job}.${row.position}`,
      job: row.job,
      kind: row.kind,
      title: row.title,
      about: readOwnJson(row.about) as JobAbout,
      device: row.device_id,
      name: row.name,
      url: row.url,
      since: row.open_since,
      ...removeUndefined({
        until: options.whenBack?.until,
        elsewhere: row.elsewhere ?? undefined,
        reverts: options.reverts,
      }),
      reason: row.open_reason,
      by: row.by_user,
      ...(row.error === null ? {} : { error: readOwnJson(row.error) as ErrorShape }),
    },
  };
}

/** Finds open work by its id, or by its beginning if that is unique. @throws `not-found` */
export function findOpenWork(all: readonly StoredOpenWork[], id: string): StoredOpenWork {
  const exact = all.find(({ work }) => work.id === id);
  const [first, ...others] = all.filter(({ work }) => work.id.startsWith(id));
  const found = exact ?? (others.length === 0 ? first : undefined);
  if (found !== undefined) return found;
  throw new FieldwrightError({ code: 'not-found', source: 'user', ...say('no-open-work', { id }) });
}

/** Ends open work undone: a person dropped it. */
export function dropWork(
  store: Store,
  { work, position }: StoredOpenWork,
  dropped: { readonly at: string; readonly by: string; readonly reason: string },
): void {
  const { by, reason } = dropped;
  end(store, work.job, position, {
    error: { code: 'cancelled', source: 'user', device: work.url, ...say('work-dropped', { by, reason }) },
    dropped: JSON.stringify(dropped),
  });
}

/** Ends the open work whose time is over, unless its job is at work; it can still be resumed by a person. */
export function expireWork(store: Store, now: Date): void {
  for (const { work, position, isAtWork: isBusy } of readOpenWork(store)) {
    const { until, url, error } = work;
    if (isBusy || until === undefined || Date.parse(until) > now.getTime()) continue;
    end(store, work.job, position, {
      error: {
        code: error?.code ?? 'timeout',
        source: 'app',
        device: url,
        ...say('work-expired', { until: formatLocalTime(new Date(until)).slice(0, 16).replace('T', ' ') }),
        ...(error === undefined ? {} : { others: [error] }),
      },
    });
  }
}

function end(
  store: Store,
  job: string,
  position: number,
  { error, dropped }: { readonly error: ErrorShape; readonly dropped?: string },
): void {
  store.transaction(() => {
    store.run(
      `UPDATE job_devices SET open_reason = NULL, open_since = NULL, error = iif(state = 'done', error, ?), dropped = ?,
         state = iif(state = 'pending', 'failed', state) WHERE job_id = ? AND position = ? AND open_reason IS NOT NULL`,
      JSON.stringify(error),
      dropped ?? null,
      job,
      position,
    );
    store.update('jobs', { totals: undefined }, { id: job });
  });
}

/** Returns whether a job that was begun after this one sent something to the device. */
export function isWrittenByLaterJob(store: Store, deviceId: string, jobId: string): boolean {
  return (
    store.get(
      `SELECT 1 FROM jobs AS mine CROSS JOIN job_devices AS d ON d.device_id = ?
         JOIN jobs AS later ON later.id = d.job_id AND later.rowid > mine.rowid
         JOIN job_units AS u ON u.job_id = d.job_id AND u.position = d.position AND u.sent_document IS NOT NULL
       WHERE mine.id = ? LIMIT 1`,
      deviceId,
      jobId,
    ) !== undefined
  );
}

/** Takes open work over that another computer was to do; the later decision counts where site files are merged. */
export function takeWorkOver(
  store: Store,
  works: readonly StoredOpenWork[],
  { at, by }: { readonly at: string; readonly by: string },
): void {
  const { id } = store.get<{ readonly id: string }>('SELECT id FROM this_folder') ?? { id: '' };
  for (const { work, position } of works)
    if (work.elsewhere !== undefined)
      store.update(
        'job_devices',
        { work_owner: JSON.stringify({ id, name: by, at }) },
        { job_id: work.job, position },
      );
}

/** Keeps why open work cannot be done without a person. */
export function keepReason(store: Store, { work, position }: StoredOpenWork, error: ErrorShape): void {
  store.update(
    'job_devices',
    { open_reason: toAskedReason(error), error: JSON.stringify(error) },
    { job_id: work.job, position },
  );
}
