/** The journal of one data folder: intent before each write, result after. */
import { defined } from '../../shared/defined.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type {
  ApplyOptions,
  Change,
  ConnectionProfile,
  DeviceResult,
  JobState,
  Plan,
  PlanSection,
  SectionResult,
} from '../../shared/model.ts';
import type { JobRun } from '../../shared/history.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import { createGroupCommit } from './group-commit.ts';
import { totalsOf } from './job-state.ts';
import type { Owner } from './owner.ts';
import { sha256 } from '../sha256.ts';
import { addSearchText, searchTextOf, targetOf } from './history/search-text.ts';

/** A row of a section: job, place of the device in the job, place of the section in the template. */
export interface SectionKey {
  readonly jobId: string;
  readonly position: number;
  readonly index: number;
}

export interface Intent {
  readonly key: SectionKey;
  /** Document as read right before; kept from the first attempt unless `renew`. */
  readonly before: string;
  /** What was read now is what an undo goes back to, not what an earlier run found. */
  readonly renew: boolean;
  /** Document about to be sent. */
  readonly sent: string;
  /** The documents hold secrets. */
  readonly sensitive: boolean;
  readonly changes: readonly Change[];
  readonly at: string;
}

/** What was confirmed for a section, beside its changes. */
export type Confirmed = Pick<
  PlanSection,
  'state' | 'optional' | 'baseline' | 'lost' | 'adjustments' | 'problems'
>;

/** How a device is reached. */
export interface ConnectionRecord {
  readonly profile: ConnectionProfile;
  readonly certificate?: string;
}

export interface NewDevice extends DeviceResult {
  readonly values: Readonly<Record<string, unknown>>;
  readonly connection?: ConnectionRecord;
  /** Of an undo: place of the device in the job that is taken back. */
  readonly sourcePosition?: number;
  /** In the order of `sections`; none for an undo. */
  readonly planned: readonly PlanSection[];
}

/** What a device showed after a write, and whether that may be kept in the clear. */
export interface Shown {
  readonly text: string;
  readonly sensitive: boolean;
}

export interface NewJob {
  readonly id: string;
  readonly kind: 'apply' | 'undo';
  readonly undoOf?: string;
  /** Sections are worked on from the last to the first. */
  readonly backwards: boolean;
  readonly createdAt: string;
  readonly by: string;
  readonly owner: Owner;
  readonly planId: string;
  readonly template: Plan['template'];
  readonly options: ApplyOptions;
  /** Sealed; tells on resuming whether the same secrets are given. */
  readonly secretsCheck?: Uint8Array;
  readonly devices: readonly NewDevice[];
}

/** Somebody works on an ended job again. */
export interface Claim {
  readonly owner: Owner;
  readonly run: JobRun;
  /** Runs that the job had when it was looked at: with another one since, what was seen counts no more. */
  readonly runsBefore: number;
  /** Absent: as before. */
  readonly options?: ApplyOptions;
  /** Places of the devices that wait for their turn. */
  readonly waiting: readonly number[];
  /** What a restart is waited for meanwhile. */
  readonly followUp?: FollowUpRecord;
}

/** A follow-up that is under way: it is taken up again where the process ended. */
export interface FollowUpRecord {
  readonly positions: readonly number[];
  readonly waitSeconds: number;
}

export interface Journal {
  /** The whole job with nothing done yet; durable on return. */
  create(job: NewJob): void;
  /**
   * Makes `owner` the one who works on an ended job, with these devices (by their places) waiting for
   * their turn; false where somebody else was faster. Durable.
   */
  claim(jobId: string, claim: Claim): boolean;
  /** Sections of a device that could not be planned when the job was made. */
  addSections(
    jobId: string,
    position: number,
    sections: readonly SectionResult[],
    planned: readonly PlanSection[],
  ): void;
  /** Resolves when the intent is on disk: only then may the write go out. Throws `vault-locked`. */
  intent(intent: Intent): Promise<void>;
  /** Final, or final for now. `shown` is what the device showed after the write, for an undo. */
  settled(key: SectionKey, result: SectionResult, at: string, shown?: Shown): void;
  device(jobId: string, position: number, state: DeviceResult['state'], error: ErrorShape | undefined): void;
  /** Everything as it stands, durable on return. */
  end(job: {
    readonly id: string;
    readonly state: JobState;
    readonly endedAt: string;
    readonly results: readonly DeviceResult[];
    /** A cut off follow-up stays known. */ readonly followUpLeft?: boolean;
  }): void;
  flush(): void;
}

export type DocumentPlace = 'before' | 'sent' | 'after';

/** Whose document a sealed journal entry is; it opens in no other place. */
export function sealContext({ jobId, position, index }: SectionKey, place: DocumentPlace = 'before'): string {
  const section = `journal/${jobId}/${position}/${index}`;
  return place === 'before' ? section : `${section}/${place}`;
}

