/** Surroundings of a command: where to write, how it may be stopped, the engine. */
import type { Engine, EngineOptions } from '#engine/api.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Job } from '#shared/model.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Interrupts } from './interrupts.ts';
import type { Io } from './io.ts';
import { Declined, printOutcome, type Outcome } from './outcome.ts';
import { formatError, noteError } from './output/errors.ts';
import type { Output } from './output/output.ts';
import type { GlobalOptions } from './data-dir.ts';

/** Job that a command has started; an error after that must not say that nothing was sent. */
export interface StartedJob {
  id?: string;
  /** State at its end; absent while it runs. */
  ended?: Job;
}

export interface Surroundings {
  readonly io: Io;
  readonly out: Output;
  readonly interrupts: Interrupts;
  readonly started: StartedJob;
  readonly globals: GlobalOptions;
}

export interface Invocation extends Surroundings {
  /**
   * Opens the engine on the data folder and reports what had to be repaired there; later calls return the same
   * engine. It is closed when the command has ended.
   */
  readonly open: (options?: Pick<EngineOptions, 'certificates'>) => Promise<Engine>;
}

/**
 * Carries a command out, prints what it returns, and closes the engine in every case. An error while closing is a
 * note: it never replaces the result of the work.
 */
export async function runCommand(
  surroundings: Surroundings,
  action: (invocation: Invocation) => Promise<Outcome> | Outcome,
): Promise<ExitCode> {
  const { out } = surroundings;
  let engine: Promise<Engine> | undefined;
  const open = async (options?: Pick<EngineOptions, 'certificates'>): Promise<Engine> => {
    const { openEngine } = await import('./open-engine.ts');
    const opened = await openEngine(surroundings, options);
    for (const notice of opened.info().notices ?? []) noteError(out, notice);
    return opened;
  };
  try {
    return printOutcome(
      out,
      await action({ ...surroundings, open: (options) => (engine ??= open(options)) }),
    );
  } catch (thrown) {
    if (!(thrown instanceof Declined)) throw thrown;
    out.note(thrown.message);
    return EXIT.usage;
  } finally {
    const opened = await engine?.catch(() => undefined);
    await opened?.close().catch((thrown: unknown) => {
      for (const line of formatError(toErrorShape(thrown), out)) out.note(line);
    });
  }
}
