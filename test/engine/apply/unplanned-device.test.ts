/** A device that was away when its plan was made: planned in its turn, and written only where that was confirmed. */
import { describe, expect, it } from 'vitest';
import type { UnplannedTask } from '#engine/apply/resume-plan.ts';
import { applyUnplanned } from '#engine/apply/unplanned-device.ts';
import type { DeviceClient } from '#engine/device/client-types.ts';
import type { JobContext } from '#engine/jobs/job-kind.ts';
import { LiveJob } from '#engine/jobs/live-job.ts';
import { planSection } from '#engine/planning/pure/plan-section.ts';
import { decode, readStatus } from '#protocol/index.ts';
import { createDetail, say } from '#shared/details.ts';
import { deviceError } from '#shared/errors.ts';
import type { ApplyOptions, PlanDevice } from '#shared/model.ts';
import { limits, payloadOf, section, shows } from '../planning/pure/documents.ts';

const SET = 'thermal.thermometryBasic';
const URL = 'http://gate';
const basic = (distance: number): string =>
  `<ThermometryBasicParam><distance>${distance}</distance></ThermometryBasicParam>`;

/** Applies `wanted` to a device that shows a distance of 5. */
async function applied(
  wanted: number,
  options: ApplyOptions = {},
  { clamp = false, ...plan }: Partial<Omit<PlanDevice, 'group'>> & { readonly clamp?: boolean } = {},
) {
  let held = basic(5);
  const log: unknown[][] = [];
  const answer = (text: string) => ({
    ...{ http: 200, text, lossy: false, shown: <T>(value: T) => value, exchange: () => undefined },
    status: readStatus({ http: 200, text }),
  });
  const client = {
    shown: <T>(value: T) => value,
    read: () => Promise.resolve({ ...answer(held), ...decode(payloadOf(SET), held) }),
    write(_operation: unknown, _params: unknown, body: string) {
      log.push(['write', body]);
      held = body;
      return Promise.resolve(answer(''));
    },
  } as unknown as DeviceClient;
  const place = { deviceId: 'gate', name: 'Gate', url: URL };
  const job = new LiveJob(
    { id: 'j-1', kind: 'undo', title: 'Test', about: {}, createdAt: '', by: 'me', runs: [], options },
    [{ ...place, state: 'pending', units: [] }],
  );
  const context = {
    ...{ job, options, clients: { get: () => client } },
    clock: { now: () => new Date(0), delay: () => Promise.resolve() },
    journal: {
      addUnits: (...all: unknown[]) => log.push(['units', ...all]),
      device: () => undefined,
      settled: () => undefined,
      intent: () => Promise.resolve(log.push(['intent'])),
    },
  } as unknown as JobContext;
  const wish = section(SET, { distance: wanted }, { clamp });
  const task = {
    ...{ position: 0, deviceId: 'gate', url: URL, secrets: [] },
    resolved: { ok: true, sections: [wish], values: {} },
  } as unknown as UnplannedTask;
  const allowed = limits(SET, '<ThermometryBasicParam><distance min="1" max="9"/></ThermometryBasicParam>');
  const planned = planSection(wish, shows(SET, basic(5)), { constraints: allowed }, URL).plan;
  const good = await applyUnplanned(
    task,
    context,
    (asked, signal) => {
      expect(asked).toBe(task);
      expect(signal).toBe(job.stopped);
      return Promise.resolve({
        ...{ ...place, values: {}, state: 'changes', sections: [planned] },
        ...plan,
      } as unknown as Omit<PlanDevice, 'group'>);
    },
    () => false,
  );
  return { good, planned, log, held, device: job.results[0] };
}
const outdated = {
  code: 'plan-outdated',
  source: 'app',
  device: URL,
  detail: createDetail('not-read-at-plan'),
};

describe('a device that nobody saw the plan of', () => {
  // Would catch: a device that is written without a preview of its changes.
  it.each([
    ['changes', 7, {}],
    ['is adjusted', 20, { clamp: true }],
  ] as const)('and that %s is told to be planned, and gets nothing', async (_what, wanted, extra) => {
    const { good, log, held, device } = await applied(wanted, {}, extra);
    expect(device).toMatchObject({ state: 'failed', error: outdated, units: [] });
    expect([good, log, held]).toEqual([false, [], basic(5)]);
  });

  // Would catch: a confirmed change that is written and in no journal, so that it can be neither shown nor taken back.
  it('is written where that was confirmed, after its units are in the journal', async () => {
    const { good, log, held, device, planned } = await applied(7, { acceptDrift: true });
    expect(log.map(([what]) => what)).toEqual(['units', 'intent', 'write']);
    expect(log[0]).toMatchObject([
      ...['units', 'j-1', 'undo', 0],
      [{ result: { index: 0, set: SET, outcome: 'pending' }, document: { planned: planned.changes } }],
    ]);
    expect(held).toBe(basic(7));
    expect(device).toMatchObject({ state: 'done', units: [{ outcome: 'effective', changes: [{ to: 7 }] }] });
    expect(good).toBe(true);
  });

  it('is done without a confirmation where it is as wanted', async () => {
    const { good, log, device } = await applied(5);
    expect(log.map(([what]) => what)).toEqual(['units']);
    expect(device).toMatchObject({ state: 'done', units: [{ outcome: 'unchanged' }] });
    expect(good).toBe(true);
  });

  // Would catch: a device that is still away, and of which it is said that its plan is too old.
  it('fails for the reason for which it cannot be planned', async () => {
    const { shape: error } = deviceError('unreachable', say('device-gone'), { device: URL });
    const { good, device, log } = await applied(
      7,
      { acceptDrift: true },
      { state: 'failed', error, sections: [] },
    );
    expect([good, log]).toEqual([false, []]);
    expect(device).toMatchObject({ state: 'failed', error, units: [] });
  });
});
