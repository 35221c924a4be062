/** What every command gets: where to write, how it may be stopped, its options. */
import type { Engine, EngineOptions } from '../engine/api.ts';
import { openEngine } from './open-engine.ts';
import type { Interrupts } from './interrupts.ts';
import type { Io } from './io.ts';
import { errorLines } from './output/errors.ts';
import type { Output } from './output/output.ts';
import type { GlobalOptions } from './places.ts';

export interface Invocation {
  readonly io: Io;
  readonly out: Output;
  readonly interrupts: Interrupts;
  readonly globals: GlobalOptions;
}

/** Opens the engine on the data folder, tells what had to be set right there, does the work, and closes it whatever happened. */
export async function withEngine<T>(
  invocation: Invocation,
  work: (engine: Engine) => Promise<T>,
  options: Pick<EngineOptions, 'certificates'> = {},
): Promise<T> {
  const engine = await openEngine(invocation, options);
  for (const notice of engine.info().notices ?? [])
    for (const line of errorLines(notice, invocation.out)) invocation.out.note(line);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
