/** `users failed|receipt`: files that a job on people leaves, to be mended or handed out. */
import type { Action } from '../declarations/all.ts';
import type { Engine } from '#engine/index.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Invocation } from '../invocation.ts';
import type { Outcome } from '../outcome.ts';
import { openOutput } from '../output/output-file.ts';
import { translateError } from '../output/errors.ts';

/** Writes the deletion receipt of a removal. */
export const exportRemovalReceipt: Action<'users receipt'> = (invocation, id, { out }) => {
  return handOut(invocation, id, out, (engine, jobId) => [engine.people.receipt({ id: jobId }).text]);
};

/** Writes the failed rows of a job, also after it was resumed. */
export const exportFailedPeople: Action<'users failed'> = (invocation, id, { out }) => {
  return handOut(invocation, id, out, (engine, jobId) => formatFailedRows(invocation, engine, jobId));
};

export function formatFailedRows({ out }: Invocation, engine: Engine, id: string): Iterable<string> {
  return engine.people.failedParts({
    id,
    sentenceOf: (error: ErrorShape) => translateError(error, out).message,
  });
}

async function handOut(
  invocation: Invocation,
  id: string,
  file: string,
  format: (engine: Engine, jobId: string) => Iterable<string>,
): Promise<Outcome> {
  const target = await openOutput(invocation, file, { force: true });
  const engine = await invocation.open();
  const { id: jobId } = engine.jobs.show({ id });
  await target.writeParts(format(engine, jobId));
  return file === '-' ? EXIT.done : { json: { jobId, out: file } };
}
