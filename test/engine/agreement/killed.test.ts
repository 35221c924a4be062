/** kill -9 while devices are looked at, accepted, put off and kept: nothing is lost, and nothing is half there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import {
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openEngine,
  openSite,
  template,
} from '../site-engine.ts';

const basic = (value: string): string =>
  template(`set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: ${value}`);
const MOST_STEPS = 8;

/** Kills the process when it has said that so many of its steps are done; it is within the next one then. */
async function killAfter(dataDir: string, steps: number): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'doomed-looks.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let done = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    done += text.split('\n').length - 1;
    if (done >= steps) child.kill('SIGKILL');
  });
  await once(child, 'exit');
}

/** Returns what is known of each device, which the devices themselves have to confirm. */
async function confirm(engine: Engine): Promise<readonly string[]> {
  const ids = engine.devices.list().map(({ id }) => id);
  const known = engine.agreements.status({ deviceIds: ids }).map(({ state }) => state);
  for await (const event of engine.agreements.look({ deviceIds: ids }, never)) void event;
  const seen = engine.agreements.status({ deviceIds: ids }).map(({ state }) => state);
  // One that was never looked at is as its job left it, for all that is known.
  expect(seen.filter((state, at) => known[at] !== 'as-agreed' && state !== known[at])).toEqual([]);
  for (const id of ids)
    for (const snapshot of engine.snapshots.list({ deviceId: id }))
      expect(engine.snapshots.show({ deviceId: id, at: snapshot.at }).length).toBeGreaterThanOrEqual(
        snapshot.documents,
      );
  return seen;
}

it('keeps each acceptance whole or not at all, however often the process dies', async () => {
  const { engine: first, site, dataDir } = await openSite({ devices: 4 });
  const ids = site.devices.map(({ url, name, user: userName, password }) => {
    const { id } = first.devices.add({ address: url, name });
    first.credentials.save({ label: name, userName, password, deviceIds: [id] });
    return id;
  });
  await applyPlan(first, await makePlan({ engine: first, ids }, basic('{ distance: 4 }')));
  await first.close();
  for (const device of [0, 1, 2, 3])
    await asAnotherProgram({ site }, device, async (other, id) => {
      await applyPlan(other, await makePlan({ engine: other, ids: [id] }, basic('{ distance: 9 }')));
    });

  const left: number[] = [];
  for (let steps = 1; steps <= MOST_STEPS; steps += 1) {
    await killAfter(dataDir, steps);
    const engine = await openEngine(dataDir);
    expect(engine.info().notices).toBeUndefined();
    const states = await confirm(engine);
    left.push(states.filter((state) => state === 'drifted').length);
    await engine.close();
  }

  // A value that was accepted once stays so: no round finds more that differs than the one before.
  expect(left).toEqual([...left].sort((a, b) => b - a));
  expect(left.at(-1)).toBeLessThan(ids.length);
});
