/** Context of the steps that send a package to one device, and the ways a step ends. */
import { isGone } from '#shared/error-meaning.ts';
import { say, type DetailId, type ValuesOf } from '#shared/details.ts';
import { toErrorShape, type ErrorCode, type ErrorShape } from '#shared/errors.ts';
import type { UnitOutcome } from '#shared/model.ts';
import type { ModelFinding } from '#shared/ai-models/ai-models.ts';
import type { JobContext } from '../jobs/job-kind.ts';
import type { AiCalls } from './ai-calls.ts';
import type { AwakeTime } from './awake-time.ts';

import type { ModelBody } from './documents.ts';
import type { FileServer } from './serve/file-server.ts';
import type { PackageFile } from './serve/package-file.ts';
import type { DeviceUnits, UnitPatch } from './units.ts';
import type { Waiting } from './serve/doctor/judge.ts';

export interface Send {
  readonly body: ModelBody;
  readonly device: { readonly id: string; readonly name: string; readonly url: string };
  readonly context: JobContext;
  readonly units: DeviceUnits;
  /** Clock for timeouts. */
  readonly time: AwakeTime;
  readonly calls: AiCalls;
  readonly server: FileServer;
  /** The file of the job, hashed again where this process did not do it yet. Throws where it is not what the job began with. */
  readonly file: () => Promise<PackageFile>;
  /** Token in the address that the file is served at. */
  readonly token: string;
  /** Why the device may not come. */
  readonly examine: (waiting: Waiting) => Promise<readonly ModelFinding[]>;
  /** It needs a restart; it was restarted. */
  readonly onRestart: (what: 'restart-due' | 'restarted') => void;
}

export type StepEnd =
  | {
      readonly kind: 'done';
      readonly outcome: Extract<UnitOutcome, 'effective' | 'accepted' | 'unchanged' | 'skipped'>;
      readonly patch?: UnitPatch;
    }
  /** End of a step that waits for a restart; `error` says why it is not complete. */
  | { readonly kind: 'waits'; readonly error?: ErrorShape }
  | { readonly kind: 'failed'; readonly error: ErrorShape }
  /** Not now, and through no fault of the device: it has its turn another time. */
  | { readonly kind: 'later'; readonly error: ErrorShape }
  /** End of a step whose job was stopped. */
  | { readonly kind: 'stopped' };

/** Creates an error about this device. */
export function createDeviceError<Id extends DetailId>(
  send: Pick<Send, 'device'>,
  code: ErrorCode,
  id: Id,
  ...values: ValuesOf<Id>
): ErrorShape {
  return { code, source: 'app', device: send.device.url, ...say(id, ...values) };
}

/** How a step ends with what was thrown in it. */
export function endWith({ device }: Pick<Send, 'device'>, thrown: unknown): StepEnd {
  const error = { device: device.url, ...toErrorShape(thrown) };
  if (error.code === 'cancelled') return { kind: 'stopped' };
  return { kind: isGone(error) ? 'later' : 'failed', error };
}

/** Waits, longer if the computer slept meanwhile; returns false if the job was stopped. */
export async function pause({ context, time }: Pick<Send, 'context' | 'time'>, ms: number): Promise<boolean> {
  await context.clock.delay(ms, context.job.stopped).catch(() => undefined);
  await time.whileStanding();
  return !context.job.cancelled;
}
