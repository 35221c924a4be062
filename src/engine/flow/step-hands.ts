/** Options of a run of a step, and the functions that the writes of the step borrow from it. */
import type { Asked } from '#shared/flows.ts';
import type { Change, Device, NoUndo } from '#shared/model.ts';
import type { SecretsOfDevice } from '../inventory/access/device-secrets.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { createPreparer } from '../operations/call.ts';
import type { Dialogue } from './dialogue.ts';
import type { Effects, StepKey } from './effects.ts';
import type { FlowStep, Question, StepContext, Values, Watch, Watched } from './flow.ts';
import type { WriteUnits } from './write-units.ts';

export interface StepRunOptions {
  readonly key: StepKey;
  readonly step: FlowStep;
  readonly device: StepContext['device'] & Pick<Device, 'url'>;
  readonly user: string;
  readonly effects: Effects;
  readonly dialogue: Dialogue;
  readonly prepare: ReturnType<typeof createPreparer>;
  readonly secrets: SecretsOfDevice;
  readonly job: Pick<JobContext, 'clients' | 'clock'> & {
    readonly job: Pick<JobContext['job'], 'stopped'>;
  };
  /** Called when the device starts to wait for a restart, and when it has restarted. */
  readonly onRestart: (deviceId: string, type: 'restart-due' | 'restarted') => void;
  readonly canGoBack: boolean;
  /** Records on disk that the step may have sent something from now on. */
  readonly begin: () => Promise<void>;
  /** Journal of what the step writes. */
  readonly units: Pick<WriteUnits, 'intend' | 'settle'>;
}

/** Changes that are about to be sent, with the name of their document or operation. */
export interface Sends {
  readonly set: string;
  readonly changes: readonly Change[];
  readonly noUndo?: NoUndo;
}

/** Functions of a step's run that its writes use. */
export interface StepHands {
  readonly options: StepRunOptions;
  readonly find: (key: string) => ReturnType<Effects['find']>;
  readonly put: (key: string, value: unknown) => void;
  /** Shows what would be sent, and resolves when the person confirms it. */
  readonly confirm: (key: string, question: Question, sends: Sends) => Promise<void>;
  /** Asks the person; neither the question nor the answer is recorded. */
  readonly question: (key: string, wants: Asked['wants'], question: Question) => Promise<Values>;
  readonly watch: <Seen>(key: string, watch: Watch<Seen>) => Promise<Watched<Seen>>;
}
