/** The table of cases for settings: the same device, the same answers, as for every other kind of write. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import { startSite } from '#simulator/index.ts';
import { startWriteProxy, WRITE_CASES, type WriteProxy } from '#test/helpers/write-cases.ts';
import { applyPlan, BASIC, makePlan, openEngine, template } from '../site-engine.ts';

interface Bench {
  readonly engine: Engine;
  readonly proxy: WriteProxy;
  readonly id: string;
}

async function openBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-write-'));
  const site = await startSite({ devices: 1, kinds: ['thermal'], auth: 'none' });
  const proxy = await startWriteProxy({
    target: site.device(0).url,
    isWrite: ({ method, path }) => method === 'PUT' && path.endsWith('/basicParam'),
    format: 'xml',
  });
  const engine = await openEngine(dataDir);
  onTestFinished(async () => {
    await engine.close();
    await proxy.close();
    await site.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { engine, proxy, id: engine.devices.addTransient({ url: proxy.url, name: 'device' }).id };
}

describe('a setting', () => {
  // Would catch: a setting reported differently than a person, a fingerprint or a step after the same answer.
  it.each(WRITE_CASES)('$name: $visible', async (played) => {
    const { engine, proxy, id } = await openBench();
    const plan = await makePlan({ engine, ids: [id] }, template(BASIC));
    proxy.play(played);

    const job = await applyPlan(engine, plan);

    expect(job.results[0]?.units[0]?.outcome).toBe(played.visible);
    expect(proxy.sends()).toBe(played.sends);
  });
});
