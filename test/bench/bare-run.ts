/** Measured process: a bare undici loop that sends the engine's requests, signed in the same way. */
import { Agent } from 'undici';
import { bareClient } from './bare-client.ts';
import { measured, readTask, writeResult, type BenchDevice, type RecordedRequest } from './shared.ts';

const task = await readTask();
const dispatcher = new Agent({ allowH2: false, connections: 2, pipelining: 1 });
const outcomes = new Map<number, number>();
let requests = 0;

async function runDevice(device: BenchDevice, recorded: readonly RecordedRequest[]): Promise<void> {
  const send = bareClient(device, dispatcher);
  const queue = recorded.values();
  const sendNext = async (): Promise<boolean> => {
    const { value: one } = queue.next();
    if (one === undefined) return false;
    requests += 1;
    const status = await send(one);
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    return true;
  };
  while (await sendNext());
}

async function runAll(): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    for (let index = next; index < task.devices.length; index = next) {
      next += 1;
      const device = task.devices[index];
      if (device) await runDevice(device, task.recorded?.[index] ?? []);
    }
  }
  await Promise.all(Array.from({ length: task.concurrency ?? 16 }, worker));
}

const { value: _nothing, ...numbers } = await measured(runAll);
writeResult({
  ...numbers,
  requests,
  outcome: [...outcomes].map(([status, count]) => `${count} × ${status}`).join(', '),
});
await dispatcher.close();
