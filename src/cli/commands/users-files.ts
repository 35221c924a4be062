/** `users failed|receipt`: what a job on people leaves for others, into a file or to standard output. */
import type { Engine } from '#engine/index.ts';
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { runWithEngine, type Invocation } from '../invocation.ts';
import { openOutputFile } from '../output/output-file.ts';
import { translateError } from '../output/errors.ts';
import { createUsageError } from '../usage.ts';

interface OutOption {
  readonly out?: string;
}

/** What can be handed out after a removal. */
export function exportRemovalReceipt(
  invocation: Invocation,
  id: string,
  options: OutOption,
): Promise<number> {
  return handOut(invocation, 'receipt', { id, ...options }, (engine, jobId) => [
    engine.people.receipt({ id: jobId }).text,
  ]);
}

/** The file of failed rows of a job, also after it was resumed. */
export function exportFailedPeople(invocation: Invocation, id: string, options: OutOption): Promise<number> {
  return handOut(invocation, 'failed', { id, ...options }, (engine, jobId) =>
    formatFailedRows(invocation, engine, jobId),
  );
}

export function formatFailedRows({ out }: Invocation, engine: Engine, id: string): Iterable<string> {
  return engine.people.failedParts({
    id,
    sentenceOf: (error: ErrorShape) => translateError(error, out).message,
  });
}

async function handOut(
  invocation: Invocation,
  command: string,
  { id, out: file }: OutOption & { readonly id: string },
  parts: (engine: Engine, jobId: string) => Iterable<string>,
): Promise<number> {
  if (file === undefined) throw createUsageError(say('people-out-needed', { command }), { path: '--out' });
  const { out } = invocation;
  const target = file === '-' ? undefined : await openOutputFile(invocation, file, { force: true });
  return runWithEngine(invocation, async (engine) => {
    const { id: jobId } = engine.jobs.show({ id });
    const pieces = parts(engine, jobId);
    if (target === undefined)
      for (const piece of pieces) {
        out.raw(piece);
        await out.flush();
      }
    else {
      await target.writeParts(pieces);
      if (out.asJson) out.json({ jobId, out: file });
    }
    return EXIT.done;
  });
}
