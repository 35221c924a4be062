/** Undo of guided flows, as of any other job: byte for byte, also after the process was killed. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Engine } from '#engine/index.ts';
import { buildProgram } from '#test/helpers/built-program.ts';
import { startSite } from '#test/helpers/strict-site.ts';
import { never, openSite, waitForEnd } from '../site-engine.ts';
import { quickEngine } from './doomed-engine.ts';
import type { Doom } from './doomed.ts';
import { follow } from './run-flow.ts';
import { ANSWERS } from './thermal-answers.ts';

const BASIC = 'thermal.thermometryBasic.get';

async function readRaw(engine: Engine, deviceId: string): Promise<string | undefined> {
  const params = { channelID: 1 };
  return (await engine.operations.call({ deviceId, operation: BASIC, raw: true, params }, never)).raw;
}

async function calibrate(site: Awaited<ReturnType<typeof openSite>>): Promise<string> {
  const { jobId } = site.engine.flows.begin({ flow: 'thermal', deviceIds: site.ids });
  await follow(site.engine, jobId, ANSWERS);
  return jobId;
}

// Would catch: a flow whose writes stay for good, an undo that takes its own earlier write for that of another client, and
// one that is silent about the record that no longer fits.
it('takes back what a flow wrote twice to one section, byte for byte', async () => {
  const site = await openSite({ kinds: ['thermal'] });
  const { engine, ids } = site;
  const [id = ''] = ids;
  const before = await readRaw(engine, id);
  const jobId = await calibrate(site);
  const changed = await readRaw(engine, id);
  const preview = engine.jobs.undoPreview({ id: jobId });

  const undone = await waitForEnd(engine, engine.jobs.undo({ id: jobId }).jobId);

  expect(changed).not.toBe(before);
  expect(preview).toMatchObject({ possible: 2, impossible: 0, warning: { id: 'undo-flow-record' } });
  expect(undone.results[0]?.units.map(({ outcome, note }) => [outcome, note])).toEqual([
    ['effective', 'put-back-exactly'],
    ['effective', 'put-back-exactly'],
  ]);
  expect(await readRaw(engine, id)).toBe(before);
});

// Would catch: a change of a flow that its device cannot take back alone.
it('takes back one setting that a flow wrote, and leaves the others', async () => {
  const site = await openSite({ kinds: ['thermal'] });
  const { engine, ids } = site;
  const jobId = await calibrate(site);
  const list = () => engine.jobs.changes({ deviceIds: ids }).changes;
  const one = list().find(({ path }) => path === 'calibrationCoefficient');
  if (one === undefined) throw new Error('no such change');

  const { index, path } = one;
  await waitForEnd(engine, engine.jobs.undo({ id: jobId, deviceIds: ids, only: { index, path } }).jobId);

  expect(list().filter(({ undoneBy }) => undoneBy !== undefined)).toMatchObject([{ path }]);
  expect(await readRaw(engine, ids[0] ?? '')).toContain('<emissivity>0.98</emissivity>');
});

// Would catch: an undo that is promised for a key that is not known any more, and silence about why there is none.
it('says of a token key beforehand and afterwards why it is not put back', async () => {
  const site = await openSite({ kinds: ['recorder'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'token-key', deviceIds: ids });
  const said: (string | undefined)[] = [];
  const answers = {
    settings: { encryptAlgorithmMode: 'CFB', keyLen: 128 },
    'hand-over': { to: 'Integrator', given: true },
    sign: { name: 'A. Installer' },
  };
  await follow(engine, jobId, answers, (asked) => {
    if (asked.wants === 'confirm') said.push(asked.noUndo);
    return false;
  });

  const preview = engine.jobs.undoPreview({ id: jobId });

  expect(said).toEqual(['no-undo-key']);
  expect(preview.warning).toBeUndefined();
  expect(preview).toMatchObject({
    possible: 0,
    impossible: 1,
    devices: [{ sections: [{ problem: { detail: { id: 'no-undo-key' } } }] }],
  });
  expect(() => engine.jobs.undo({ id: jobId })).toThrow(
    expect.objectContaining({ shape: expect.objectContaining({ code: 'not-allowed' }) }),
  );
});

// Would catch: a write of a flow that was killed right after it, which no undo knows of.
it.each([
  ['before it knew what became of its write', 'before settings write:settings'],
  ['before it sent anything', 'after settings write:settings#sent'],
])('takes back what a flow wrote that was killed %s', async (_when, place) => {
  const program = await buildProgram(join(import.meta.dirname, 'doomed.ts'));
  const site = await startSite({ kinds: ['thermal'] });
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-undo-'));
  const [device] = site.devices;
  if (device === undefined) throw new Error('no device');
  const other = await quickEngine(mkdtempSync(join(dataDir, 'other-')), device);
  onTestFinished(async () => {
    await other.engine.close();
    await site.close();
    program.remove();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const before = await readRaw(other.engine, other.deviceId);
  const doom: Doom = { dataDir, flow: 'thermal', device, answers: ANSWERS, places: [place] };
  const child = spawn(process.execPath, [program.file], {
    env: { ...process.env, ...program.env, DOOM: JSON.stringify(doom) },
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.once('close', resolve));
  const isSent = (await readRaw(other.engine, other.deviceId)) !== before;

  const { engine } = await quickEngine(dataDir, device);
  const [job] = engine.jobs.list();
  const preview = engine.jobs.undoPreview({ id: job?.id ?? '' });
  if (preview.possible > 0) await waitForEnd(engine, engine.jobs.undo({ id: job?.id ?? '' }).jobId);
  await engine.close();

  expect(isSent).toBe(place.startsWith('before'));
  expect(preview.possible).toBe(isSent ? 1 : 0);
  expect(await readRaw(other.engine, other.deviceId)).toBe(before);
});