export function createJournal(store: Store, vault: Pick<Vault, 'seal'>): Journal {
  const commits = createGroupCommit(store);

  function writeResult(key: SectionKey, result: SectionResult, at: string | null): void {
    store.run(
      'UPDATE job_sections SET phase = ?, outcome = ?, changes = ?, status = ?, error = ?, note = ?, result_at = coalesce(?, result_at) WHERE job_id = ? AND position = ? AND idx = ?',
      result.outcome === 'pending' ? 'planned' : 'settled',
      result.outcome,
      sharedJson(result.changes),
      jsonOrNull(result.status),
      jsonOrNull(result.error),
      result.note ?? null,
      at,
      key.jobId,
      key.position,
      key.index,
    );
  }
  function writeDevice(
    jobId: string,
    position: number,
    state: DeviceResult['state'],
    error: ErrorShape | undefined,
  ): void {
    store.run(
      'UPDATE job_devices SET state = ?, error = ? WHERE job_id = ? AND position = ?',
      state,
      jsonOrNull(error),
      jobId,
      position,
    );
  }

  function bytesOf(text: string, key: SectionKey, place: DocumentPlace, sensitive: boolean): Uint8Array {
    return sensitive ? vault.seal(text, sealContext(key, place)) : Buffer.from(text, 'utf8');
  }
  /** Sealed where it must be; undefined where the vault was locked meanwhile: an undo then compares with what was sent. */
  function keptBytes(key: SectionKey, { text, sensitive }: Shown): Uint8Array | undefined {
    try {
      return bytesOf(text, key, 'after', sensitive);
    } catch {
      return undefined;
    }
  }
  /** What is exactly as it was sent is not kept twice. */
  function writeShown(key: SectionKey, bytes: Uint8Array, hash: string | undefined): void {
    store.run(
      `UPDATE job_sections SET after_known = 1, after_document = CASE WHEN sent_document IS NOT NULL AND sent_sha256 = ? THEN NULL ELSE ? END
       WHERE job_id = ? AND position = ? AND idx = ?`,
      hash ?? null,
      bytes,
      key.jobId,
      key.position,
      key.index,
    );
  }

  return {
    create(job) {
      store.transaction(() => {
        store.run(
          `INSERT INTO jobs (id, kind, undo_of, backwards, state, created_at, by_user, owner_process, owner_engine, owner_started, plan_id, template_name, template_hash, template_text, options, secrets_check,
           template_id, template_version, search_text) VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          job.id,
          job.kind,
          job.undoOf ?? null,
          job.backwards ? 1 : 0,
          job.createdAt,
          job.by,
          job.owner.process,
          job.owner.engine,
          job.owner.started ?? null,
          job.planId,
          job.template.name,
          job.template.hash,
          job.template.text,
          JSON.stringify(job.options),
          job.secretsCheck ?? null,
          job.template.id ?? null,
          job.template.version ?? null,
          searchTextOf(job),
        );
        addRun(store, job.id, { kind: 'start', at: job.createdAt, by: job.by });
        job.devices.forEach((device, position) => insertDevice(store, job.id, device, position));
        requireFree(store, job.id);
      });
    },
    claim: (jobId, { owner, run, runsBefore, options, waiting, followUp }) =>
      store.transaction(() => {
        const { changes } = store.run(
          `UPDATE jobs SET state = 'running', ended_at = NULL, totals = NULL, owner_process = ?, owner_engine = ?, owner_started = ?, options = coalesce(?, options), follow_up = ?
         WHERE id = ? AND state <> 'running' AND (SELECT count(*) FROM job_runs WHERE job_id = jobs.id) = ?`,
          owner.process,
          owner.engine,
          owner.started ?? null,
          jsonOrNull(options),
          jsonOrNull(followUp),
          jobId,
          runsBefore,
        );
        if (changes === 0) return false;
        addSearchText(store, jobId, run.by);
        addRun(store, jobId, run);
        for (const position of waiting) {
          writeDevice(jobId, position, 'pending', undefined);
          store.run('UPDATE job_devices SET idle = 0 WHERE job_id = ? AND position = ?', jobId, position);
        }
        requireFree(store, jobId);
        return true;
      }),
    addSections: (jobId, position, sections, planned) =>
      store.transaction(() => {
        for (const [at, section] of sections.entries()) {
          insertSection(store, jobId, position, section, planned[at]);
          addSearchText(store, jobId, `${section.set} ${section.label}`);
        }
      }),
    async intent({ key, before, renew, sent, sensitive, changes, at }) {
      const document = bytesOf(before, key, 'before', sensitive);
      const sentDocument = bytesOf(sent, key, 'sent', sensitive);
      const kept = renew ? '?' : 'coalesce(before_document, ?)';
      const keptHash = renew ? '?' : 'coalesce(before_sha256, ?)';
      await commits.durable(() =>
        store.run(
          `UPDATE job_sections SET phase = 'intent', attempts = attempts + 1, before_document = ${kept}, before_sealed = ?, before_sha256 = ${keptHash},
         sent_document = ?, sent_sha256 = ?, after_known = 0, after_document = NULL, changes = ?, intent_at = ? WHERE job_id = ? AND position = ? AND idx = ?`,
          document,
          sensitive ? 1 : 0,
          sensitive ? null : sha256(before),
          sentDocument,
          sensitive ? null : sha256(sent),
          sharedJson(changes),
          at,
          key.jobId,
          key.position,
          key.index,
        ),
      );
    },
    settled(key, result, at, shown) {
      const bytes = shown === undefined ? undefined : keptBytes(key, shown);
      const hash = shown === undefined || shown.sensitive ? undefined : sha256(shown.text);
      commits.soon(() => {
        if (bytes !== undefined) writeShown(key, bytes, hash);
        writeResult(key, result, at);
      });
    },
    device: (jobId, position, state, error) => commits.soon(() => writeDevice(jobId, position, state, error)),
    end({ id, state, endedAt, results, followUpLeft = false }) {
      const { complete } = commits.flush();
      store.transaction(() => {
        // Results that could not be written when they came are written now.
        if (!complete) {
          results.forEach((device, position) => {
            writeDevice(id, position, device.state, device.error);
            for (const section of device.sections)
              writeResult({ jobId: id, position, index: section.index }, section, null);
          });
        }
        store.run(
          'UPDATE jobs SET state = ?, ended_at = ?, follow_up = iif(?, follow_up, NULL), totals = ? WHERE id = ?',
          state,
          endedAt,
          followUpLeft ? 1 : 0,
          JSON.stringify(totalsOf(results)),
          id,
        );
      });
    },
    flush: () => {
      commits.flush();
    },
  };
}

/**
 * Two jobs that replace whole documents on one device at the same time would undo each other's work
 * unseen, in this process or in another one. Throws `not-available`; what the transaction wrote is gone then.
 */
function requireFree(store: Store, jobId: string): void {
  const other = store.get<{ readonly name: string; readonly count: number; readonly job: string }>(
    `SELECT mine.name, count(*) AS count, other.job_id AS job FROM jobs
     JOIN job_devices AS other ON other.job_id = jobs.id AND other.state IN ('pending', 'running')
     JOIN job_devices AS mine ON mine.job_id = ? AND mine.state = 'pending' AND mine.url = other.url
     WHERE jobs.state = 'running' AND jobs.id <> mine.job_id GROUP BY other.job_id LIMIT 1`,
    jobId,
  );
  if (other === undefined) return;
  const more = other.count === 1 ? '' : ` and ${other.count - 1} more`;
  throw new FieldwrightError({
    code: 'not-available',
    source: 'user',
    message: `${other.name}${more} ${other.count === 1 ? 'is' : 'are'} being worked on by the job ${other.job} right now; nothing was sent.`,
    hint: 'Wait for that job to end, or stop it; or leave these devices out.',
  });
}

function addRun(store: Store, jobId: string, { kind, at, by }: JobRun): void {
  store.run(
    'INSERT INTO job_runs (job_id, number, kind, at, by_user) SELECT ?, count(*) + 1, ?, ?, ? FROM job_runs WHERE job_id = ?',
    jobId,
    kind,
    at,
    by,
    jobId,
  );
}

function insertDevice(store: Store, jobId: string, device: NewDevice, position: number): void {
  store.run(
    'INSERT INTO job_devices (job_id, position, device_id, name, url, state, error, idle, given, connection, source_position, target) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    jobId,
    position,
    device.deviceId,
    device.name,
    device.url,
    device.state,
    jsonOrNull(device.error),
    device.idle === true ? 1 : 0,
    JSON.stringify(device.values),
    jsonOrNull(device.connection),
    device.sourcePosition ?? null,
    targetOf(store, device),
  );
  device.sections.forEach((section, at) =>
    insertSection(store, jobId, position, section, device.planned[at]),
  );
}

function insertSection(
  store: Store,
  jobId: string,
  position: number,
  section: SectionResult,
  planned: PlanSection | undefined,
): void {
  store.run(
    'INSERT INTO job_sections (job_id, position, idx, set_name, label, params, planned, confirmed, outcome, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    jobId,
    position,
    section.index,
    section.set,
    section.label,
    JSON.stringify(section.params),
    sharedJson(planned?.changes ?? section.changes),
    jsonOrNull(confirmedOf(planned)),
    section.outcome,
    jsonOrNull(section.error),
  );
}

function confirmedOf(planned: PlanSection | undefined): Confirmed | undefined {
  if (planned === undefined) return undefined;
  const { state, optional, baseline, lost, adjustments, problems } = planned;
  return {
    state,
    optional,
    adjustments,
    problems,
    ...defined({ baseline, lost }),
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

const sharedTexts = new WeakMap<object, string>();

/** Devices that are alike share the very objects (see plan/remembered.ts): thousands of rows then hold one text. They are never changed. */
function sharedJson(value: object): string {
  const known = sharedTexts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  sharedTexts.set(value, text);
  return text;
}
