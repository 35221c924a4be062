/**
 * A process that works on a flow as the app does, and that kills itself (SIGKILL: nothing is closed) at the
 * first of the given places. It writes the questions, and the place where it dies, in lines on stdout.
 */
import { writeSync } from 'node:fs';
import { Effects } from '#engine/flow/effects.ts';
import type { Answers } from '#engine/flow/scripted.ts';
import { quickEngine, type DoomedDevice } from './doomed-engine.ts';
import { follow } from './run-flow.ts';

export interface Doom {
  readonly dataDir: string;
  readonly flow: string;
  /** Id of the job; absent: the flow is begun. */
  readonly jobId?: string;
  readonly device: DoomedDevice;
  readonly answers: Answers;
  /** `before STEP EFFECT`, `after STEP EFFECT`. */
  readonly places: readonly string[];
}

/** A line of stdout. */
export type DoomedLine =
  | { readonly jobId: string }
  | { readonly asked: { readonly step: string; readonly key: string; readonly wants: string } }
  | { readonly dies: string }
  | { readonly record: unknown };

const doom = JSON.parse(process.env['DOOM'] ?? '{}') as Doom;
const places = new Set(doom.places);

function tell(line: DoomedLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function mayDie(place: string): void {
  if (!places.has(place)) return;
  tell({ dies: place });
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered at once; nothing below runs.
  for (;;);
}

const put = Effects.prototype.put;
Effects.prototype.put = function dying(this: Effects, key, name, value): void {
  mayDie(`before ${key.step} ${name}`);
  put.call(this, key, name, value);
  mayDie(`after ${key.step} ${name}`);
};

const { engine, deviceId } = await quickEngine(doom.dataDir, doom.device);
const { jobId } =
  doom.jobId === undefined
    ? engine.flows.begin({ flow: doom.flow, deviceIds: [deviceId] })
    : engine.jobs.resume({ id: doom.jobId });
tell({ jobId });
await follow(engine, jobId, doom.answers, ({ step, key, wants, error }) => {
  if (wants === 'trouble') throw new Error(`${step}: ${error?.message ?? ''}`);
  tell({ asked: { step, key, wants } });
  return false;
});
tell({ record: engine.flows.recordsOf({ jobId })[0] });
await engine.close();
