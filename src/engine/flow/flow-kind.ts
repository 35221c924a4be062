/** Guided flows as a kind of job: a unit is a step, a device has its turn from its first step to its record. */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, formatDetail, say, type Detail } from '#shared/details.ts';
import { toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import { NO_UNDO, STEP_DEEDS, type Change, type Params, type UnitResult } from '#shared/model.ts';
import type { DeviceSecrets } from '../inventory/access/device-secrets.ts';
import { isForbidden } from '../files/policy.ts';
import { settingsHistory } from '../write/settings-history.ts';
import { createJobCancelledError, refuseTurn, runTurn } from '../jobs/device-turn.ts';
import type { JobContext, JobKind, JobTurn, NewDevice } from '../jobs/job-kind.ts';
import { isUnfinished } from '../jobs/job-state.ts';
import type { UnitKey } from '../jobs/types.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { Dialogue } from './dialogue.ts';
import { ENDED, type EndedStep } from './ended.ts';
import type { Effects, StepKey } from './effects.ts';
import type { Flow, FlowStep, StepContext, Written } from './flow.ts';
import type { Records } from './records.ts';
import type { StepRunOptions } from './step-hands.ts';
import { Detour, StepRun, WENT_BACK } from './step-run.ts';
import type { KeptWrite } from './step-writes.ts';
import { describeStepError } from './trouble.ts';
import { WriteUnits } from './write-units.ts';

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const schemas = computeOnce(() => ({
  body: z.object({ flow: z.string() }),
  device: z.object({}),
  detail: z.object({
    step: z.string().optional(),
    did: z.enum(STEP_DEEDS).optional(),
    /** Reason for leaving it out. */
    reason: z.string().optional(),
    /** Section or operation, of a unit that is not a step but something that one wrote. */
    set: z.string().optional(),
    params: z.custom<Params>(isObject).optional(),
    changes: z.array(z.custom<Change>(isObject)).optional(),
    noUndo: z.enum(NO_UNDO).optional(),
  }),
  unit: z.object({}),
}));
interface FlowDocuments {
  readonly body: z.infer<ReturnType<typeof schemas>['body']>;
  readonly device: object;
  readonly detail: z.infer<ReturnType<typeof schemas>['detail']>;
  readonly unit: object;
}

interface FlowKindOptions {
  readonly flows: readonly Flow[];
  readonly effects: Effects;
  readonly records: Records;
  readonly secrets: DeviceSecrets;
  readonly finder: Finder;
  readonly prepare: StepRunOptions['prepare'];
  readonly onRestart: StepRunOptions['onRestart'];
  readonly user: string;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
  /** Undo of jobs that write settings; what flows write is undone in the same way. */
  readonly settings: () => { readonly undo?: JobKind<FlowDocuments>['undo'] };
}

type Place = StepContext['device'] & { readonly position: number };

export class FlowKind {
  readonly #options: FlowKindOptions;
  readonly #dialogues = new Map<string, Dialogue>();
  readonly kind: JobKind<FlowDocuments>;

  constructor(options: FlowKindOptions) {
    this.#options = options;
    this.kind = {
      name: 'flow',
      whenBusy: 'refuse',
      interrupted: 'pending',
      schemas,
      resume: (job) =>
        job.devices.filter(isUnfinished).map((device) => {
          const { position } = device;
          const located = locate(device, options.finder);
          return {
            position,
            turn: located.ok
              ? this.turn(this.flowOf(job.body.flow), { ...located.device, position })
              : (context) => refuseTurn(position, located.error, context),
          };
        }),
      history: {
        words: ({ set = '' }) => set,
        rows: ({ set, params, changes = [] }, label, byItem) =>
          set === undefined ? [] : settingsHistory.rows({ set, changes, params }, label, byItem),
      },
      get undo() {
        return options.settings().undo;
      },
      ended: (jobId) => this.#dialogues.delete(jobId),
    };
  }

  /** Throws `not-found`. */
  flowOf(name: string): Flow {
    const flow = this.#options.flows.find((each) => each.name === name);
    if (flow !== undefined) return flow;
    throw userError('not-found', say('flow-unknown', { name }));
  }

  /** Returns the question of a running job; undefined if it does not run here. */
  dialogueOf(jobId: string): Dialogue | undefined {
    return this.#dialogues.get(jobId);
  }

  newDevice(flow: Flow, device: StepContext['device'], position: number): NewDevice {
    return {
      deviceId: device.id,
      name: device.name,
      url: device.url,
      state: 'pending',
      units: flow.steps.map((step, index) => ({ result: unitOf(step, index, 'pending') })),
      turn: this.turn(flow, { ...device, position }),
    };
  }

  turn(flow: Flow, place: Place): JobTurn {
    return (context) =>
      runTurn({ position: place.position, deviceId: place.id, url: place.url, secrets: [] }, context, () =>
        this.#run(flow, place, context),
      );
  }

  async #run(flow: Flow, place: Place, context: JobContext): Promise<ErrorShape | undefined> {
    const { job } = context;
    const { records, effects } = this.#options;
    const dialogue = this.#dialogues.get(job.id) ?? new Dialogue();
    this.#dialogues.set(job.id, dialogue);
    const at = { jobId: job.id, position: place.position };
    this.#reopen(flow, at);
    for (let index = 0; index < flow.steps.length;) {
      if (job.cancelled) return createJobCancelledError();
      const step = flow.steps[index];
      if (step === undefined) break;
      // The record that was signed does not cover what a step did afterwards.
      if (index === flow.steps.length - 1 && records.isOutdated(flow, at))
        effects.drop({ ...at, step: step.id });
      const went = await this.#step(flow, index, place, { context, dialogue });
      if (went === 'on') index += 1;
      else if (went === 'back') index -= 1;
      else if (went !== 'again') return went;
    }
    records.make(flow, at, place);
    return undefined;
  }

  /** Steps that ended without anybody knowing what became of them are taken up again. */
  #reopen({ steps }: Flow, at: Omit<StepKey, 'step'>): void {
    const { effects } = this.#options;
    for (const { id: step } of steps) {
      const ended = effects.find({ ...at, step }, ENDED)?.value as EndedStep | undefined;
      if (ended?.open === true) effects.drop({ ...at, step }, ENDED);
    }
  }

  /** Runs a step and returns where to go from it; an error ends the device's turn. */
  async #step(
    flow: Flow,
    index: number,
    place: Place,
    { context, dialogue }: { readonly context: JobContext; readonly dialogue: Dialogue },
  ): Promise<'on' | 'back' | 'again' | ErrorShape> {
    const { effects, user, prepare, onRestart, secrets } = this.#options;
    const { job, journal, clock } = context;
    const step = flow.steps[index] as FlowStep;
    const key: StepKey = { jobId: job.id, position: place.position, step: step.id };
    const unit: UnitKey = { jobId: job.id, position: place.position, index };
    const before = flow.steps[index - 1];
    const units = new WriteUnits(key, effects, context, this.#options.canSeal);
    const run = new StepRun({
      key,
      step,
      device: place,
      user,
      effects,
      dialogue,
      prepare,
      onRestart,
      secrets: secrets.of(place.id),
      job: context,
      canGoBack: before !== undefined && !hasSent(effects, { ...key, step: before.id }),
      begin: () => journal.intent(unit, unitOf(step, index, 'pending'), clock.now().toISOString()),
      units,
    });
    const closeUnits = (): void => units.close((name) => outcomeOf(effects.find(key, name)?.value));
    const end = (ended: EndedStep): 'on' => {
      effects.put(key, ENDED, ended);
      closeUnits();
      const { outcome, did, status, error, skipped: reason } = ended;
      const result: UnitResult & FlowDocuments['detail'] = {
        ...unitOf(step, index, reason === undefined || isOpen(outcome) ? outcome : 'skipped'),
        ...removeUndefined({ did, status, error, reason: reason || undefined }),
      };
      job.unit(place.position, result);
      journal.settled(unit, result, clock.now().toISOString());
      return 'on';
    };
    const known = effects.find(key, ENDED);
    if (known !== undefined) return end(known.value as EndedStep);
    const forbidden = findForbidden(step);
    if (forbidden !== undefined)
      return end({ outcome: 'unchanged', skipped: '', error: toErrorShape(refuse(forbidden)), blocks: [] });
    job.phase(place.position, index, 'waiting');
    try {
      return end({ ...(await step.run(run)), blocks: run.blocks });
    } catch (thrown) {
      closeUnits();
      if (job.cancelled) return createJobCancelledError();
      if (!(thrown instanceof Detour))
        return this.#trouble(thrown, { key, step, run, dialogue, context, end });
      const { answer, to } = thrown;
      if (answer.kind === 'leave') {
        context.job.cancel();
        return createJobCancelledError();
      }
      if (answer.kind === 'skip')
        return end({
          outcome: openOutcome(effects, key) ?? 'unchanged',
          skipped: answer.reason,
          blocks: run.blocks,
        });
      if (to !== undefined || before === undefined) {
        effects.drop(key, to);
        effects.put(key, WENT_BACK, true);
        return 'again';
      }
      effects.drop(key);
      effects.drop({ ...key, step: before.id });
      effects.put({ ...key, step: before.id }, WENT_BACK, true);
      job.unit(place.position, unitOf(before, index - 1, 'pending'));
      return 'back';
    }
  }

  /** Asks a person about an obstacle: try again, leave the step out, or leave. */
  async #trouble(
    thrown: unknown,
    {
      key,
      step,
      run,
      dialogue,
      context,
      end,
    }: {
      readonly key: StepKey;
      readonly step: FlowStep;
      readonly run: StepRun;
      readonly dialogue: Dialogue;
      readonly context: JobContext;
      readonly end: (ended: EndedStep) => 'on';
    },
  ): Promise<'on' | 'again' | ErrorShape> {
    const error = toErrorShape(thrown);
    try {
      const answer = await dialogue.ask(
        {
          text: describeStepError(error, openOutcome(this.#options.effects, key) === 'unknown'),
          tone: 'danger',
          position: key.position,
          step: key.step,
          key: 'trouble',
          wants: 'trouble',
          error,
          canSkip: step.required !== true,
          canGoBack: false,
        },
        context.job.stopped,
      );
      if (answer.kind === 'values') return 'again';
      // The findings and actions before it stay on record.
      if (answer.kind === 'skip')
        return end({
          outcome: openOutcome(this.#options.effects, key) ?? 'failed',
          error,
          skipped: answer.reason,
          blocks: run.blocks,
        });
      return error;
    } catch {
      return createJobCancelledError();
    }
  }
}

/** Returns why a policy keeps a step from being done, or the flow from beginning where the step is required. */
export function findForbidden({ writes = [], required }: FlowStep): Detail | undefined {
  if (writes.length === 0 || !writes.every((set) => isForbidden(set))) return undefined;
  return createDetail(required === true ? 'flow-begin-forbidden' : 'flow-step-forbidden', {
    set: writes.join(', '),
  });
}

function refuse(detail: Detail): Error {
  return userError('not-allowed', { message: formatDetail(detail), detail });
}

/** Refuses a flow that a policy keeps from its purpose. @throws `not-allowed` */
export function requireAllowedFlow({ steps }: Flow): void {
  const detail = steps
    .filter(({ required }) => required)
    .map(findForbidden)
    .find(Boolean);
  if (detail !== undefined) throw refuse(detail);
}

function unitOf(
  step: FlowStep,
  index: number,
  outcome: UnitResult['outcome'],
): UnitResult & FlowDocuments['detail'] {
  return {
    index,
    label: formatEnglish(step.title),
    title: step.title,
    outcome,
    step: step.id,
  };
}

/** Formats words in English for the journal; screens have the step's own words. */
export function formatEnglish(words: DocumentText): string {
  if (typeof words === 'string') return words;
  return 'label' in words ? words.label : formatDetail(words);
}

/** Returns true for an outcome that shows that even a step that was left out has sent something. */
function isOpen(outcome: UnitResult['outcome']): boolean {
  return outcome === 'unknown' || outcome === 'needs-reboot';
}

/** Returns the outcome of a write of the step that is unknown or waits for a restart; undefined where there is none. */
function openOutcome(effects: Effects, key: StepKey): 'unknown' | 'needs-reboot' | undefined {
  const all = new Map(
    effects
      .of(key)
      .filter(({ step }) => step === key.step)
      .map(({ key: name, value }) => [name, value]),
  );
  const outcomes = [...all.keys()]
    .filter((name) => name.endsWith('#sent'))
    .map((name) => outcomeOf(all.get(name.slice(0, -'#sent'.length))));
  return (['unknown', 'needs-reboot'] as const).find((outcome) => outcomes.includes(outcome));
}

/** Reads the outcome from the journal entry of a write that was sent. */
function outcomeOf(kept: unknown): Written['outcome'] {
  if (kept === undefined) return 'unknown';
  return ('written' in (kept as object) ? (kept as KeptWrite).written : (kept as Written)).outcome;
}

function hasSent(effects: Effects, key: StepKey): boolean {
  return effects
    .of(key)
    .some(
      ({ step, key: name }) => step === key.step && (name.startsWith('write:') || name.startsWith('call:')),
    );
}
