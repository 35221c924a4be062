/** One life of an engine that enrols fingerprints. */
import { addDevices } from '../engine/site-engine.ts';
import { line } from '../engine/fingerprints/site-with-prints.ts';
import { live, type Life } from './lives.ts';
import type { VirtualPlace } from './messages.ts';

export interface PrintLife extends Life {
  readonly devices: readonly (VirtualPlace & { readonly kind: 'gate' })[];
  /** Prints to enrol in a new job; absent: the job goes on. */
  readonly prints?: readonly (readonly [employeeNo: string, finger: number])[];
  readonly jobId?: string;
}
export interface PrintLifeEnd {
  readonly state: string;
  readonly results: number;
}

const never = new AbortController().signal;

live<PrintLife, PrintLifeEnd>(async ({ devices, prints, jobId: known = '' }, engine, happened) => {
  const deviceIds = addDevices(engine, { devices });
  async function* input() {
    for (const [employeeNo, finger] of prints ?? []) {
      happened();
      yield await Promise.resolve(`${line(employeeNo, finger)}\n`);
    }
  }
  let jobId = known;
  if (prints === undefined) engine.jobs.resume({ id: jobId });
  else {
    jobId = engine.prints.prepare({ deviceIds, readers: [1, 2] }).jobId;
    await engine.prints.fill(jobId, input(), never);
    engine.prints.begin({ jobId });
  }
  let results = 0;
  for await (const _result of engine.prints.results({ jobId }, never)) results += 1;
  return { state: engine.jobs.show({ id: jobId }).state, results };
});
