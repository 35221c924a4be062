/** The devices that a job did not get through on, planned anew with the values they had. */
import { FieldwrightError } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import type { PlanDevice, RetryPreview } from '../../shared/model.ts';
import { deviceOutcome, needsSomebody } from '../../shared/outcomes.ts';
import type { PlanRequest, PlansApi } from '../api.ts';
import type { Vault } from '../inventory/vault.ts';
import type { Store } from '../store/index.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { createJobRows } from '../jobs/job-rows.ts';
import { chosenDevices, locate, targetOf } from '../jobs/locate-device.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { isAlive } from '../jobs/owner.ts';
import { createStoredJobs } from '../jobs/stored-job.ts';
import type { StoredDevice, StoredJob } from '../jobs/stored-job.ts';

export interface RetrySource {
  readonly store: Store;
  readonly vault: Pick<Vault, 'open'>;
  readonly devices: Finder;
}
type RetryRequest = Omit<Parameters<PlansApi['retry']>[0], 'secrets'>;

/**
 * Resuming finishes what is unfinished; these ended as they should not have, and only a new plan may
 * try them again. One that has none of the settings is tried again where it is named.
 */
function isToRetry(device: StoredDevice, named: boolean): boolean {
  const outcome = deviceOutcome(device);
  return needsSomebody(outcome) || (named && outcome === 'unsupported');
}

interface Retry {
  readonly job: StoredJob;
  readonly devices: readonly StoredDevice[];
}

/** Throws `not-found`, `unknown-device`, `not-available` while the job runs, `not-allowed` where there is nothing to try again. */
function readRetry(
  { store, vault, devices: finder }: RetrySource,
  { jobId, deviceIds }: RetryRequest,
): Retry {
  const rows = createJobRows(store);
  rows.markInterrupted(isAlive);
  const job = createStoredJobs(store, vault).read(rows.fullId(jobId));
  if (job.state === 'running')
    throw new FieldwrightError({
      code: 'not-available',
      source: 'user',
      message: `The job ${job.id} is being worked on right now.`,
      hint: 'Wait for it to end, or stop it.',
    });
  if (job.kind === 'undo')
    throw new FieldwrightError({
      code: 'not-allowed',
      source: 'user',
      message: 'An undo is not planned; what is left of it is resumed, or the job is undone once more.',
    });
  const devices = chosenDevices(job.devices, deviceIds, finder).filter((device) =>
    isToRetry(device, deviceIds !== undefined),
  );
  if (devices.length === 0)
    throw new FieldwrightError({
      code: 'not-allowed',
      source: 'user',
      message: `No device of the job ${job.id} is left to try again.`,
    });
  return { job, devices };
}

export interface Retried extends Pick<PlanRequest, 'templateText' | 'valuesByDevice'> {
  readonly known: readonly string[];
  /** Devices that are in no list any more. */
  readonly lost: readonly Omit<PlanDevice, 'group'>[];
}

/** What a plan of another try is made from. Throws as `plans.retry`. */
export function retried(source: RetrySource, request: RetryRequest): Retried {
  const { job, devices } = readRetry(source, request);
  const values: Record<string, PlanDevice['values']> = {};
  const lost = devices.flatMap((device) => {
    const located = locate(device, source.devices);
    if (located.ok) values[located.device.id] = device.values;
    return located.ok ? [] : [failedDevice(device, located.error)];
  });
  return { templateText: job.template.text, known: Object.keys(values), valuesByDevice: values, lost };
}

function failedDevice(
  { deviceId, name, url, values }: StoredDevice,
  error: ErrorShape,
): Omit<PlanDevice, 'group'> {
  return { deviceId, name, url, values, state: 'failed', error, sections: [] };
}

export function previewRetry(source: RetrySource, request: RetryRequest): RetryPreview {
  const { job, devices } = readRetry(source, request);
  const variables = parseTemplate(job.template.text).summary?.variables ?? [];
  return {
    devices: devices.map((device) => targetOf(device, source.devices)),
    secrets: variables.filter(({ type }) => type === 'secret'),
  };
}
