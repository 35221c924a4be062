/** `users failed|receipt`: files that a job on people leaves, to be mended or handed out. */
import type { Engine } from '#engine/index.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Invocation } from '../invocation.ts';
import type { Outcome } from '../outcome.ts';
import { openOutputFile } from '../output/output-file.ts';
import { translateError } from '../output/errors.ts';

interface OutOption {
  readonly out: string;
}

/** Writes the deletion receipt of a removal. */
export function exportRemovalReceipt(
  invocation: Invocation,
  id: string,
  { out }: OutOption,
): Promise<Outcome> {
  return handOut(invocation, id, out, (engine, jobId) => [engine.people.receipt({ id: jobId }).text]);
}

/** Writes the failed rows of a job, also after it was resumed. */
export function exportFailedPeople(invocation: Invocation, id: string, { out }: OutOption): Promise<Outcome> {
  return handOut(invocation, id, out, (engine, jobId) => formatFailedRows(invocation, engine, jobId));
}

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
  const { out } = invocation;
  const target = file === '-' ? undefined : await openOutputFile(invocation, file, { force: true });
  const engine = await invocation.open();
  const { id: jobId } = engine.jobs.show({ id });
  const pieces = format(engine, jobId);
  if (target !== undefined) {
    await target.writeParts(pieces);
    return { json: { jobId, out: file } };
  }
  for (const piece of pieces) {
    out.raw(piece);
    await out.flush();
  }
  return EXIT.done;
}
