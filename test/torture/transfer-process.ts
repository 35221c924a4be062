/** An engine that begins, resumes or follows up a rollout, tells each step in a line, and is killed somewhere. */
import { join } from 'node:path';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';

export interface TransferOrder {
  readonly dataDir: string;
  readonly file: string;
  /** Address that serves the file. */
  readonly address: string;
  readonly devices: readonly {
    readonly url: string;
    readonly name: string;
    readonly user: string;
    readonly password: string;
  }[];
  readonly work: { readonly do: 'send' } | { readonly do: 'resume' | 'follow-up'; readonly jobId: string };
}

const order = JSON.parse(process.argv[2] ?? '') as TransferOrder;
const never = new AbortController().signal;
const engine = await createEngine({
  dataDir: order.dataDir,
  resourcesDir: join(process.cwd(), 'resources'),
  face: 'cli',
  version: '0.0.0',
  protections: [createKeyFileProtection(join(order.dataDir, 'vault.key'))],
});
const deviceIds = order.devices.map(
  ({ url, name, user, password }) => engine.devices.addTransient({ url, name, userName: user, password }).id,
);

async function begin(): Promise<string> {
  const { work, file, address } = order;
  if (work.do === 'resume') return engine.jobs.resume({ id: work.jobId }).jobId;
  if (work.do === 'follow-up') return engine.jobs.followUp({ id: work.jobId, waitSeconds: 120 }).jobId;
  const { id: fileId } = await engine.models.choose(file);
  for await (const event of engine.models.plan(
    { deviceIds, fileId, address, mpid: 'helmet-7', engines: [2] },
    never,
  ))
    if (event.type === 'plan') return engine.models.send({ planId: event.plan.id }).jobId;
  throw new Error('no plan');
}

const id = await begin();
process.stdout.write(`job ${id}\n`);
for await (const event of engine.jobs.watch({ id }, never)) {
  process.stdout.write(`step ${event.type}\n`);
  // No person is there to go on.
  if (event.type === 'paused' && event.paused) throw new Error(`paused: ${event.reason?.message}`);
}
process.stdout.write('ended\n');
await engine.close();
