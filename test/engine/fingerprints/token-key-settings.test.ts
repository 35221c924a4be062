/** Fingerprints encrypted with the token key of a device, as the guided flow set it up. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Job } from '#shared/model.ts';
import { follow } from '../flow/run-flow.ts';
import { never, openSite, type TestSite } from '../site-engine.ts';

let site: TestSite;

const SET_UP = {
  encryptAlgorithmMode: 'CFB',
  keyLen: 128,
  iterationTimes: 50_000,
  encryptAlgorithmFill: 'yes',
} as const;

async function send(cipher: object): Promise<Job> {
  const { engine, ids } = site as TestSite;
  const { jobId } = engine.prints.prepare({ deviceIds: ids, cipher: { ...SET_UP, ...cipher } });
  const line = { employeeNo: '1001', fingerPrintID: 2, fingerType: 'normalFP', fingerData: 'AAAA' };
  await engine.prints.fill(jobId, Readable.from([`${JSON.stringify(line)}\n`]), never);
  engine.prints.begin({ jobId });
  for await (const _event of engine.jobs.watch({ id: jobId }, never));
  return engine.jobs.show({ id: jobId });
}
function sets(): number {
  return (site as TestSite).site
    .device(0)
    .requests.filter(({ path, http }) => path.includes('/FingerPrint/SetUp') && http !== 401).length;
}

// Would catch: templates that the device cannot decrypt, sent with settings that its key was not set up with.
it('refuses settings that the token key of the device was not set up with', async () => {
  site = await openSite({ kinds: ['gate'] });
  const { engine, ids } = site;
  const flow = engine.flows.begin({ flow: 'token-key', deviceIds: ids });
  await follow(engine, flow.jobId, {
    settings: SET_UP,
    'hand-over': { to: 'Integrator', given: true },
    sign: { name: 'A. Installer' },
  });

  for (const other of [
    { encryptAlgorithmMode: 'CBC' },
    { keyLen: 256 },
    { iterationTimes: 100_000 },
    { encryptAlgorithmFill: 'no' },
  ]) {
    const refused = await send(other);
    expect(refused.results[0]?.units[0]?.error ?? refused.results[0]?.error).toMatchObject({
      code: 'not-allowed',
      detail: { id: 'prints-key-other', values: { has: 'aes-128-cfb/50000' } },
    });
  }
  expect(sets()).toBe(0);

  const sent = await send({});
  expect(sets()).toBeGreaterThan(0);
  // The results mark our own reading of the specification as such.
  expect(sent.results[0]?.units[0]?.label).toContain('our own reading');
});
