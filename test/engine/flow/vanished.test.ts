/** Every flow on a device that goes away at each of its questions and comes back, and one whose every answer to a write is lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Asked } from '#shared/flows.ts';
import { startSite, type VirtualDevice } from '#test/helpers/strict-site.ts';
import { CASES, CHANGED_LOCK, plain, writesOf, type Case } from './cases.ts';
import { quickEngine } from './doomed-engine.ts';
import { work } from './gate-walk.ts';
import { follow } from './run-flow.ts';

/** There the person pulls the cable, or the power, himself. */
const ON_PURPOSE = /^(?:fire\.(?:unplug|offline|back)|power\.)/;

// Would catch: a step that gives up, asks again what it knows, or takes what never left for sent.
it.each(CASES)(
  'comes to the same record of $flow although the device is gone after every question',
  async (one) => {
    const whole = await run(one, () => undefined);

    const met = new Set<string>();
    const gone = await run(one, async (asked, device) => {
      if (asked.wants === 'trouble') return device.plugIn();
      const question = `${asked.step}.${asked.key}`;
      // Writes that did not leave this computer are confirmed anew.
      if (ON_PURPOSE.test(question) || met.has(question)) return;
      met.add(question);
      await device.unplug();
    });

    expect(gone.troubles).toBeGreaterThan(1);
    expect(gone.wordsOfTrouble).toContain('flow-trouble-away');
    expect(gone.content).toEqual(whole.content);
    expect(gone.writes).toEqual(whole.writes);
  },
  120_000,
);

// Would catch: a write that is sent again although the device shows it, or one that is never found out about.
it.each([...CASES, CHANGED_LOCK])(
  'comes to the same record of $flow although every answer to a write is lost',
  async (one) => {
    const whole = await run(one, () => undefined);

    const lost = await run(one, (asked, device) => {
      if (asked.wants === 'confirm' && !asked.key.startsWith('settle'))
        device.setFault('reset-after', 1, { times: 1 });
    });

    const same = (content: unknown): string =>
      JSON.stringify(content).replaceAll('onLine', 'locked').replaceAll('Online', 'Locked');
    expect(same(lost.content)).toEqual(same(whole.content));
    expect(lost.writes.filter((write) => write !== 'storage.unlock.put')).toEqual(
      whole.writes.filter((write) => write !== 'storage.unlock.put'),
    );
  },
  120_000,
);

async function run(one: Case, before: (asked: Asked, device: VirtualDevice) => void | Promise<void>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-vanished-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const site = await startSite({ kinds: [one.kind] });
  onTestFinished(() => site.close());
  one.prepare?.(site);
  const [reached] = site.devices;
  if (reached === undefined) throw new Error('no device');
  const { engine, deviceId } = await quickEngine(dataDir, reached);
  onTestFinished(() => engine.close());
  const device = site.device(0);
  const { jobId } = engine.flows.begin({ flow: one.flow, deviceIds: [deviceId] });
  const wordsOfTrouble: string[] = [];
  let troubles = 0;
  const say = (token: string): void => {
    engine.flows.answer({ jobId, token, answer: { kind: 'values', values: {} } });
  };
  const done = new Set<string>();

  await follow(engine, jobId, one.answers, async (asked) => {
    await before(asked, device);
    if (asked.wants === 'trouble') {
      troubles += 1;
      for (const words of asked.text)
        if (typeof words === 'object' && 'id' in words) wordsOfTrouble.push(words.id);
      if (troubles > 500) throw new Error(`${asked.step}: ${asked.error?.message ?? ''}`);
      say(asked.token);
      return 'answered';
    }
    if (asked.wants === 'watch') {
      if (!ON_PURPOSE.test(`${asked.step}.${asked.key}`)) await seenAway(device, asked);
      if (one.flow === 'gate') await work({ site }, asked, { giveUp: () => undefined, done });
    }
    return false;
  });

  const [record] = engine.flows.recordsOf({ jobId });
  if (record === undefined) throw new Error('no record');
  return { troubles, wordsOfTrouble, content: plain(record), writes: writesOf(site, one) };

  /** Plugs a device in again once a watch reports it as unreachable: the watch then goes on. */
  async function seenAway(at: VirtualDevice, { token }: Asked): Promise<void> {
    if (at.plugged) return;
    for await (const { asked: now } of engine.flows.watch({ jobId }, new AbortController().signal))
      if (now?.token !== token || now.error !== undefined) break;
    await at.plugIn();
  }
}
