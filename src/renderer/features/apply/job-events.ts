import type { DeviceResult, Job, JobEvent, JobSummary } from '../../../shared/model.ts';

export type Phase = Extract<JobEvent, { type: 'phase' }>['phase'];

/** A job as it goes: its results by device, and what each device is doing now. */
export interface LiveJob {
  readonly summary: JobSummary;
  readonly results: ReadonlyMap<string, DeviceResult>;
  readonly phases: ReadonlyMap<string, { readonly index: number; readonly phase: Phase }>;
}

function ofJob(job: Job): LiveJob {
  return { summary: job, results: new Map(job.results.map((result) => [result.deviceId, result])), phases: new Map() };
}

function withSection(result: DeviceResult, section: DeviceResult['sections'][number]): DeviceResult {
  const isKnown = result.sections.some((known) => known.index === section.index);
  const sections = isKnown ? result.sections.map((known) => (known.index === section.index ? section : known)) : [...result.sections, section];
  return { ...result, state: result.state === 'pending' ? 'running' : result.state, sections };
}

/** The job after some events. Events before the first whole job, or of another one, are passed over. */
export function applyJobEvents(before: LiveJob | undefined, events: readonly JobEvent[]): LiveJob | undefined {
  let job = before;
  let results = new Map(before?.results);
  let phases = new Map(before?.phases);
  for (const event of events) {
    if (event.type === 'job' || event.type === 'end') {
      job = ofJob(event.job);
      results = new Map(job.results);
      phases = new Map();
      continue;
    }
    if (job === undefined || event.jobId !== job.summary.id) continue;
    if (event.type === 'device') {
      results.set(event.device.deviceId, event.device);
      if (event.device.state !== 'running') phases.delete(event.device.deviceId);
      continue;
    }
    const result = results.get(event.deviceId);
    if (event.type === 'phase') {
      phases.set(event.deviceId, { index: event.index, phase: event.phase });
      if (result?.state === 'pending') results.set(event.deviceId, { ...result, state: 'running' });
    } else if (result !== undefined) {
      results.set(event.deviceId, withSection(result, event.result));
    }
  }
  return job === undefined ? undefined : { summary: job.summary, results, phases };
}

/** Devices that are through. */
export function finished(job: LiveJob): number {
  let count = 0;
  for (const { state } of job.results.values()) if (state === 'done' || state === 'failed') count += 1;
  return count;
}
