/** A template on many devices: the kind of job that carries out a plan. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ApplyOptions, PlanDevice, PlanSection, SectionResult } from '#shared/model.ts';
import type { JobsApi } from '../api/routes.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';
import type { Vault } from '../inventory/access/vault.ts';
import { refuseTurn } from '../jobs/device-turn.ts';
import type { ContinuedTurn, JobKind, NewDevice, ResumeRequest } from '../jobs/job-kind.ts';
import { isUnfinished, haveAllSucceeded } from '../jobs/job-state.ts';
import { createJobId, type Jobs } from '../jobs/jobs.ts';
import { planDevice, type PlanDeviceContext, type Plans, type SavedAs } from '../planning/create-plan.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { applyDevice, findBlockedOutcome } from './apply-device.ts';
import { prepareTasks, type PreparedDevice } from './prepare-job.ts';
import { needsSecrets, planResume } from './resume-plan.ts';
import { requireSameSecrets, sealSecretsCheck } from './secrets-check.ts';
import {
  createPendingUnit,
  type Settings,
  type SettingsDevice,
  type SettingsJob,
  type PartlyUndoable,
  type Undoable,
} from './settings-documents.ts';
import { createSettingsSchemas } from './settings-schemas.ts';
import { resumeUndo, beginUndo, listPreviewSections } from './undo/begin-undo.ts';
import { applyUnplanned } from './unplanned-device.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { settingsHistory } from '../write/settings-history.ts';
import { followUpTurns } from './follow-up/follow-up.ts';

interface ApplyKindOptions extends SettingsKindOptions {
  readonly saved: Pick<SavedSecrets, 'fillFor'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Plans a device that could not be planned when the job was made. */
  readonly planning: Omit<PlanDeviceContext, 'signal'>;
  /** Returns whether a job that was begun after this one wrote to the device. */
  readonly isChangedSince: (deviceId: string, jobId: string, sections: readonly PlanSection[]) => boolean;
}

type Secrets = Readonly<Record<string, string>>;

/** Jobs whose secrets are remembered while this process runs, so that it need not ask twice. */
const SECRETS_KEPT = 20;

/** The kinds `apply` and `undo`, and what begins the one of them. */
export class Applying {
  readonly #options: ApplyKindOptions;
  readonly #secrets = new Map<string, Secrets>();
  readonly kinds: { readonly apply: JobKind<Settings>; readonly undo: JobKind<Settings> };
  /** How documents that a job wrote are put back, and looked at after a restart. */
  readonly settings: ReturnType<typeof createSettingsKind>;

  constructor(options: ApplyKindOptions) {
    this.#options = options;
    const common = createSettingsKind(options);
    this.settings = common;
    this.kinds = {
      apply: {
        ...common,
        schemas: createSettingsSchemas,
        name: 'apply',
        resume: (job, request) => this.#resume(job, request),
        secretsFor: secretVariables,
        unitsOfUnplanned: ({ body }) => parseTemplate(body.templateText).document?.sections.length ?? 0,
        ended: (id, done) => {
          if (done) this.#secrets.delete(id);
        },
      },
      undo: {
        ...common,
        schemas: createSettingsSchemas,
        name: 'undo',
        resume: (job, request) => resumeUndo(job, request, options),
      },
    };
  }

  start(
    request: Parameters<JobsApi['start']>[0],
    {
      jobs,
      plans,
      savedAs,
    }: {
      readonly jobs: Pick<Jobs, 'begin'>;
      readonly plans: Pick<Plans, 'get' | 'secretsOf'>;
      /** The saved template version whose text has this hash. */
      readonly savedAs: SavedAs;
    },
    id = createJobId(),
  ): { readonly jobId: string } {
    const { deviceIds, options = {} } = request;
    const { confirmWithin, whenBack, between } = options;
    // No person would be there to keep what is written to a device that is back at night.
    if (confirmWithin !== undefined && (whenBack !== undefined || between !== undefined))
      throw userError('usage', say('confirm-or-wait'));
    const plan = 'plan' in request ? request.plan : plans.get(request.planId);
    const { finder, canSeal, vault } = this.#options;
    const secrets = plans.secretsOf(plan, given(request.secrets));
    const prepared = prepareTasks({
      plan,
      deviceIds,
      find: (reference) => finder.find(reference),
      allowPlainFields: options.allowPlainFields,
      secrets,
      canSeal,
    });
    const { name, hash, text } = plan.template;
    const template = { name, hash, ...savedAs(hash) };
    const secretsCheck = sealSecretsCheck(secrets, id, vault);
    const begun = jobs.begin({
      id,
      kind: 'apply',
      title: name,
      about: { template },
      subject: template.id,
      body: {
        planId: plan.id,
        templateText: text,
        backwards: false,
        secretsCheck,
      } satisfies Settings['body'],
      options,
      devices: prepared.map((device) => newDevice(device, options)),
    });
    this.#remember(id, secrets);
    return begun;
  }

