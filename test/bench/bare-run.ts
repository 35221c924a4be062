/** Measured process: a bare undici loop that sends the engine's requests, signed in the same way. */
import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { measured, readTask, writeResult, type BenchDevice, type RecordedRequest } from './shared.ts';

const task = await readTask();
const dispatcher = new Agent({ allowH2: false, connections: 2, pipelining: 1 });
const outcomes = new Map<number, number>();
let requests = 0;

interface Challenge { readonly realm: string; readonly nonce: string; readonly opaque?: string; readonly algorithm?: string; count: number }

function readChallenge(header: string): Challenge {
  const fields = Object.fromEntries([...header.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, quoted, plain]) => [name ?? '', quoted ?? plain ?? '']));
  return { realm: fields['realm'] ?? '', nonce: fields['nonce'] ?? '', count: 0, ...(fields['opaque'] ? { opaque: fields['opaque'] } : {}), ...(fields['algorithm'] ? { algorithm: fields['algorithm'] } : {}) };
}

function authorization(device: BenchDevice, challenge: Challenge, method: string, path: string): string {
  const name = challenge.algorithm === 'SHA-256' ? 'sha256' : 'md5';
  const hash = (text: string): string => createHash(name).update(text).digest('hex');
  challenge.count += 1;
  const nc = challenge.count.toString(16).padStart(8, '0');
  const cnonce = randomBytes(8).toString('hex');
  const response = hash(`${hash(`${device.user}:${challenge.realm}:${device.password}`)}:${challenge.nonce}:${nc}:${cnonce}:auth:${hash(`${method}:${path}`)}`);
  return `Digest username="${device.user}", realm="${challenge.realm}", nonce="${challenge.nonce}", uri="${path}", response="${response}", qop=auth, nc=${nc}, cnonce="${cnonce}"`
    + `${challenge.algorithm ? `, algorithm=${challenge.algorithm}` : ''}${challenge.opaque ? `, opaque="${challenge.opaque}"` : ''}`;
}

async function runDevice(device: BenchDevice, recorded: readonly RecordedRequest[]): Promise<void> {
  let challenge: Challenge | undefined;
  for (const { method, path, contentType, body, signed } of recorded) {
    requests += 1;
    const answer = await request(`${device.url}${path}`, {
      method, dispatcher,
      headers: { ...(contentType ? { 'content-type': contentType } : {}), ...(signed && challenge ? { authorization: authorization(device, challenge, method, path) } : {}) },
      ...(body === undefined ? {} : { body }),
    });
    const offered = answer.headers['www-authenticate'];
    if (answer.statusCode === 401 && offered) challenge = readChallenge(String(offered));
    await answer.body.text();
    outcomes.set(answer.statusCode, (outcomes.get(answer.statusCode) ?? 0) + 1);
  }
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
  await Promise.all(Array.from({ length: task.concurrency }, worker));
}

const { value: _nothing, ...numbers } = await measured(runAll);
writeResult({ ...numbers, requests, outcome: [...outcomes].map(([status, count]) => `${count} × ${status}`).join(', ') });
await dispatcher.close();
