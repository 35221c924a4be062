/** The journal of one data folder: intent before each write, result after. */
import type { ErrorShape } from '../../shared/errors.ts';
import type { ApplyOptions, Change, DeviceResult, JobState, SectionResult } from '../../shared/model.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import { createGroupCommit } from './group-commit.ts';
import { sha256 } from './read-section.ts';

/** How far a section's write has come. `intent`: it may have been sent. */
export type SectionPhase = 'planned' | 'intent' | 'settled';

/** A row of a section: job, place of the device in the job, place of the section in the template. */
export interface SectionKey {
  readonly jobId: string;
  readonly position: number;
  readonly index: number;
}

export interface Intent {
  readonly key: SectionKey;
  /** 1 for the first time it is sent. */
  readonly attempt: number;
  /** Document as read right before. */
  readonly before: string;
  /** Document about to be sent. */
  readonly sent: string;
  /** The documents hold secrets. */
  readonly sensitive: boolean;
  readonly changes: readonly Change[];
  readonly at: string;
}

export interface NewJob {
  readonly id: string;
  readonly kind: 'apply' | 'undo';
  readonly createdAt: string;
  readonly by: string;
  readonly owner: { readonly process: number; readonly engine: string };
  readonly planId: string;
  readonly template: { readonly name: string; readonly hash: string; readonly text: string };
  readonly options: ApplyOptions;
  readonly devices: readonly (DeviceResult & { readonly values: Readonly<Record<string, unknown>>; readonly planned: readonly (readonly Change[])[] })[];
}

export interface Journal {
  /** The whole job with nothing done yet; durable on return. */
  create(job: NewJob): void;
  /** Resolves when the intent is on disk: only then may the write go out. Throws `vault-locked`. */
  intent(intent: Intent): Promise<void>;
  /** Final, or final for now. */
  settled(key: SectionKey, result: SectionResult, at: string): void;
  device(jobId: string, position: number, state: DeviceResult['state'], error: ErrorShape | undefined): void;
  /** Everything as it stands, durable on return. */
  end(job: { readonly id: string; readonly state: JobState; readonly endedAt: string; readonly results: readonly DeviceResult[] }): void;
  flush(): void;
}

/** Whose document a sealed journal entry is; it opens in no other place. */
export function sealContext({ jobId, position, index }: SectionKey): string {
  return `journal/${jobId}/${position}/${index}`;
}

export function createJournal(store: Store, vault: Pick<Vault, 'seal'>): Journal {
  const commits = createGroupCommit(store);

  function writeResult(key: SectionKey, result: SectionResult, at: string | null): void {
    store.run(
      'UPDATE job_sections SET phase = ?, outcome = ?, changes = ?, status = ?, error = ?, result_at = coalesce(?, result_at) WHERE job_id = ? AND position = ? AND idx = ?',
      result.outcome === 'pending' ? 'planned' : 'settled', result.outcome, JSON.stringify(result.changes), jsonOrNull(result.status), jsonOrNull(result.error), at,
      key.jobId, key.position, key.index,
    );
  }
  function writeDevice(jobId: string, position: number, state: DeviceResult['state'], error: ErrorShape | undefined): void {
    store.run('UPDATE job_devices SET state = ?, error = ? WHERE job_id = ? AND position = ?', state, jsonOrNull(error), jobId, position);
  }

  return {
    create(job) {
      store.transaction(() => {
        store.run(
          'INSERT INTO jobs (id, kind, state, created_at, by_user, owner_process, owner_engine, plan_id, template_name, template_hash, template_text, options) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          job.id, job.kind, 'running', job.createdAt, job.by, job.owner.process, job.owner.engine, job.planId, job.template.name, job.template.hash, job.template.text, JSON.stringify(job.options),
        );
        job.devices.forEach((device, position) => insertDevice(store, job.id, device, position));
      });
    },
    async intent({ key, attempt, before, sent, sensitive, changes, at }) {
      const document = sensitive ? vault.seal(before, sealContext(key)) : Buffer.from(before, 'utf8');
      await commits.durable(() => store.run(
        `UPDATE job_sections SET phase = 'intent', attempts = ?, before_document = coalesce(before_document, ?), before_sealed = ?, before_sha256 = coalesce(before_sha256, ?),
         sent_sha256 = ?, changes = ?, intent_at = ? WHERE job_id = ? AND position = ? AND idx = ?`,
        attempt, document, sensitive ? 1 : 0, sensitive ? null : sha256(before), sensitive ? null : sha256(sent), JSON.stringify(changes), at, key.jobId, key.position, key.index,
      ));
    },
    settled: (key, result, at) => commits.soon(() => writeResult(key, result, at)),
    device: (jobId, position, state, error) => commits.soon(() => writeDevice(jobId, position, state, error)),
    end({ id, state, endedAt, results }) {
      const { complete } = commits.flush();
      store.transaction(() => {
        // Results that could not be written when they came are written now.
        if (!complete) {
          results.forEach((device, position) => {
            writeDevice(id, position, device.state, device.error);
            for (const section of device.sections) writeResult({ jobId: id, position, index: section.index }, section, null);
          });
        }
        store.run('UPDATE jobs SET state = ?, ended_at = ? WHERE id = ?', state, endedAt, id);
      });
    },
    flush: () => { commits.flush(); },
  };
}

function insertDevice(store: Store, jobId: string, device: NewJob['devices'][number], position: number): void {
  store.run(
    'INSERT INTO job_devices (job_id, position, device_id, name, url, state, error, given) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    jobId, position, device.deviceId, device.name, device.url, device.state, jsonOrNull(device.error), JSON.stringify(device.values),
  );
  device.sections.forEach((section, at) => store.run(
    'INSERT INTO job_sections (job_id, position, idx, set_name, label, params, planned, outcome, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    jobId, position, section.index, section.set, section.label, JSON.stringify(section.params), JSON.stringify(device.planned[at] ?? []), section.outcome, jsonOrNull(section.error),
  ));
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

