/** The devices that a job did not get through on, planned anew with the values they had. */
import { say } from '#shared/details.ts';
import { FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import type { PlanDevice } from '#shared/model.ts';
import { getDeviceOutcome, needsSomebody } from '#shared/outcomes.ts';
import type { PlanRequest, PlansApi } from '../api/routes.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';
import type { Plans } from '../planning/create-plan.ts';
import { parseTemplate } from '../template/parse-template.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { pickDevices, locate, buildJobTarget, type Finder } from '../jobs/locate-device.ts';
import type { SettingsDevice, SettingsJob } from './settings-documents.ts';

interface RetrySource {
  readonly jobs: Pick<Jobs, 'stored'>;
  readonly devices: Finder;
}
type RetryRequest = Omit<Parameters<PlansApi['retry']>[0], 'secrets'>;

/**
 * Returns true for a device to try again. Resuming finishes what is unfinished; these ended as they should
 * not have, and only a new plan may try them again. One that has none of the settings is tried again where it
 * is named.
 */
function isToRetry({ units, ...device }: SettingsDevice, named: boolean): boolean {
  const outcome = getDeviceOutcome({ ...device, units });
  if (device.finishedLater === true && !named) return false;
  return needsSomebody(outcome) || (named && outcome === 'unsupported');
}

interface Retry {
  readonly job: SettingsJob;
  readonly devices: readonly SettingsDevice[];
}

/** Throws `not-found`, `unknown-device`, `not-available` while the job runs, `not-allowed` where there is nothing to try again. */
function readRetry({ jobs, devices: finder }: RetrySource, { jobId, deviceIds }: RetryRequest): Retry {
  const stored = jobs.stored(jobId);
  if (stored.kind !== 'apply') throw userError('not-allowed', say('only-plans-retried'));
  const job = stored as SettingsJob;
  const devices = pickDevices(job.devices, deviceIds, finder).filter((device) =>
    isToRetry(device, deviceIds !== undefined),
  );
  if (devices.length === 0) throw userError('not-allowed', say('nothing-to-retry', { id: job.id }));
  return { job, devices };
}

interface Retried extends Pick<PlanRequest, 'templateText' | 'valuesByDevice'> {
  readonly known: readonly string[];
  /** Devices that are in no list any more. */
  readonly lost: readonly LostDevice[];
}
type LostDevice = Omit<PlanDevice, 'group'> & { readonly error: ErrorShape };

/** Reads the job and the devices from which a retry is planned. Throws like `plans.retry`. */
function retried(source: RetrySource, request: RetryRequest): Retried {
  const { job, devices } = readRetry(source, request);
  const values: Record<string, PlanDevice['values']> = {};
  const lost = devices.flatMap((device) => {
    const located = locate(device, source.devices);
    if (located.ok) values[located.device.id] = device.document.values;
    return located.ok ? [] : [failedDevice(device, located.error)];
  });
  return { templateText: job.body.templateText, known: Object.keys(values), valuesByDevice: values, lost };
}

function failedDevice({ deviceId, name, url, document }: SettingsDevice, error: ErrorShape): LostDevice {
  return { deviceId, name, url, values: document.values, state: 'failed', error, sections: [] };
}

/** See PlansApi. */
export function createRetry(
  source: RetrySource & {
    readonly plans: Pick<Plans, 'create'>;
    readonly saved: Pick<SavedSecrets, 'mark'>;
  },
): Pick<PlansApi, 'retry' | 'retryPreview'> {
  return {
    async *retry(request, signal) {
      const { known, lost, ...rest } = retried(source, request);
      const [first] = lost;
      if (known.length === 0 && first !== undefined) throw new FieldwrightError(first.error);
      const secrets = request.secrets === undefined ? {} : { secrets: request.secrets };
      yield* source.plans.create({ ...rest, deviceIds: known, ...secrets }, signal, lost);
    },
    retryPreview(request) {
      const { job, devices } = readRetry(source, request);
      const variables = parseTemplate(job.body.templateText).summary?.variables ?? [];
      return {
        devices: devices.map((device) => buildJobTarget(device, source.devices)),
        secrets: source.saved.mark(variables.filter(({ type }) => type === 'secret')),
      };
    },
  };
}
