/** What every command gets: where to write, how it may be stopped, its options. */
import type { Engine, EngineOptions } from '#engine/api.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Job } from '#shared/model.ts';
import { openEngine } from './open-engine.ts';
import type { Interrupts } from './interrupts.ts';
import type { Io } from './io.ts';
import { formatError } from './output/errors.ts';
import type { Output } from './output/output.ts';
import type { GlobalOptions } from './places.ts';

/** Job that a command has started; an error after that must not say that nothing was sent. */
export interface StartedJob {
  id?: string;
  /** State at its end; absent while it runs. */
  ended?: Job;
}

export interface Invocation {
  readonly io: Io;
  readonly out: Output;
  readonly interrupts: Interrupts;
  readonly started: StartedJob;
  readonly globals: GlobalOptions;
}

/**
 * Opens the engine on the data folder, reports what had to be repaired there, does the work, and closes the engine in
 * every case. An error while closing is a note: it never replaces the result of the work.
 */
export async function runWithEngine<T>(
  invocation: Invocation,
  work: (engine: Engine) => Promise<T>,
  options: Pick<EngineOptions, 'certificates'> = {},
): Promise<T> {
  const engine = await openEngine(invocation, options);
  for (const notice of engine.info().notices ?? [])
    for (const line of formatError(notice, invocation.out)) invocation.out.note(line);
  try {
    return await work(engine);
  } finally {
    await engine.close().catch((thrown: unknown) => {
      for (const line of formatError(toErrorShape(thrown), invocation.out)) invocation.out.note(line);
    });
  }
}
