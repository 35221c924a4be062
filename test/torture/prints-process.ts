/**
 * One life of an engine that enrols fingerprints: it ends itself as `kill -9` would at the ordered event of its input or
 * of a request, or ends with the job.
 */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { createEngine, keyFileProtection } from '../../src/engine/index.ts';
import { addDevices, line } from '../engine/people/prints/site-with-prints.ts';
import type { VirtualPlace } from './messages.ts';

export interface PrintLife {
  readonly dataDir: string;
  readonly devices: readonly (VirtualPlace & { readonly kind: 'gate' })[];
  /** Prints to enrol in a new job; absent: the job goes on. */
  readonly prints?: readonly (readonly [employeeNo: string, finger: number])[];
  readonly jobId?: string;
  readonly killAt?: number;
}
export interface PrintLifeEnd {
  readonly state: string;
  readonly results: number;
}

const REQUEST_EVENTS = [
  'undici:request:create',
  'undici:client:sendHeaders',
  'undici:request:bodySent',
  'undici:request:headers',
  'undici:request:trailers',
  'undici:request:error',
];
const never = new AbortController().signal;

async function live({
  dataDir,
  devices,
  prints,
  jobId: known,
  killAt = Infinity,
}: PrintLife): Promise<PrintLifeEnd> {
  let events = 0;
  const happened = (): void => {
    events += 1;
    if (events === killAt) process.kill(process.pid, 'SIGKILL');
  };
  for (const name of REQUEST_EVENTS) subscribe(name, happened);
  const engine = await createEngine({
    dataDir,
    resourcesDir: join(import.meta.dirname, '../../resources'),
    face: 'cli',
    version: '0.0.0',
    user: 'torture',
    protections: [keyFileProtection(join(dataDir, 'vault.key'))],
  });
  const deviceIds = addDevices(engine, { devices });
  async function* input() {
    for (const [employeeNo, finger] of prints ?? []) {
      happened();
      yield await Promise.resolve(`${line(employeeNo, finger)}\n`);
    }
  }
  let jobId = known ?? '';
  if (prints === undefined) engine.jobs.resume({ id: jobId });
  else {
    jobId = engine.prints.prepare({ deviceIds, readers: [1, 2] }).jobId;
    await engine.prints.fill(jobId, input(), never);
    engine.prints.begin(jobId);
  }
  let results = 0;
  for await (const _result of engine.prints.results({ jobId }, never)) results += 1;
  const { state } = engine.jobs.show({ id: jobId });
  await engine.close();
  return { state, results };
}

process.on('message', (life: PrintLife) => {
  live(life).then(
    (end) => process.send?.(end, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
});