  #resume(job: SettingsJob, { secrets: typed, options }: ResumeRequest): readonly ContinuedTurn[] {
    const { saved, vault, finder, canSeal, planning, isChangedSince } = this.#options;
    const secrets = saved.fillFor(job.body.templateText, typed ?? this.#secrets.get(job.id) ?? {});
    requireSameSecrets(secrets, job.body.secretsCheck, job.id, vault);
    const tasks = planResume({
      job,
      devices: job.devices.filter(isUnfinished),
      secrets,
      finder,
      allowPlainFields: options.allowPlainFields,
      canSeal,
    });
    this.#remember(job.id, secrets);
    return tasks.map((task): ContinuedTurn => {
      switch (task.kind) {
        case 'planned':
          return { position: task.task.position, turn: (context) => applyDevice(task.task, context) };
        case 'unplanned':
          return {
            position: task.task.position,
            turn: (context) =>
              applyUnplanned(
                task.task,
                context,
                ({ deviceId, resolved, document }, signal) =>
                  planDevice(finder.find(deviceId), resolved, document, { ...planning, signal }),
                (sections) => isChangedSince(task.task.deviceId, job.id, sections),
              ),
          };
        case 'impossible':
          return {
            position: task.position,
            turn: (context) => refuseTurn(task.position, task.error, context),
          };
      }
    });
  }

  #remember(jobId: string, secrets: Secrets): void {
    if (Object.keys(secrets).length === 0) return;
    this.#secrets.set(jobId, secrets);
    const [oldest] = this.#secrets.keys();
    if (this.#secrets.size > SECRETS_KEPT && oldest !== undefined) this.#secrets.delete(oldest);
  }
}

function given(secrets: Secrets | undefined): Secrets | undefined {
  return secrets === undefined || Object.keys(secrets).length === 0 ? undefined : secrets;
}

function secretVariables(
  { body }: SettingsJob,
  devices: readonly SettingsDevice[],
): ReturnType<NonNullable<JobKind['secretsFor']>> {
  const { document, summary } = parseTemplate(body.templateText);
  if (document === undefined || !devices.some((device) => needsSecrets(device, document))) return [];
  return summary?.variables.filter(({ type }) => type === 'secret') ?? [];
}

/** Builds a device of the job. Without a turn it has its result already: what the plan says. */
function newDevice(
  { planned, deviceId, name, url, connection, task }: PreparedDevice,
  options: ApplyOptions,
): NewDevice {
  const units = planned.sections.map(createPendingUnit);
  const place = {
    deviceId,
    name,
    url,
    document: { values: planned.values },
    ...removeUndefined({ connection }),
  };
  if (task !== undefined)
    return {
      ...place,
      state: 'pending',
      units,
      turn: (context) => applyDevice(task, context),
      changesNothing: !planned.sections.some(({ state }) => state === 'changes' || state === 'adjusted'),
    };
  const results = planned.sections.map((section) => withoutTurn(section, options));
  return {
    ...place,
    ...idleState(planned, results),
    units: units.map((unit, at) => ({ ...unit, result: results[at] ?? unit.result })),
  };
}

function idleState(
  { state, error }: PlanDevice,
  results: readonly SectionResult[],
): Pick<NewDevice, 'state' | 'idle' | 'error'> {
  return {
    state: state === 'failed' || !haveAllSucceeded(results) ? 'failed' : 'done',
    idle: true,
    error,
  };
}

/** Returns the result of a section that is not written because other sections block the device. */
function withoutTurn(section: PlanSection, options: ApplyOptions): SectionResult {
  const { outcome, error } = findBlockedOutcome(section, options) ?? {
    outcome: section.state === 'unchanged' ? 'unchanged' : 'blocked',
  };
  return { ...createPendingUnit(section).result, outcome, ...removeUndefined({ error }) };
}

interface SettingsKindOptions {
  readonly finder: Finder;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
  /** Called after the restart of a device that the job waited for. */
  readonly onRestarted: (deviceId: string) => void;
}

/**
 * Creates the kind. Two jobs that replace whole documents on one device would undo each other's work unseen,
 * so they are refused.
 */
function createSettingsKind(
  options: SettingsKindOptions,
): Omit<JobKind<Undoable>, 'name' | 'resume' | 'schemas' | 'undo'> & Pick<JobKind<PartlyUndoable>, 'undo'> {
  return {
    whenBusy: 'refuse',
    interrupted: 'unknown',
    undo: {
      preview: listPreviewSections,
      begin: (job, request) => beginUndo(job, request, options),
    },
    followUp: (_job, devices, record) => followUpTurns(devices, record, options),
    history: settingsHistory,
  };
}
