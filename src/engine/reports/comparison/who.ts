/** Finds who changed a setting, as far as the journal of this computer knows. */
import type { Params } from '#shared/model.ts';
import type { Value } from '#shared/report-document.ts';
import type { AppliedJob, Configuration } from '../configuration.ts';
import { isSame } from './compare.ts';

/** Finds the latest job since then that wrote this very value; undefined if the journal knows of none. */
export function createJobFinder(
  { writer }: Configuration,
  from: string | undefined,
): (operation: string, params: Params, path: string, value: Value) => AppliedJob | undefined {
  return (operation, params, path, value) => {
    const written = writer(operation, params, path);
    // The job that wrote another value is not its author.
    if (written === undefined || !isSame(written.fact.value, value)) return undefined;
    return from === undefined || written.job.at >= from ? written.job : undefined;
  };
}
