/** Jobs as `--json` prints them. Scripts rely on these names: a job's units are `sections` there. */
import { formatDetail } from '#shared/details.ts';
import type { DeviceResult, Job, JobEvent, JobSummary, UnitResult } from '#shared/model.ts';

/** Returns a job with what it is about beside its other fields. */
export function toScriptSummary<Summary extends JobSummary>({ about, ...job }: Summary) {
  const { selection, ...rest } = about;
  return {
    ...job,
    ...rest,
    selection: typeof selection === 'object' ? formatDetail(selection) : selection,
  };
}

export function toScriptJob(job: Job) {
  return { ...toScriptSummary(job), results: job.results.map(deviceForScripts) };
}
export type ScriptJob = ReturnType<typeof toScriptJob>;

/** An event as a line of `--progress`; undefined for the end, whose job is the last line by itself. */
export function toScriptEvent(event: JobEvent) {
  switch (event.type) {
    case 'job':
      return { ...event, job: toScriptJob(event.job) };
    case 'device':
      return { ...event, device: deviceForScripts(event.device) };
    case 'unit':
      return { ...event, type: 'section' };
    case 'end':
      return undefined;
    default:
      return event;
  }
}

function deviceForScripts({ units, ...device }: DeviceResult) {
  return { ...device, sections: units.map(unitForScripts) };
}

/** The label, which is English as all that scripts read, says what its title says. */
function unitForScripts({ title: _title, ...unit }: UnitResult) {
  return unit;
}
