import type { JobSummary } from './model.ts';

type Measured = Pick<JobSummary, 'devices' | 'deviceCounts' | 'progress'>;

/** Devices of a job that are through. */
export function countFinishedDevices({ devices, deviceCounts }: Measured): number {
  return devices - (deviceCounts.pending ?? 0);
}

/** How much of them is done, from 0 to 1: by what their units count where they do, else by devices. A large job counts for more. */
export function computeProgress(jobs: readonly Measured[]): number {
  const all = jobs.reduce((sum, { devices }) => sum + devices, 0);
  if (all === 0) return 0;
  return jobs.reduce((sum, job) => sum + shareOfOne(job) * job.devices, 0) / all;
}

function shareOfOne(job: Measured): number {
  const { done, total = 0 } = job.progress ?? { done: 0 };
  if (total > 0) return Math.min(1, done / total);
  return job.devices === 0 ? 0 : countFinishedDevices(job) / job.devices;
}
