/** Who changed a setting, as far as the journal of this computer knows. */
import type { Params } from '../../../shared/model.ts';
import type { JobsApi } from '../../api.ts';
import { configurationOf } from '../configuration.ts';
import type { AppliedJob } from '../configuration.ts';

/** The latest job since then that wrote it; undefined where the journal knows of none. */
export function authorsOf(
  deviceId: string,
  from: string | undefined,
  jobs: Pick<JobsApi, 'search' | 'show'>,
): (operation: string, params: Params, path: string) => AppliedJob | undefined {
  const { writer } = configurationOf(deviceId, jobs);
  return (operation, params, path) => {
    const job = writer(operation, params, path);
    return job !== undefined && (from === undefined || job.at >= from) ? job : undefined;
  };
}
