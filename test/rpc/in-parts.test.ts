import { describe, expect, it } from 'vitest';
import { mergeJobParts, mergePlanParts } from '#renderer/common/jobs/whole-events.ts';
import { splitJobEvents, splitPlanEvents } from '#rpc/in-parts.ts';
import type { DeviceResult, Job, JobEvent, JobPart, Plan, PlanDevice, PlanEvent } from '#shared/model.ts';

function result(id: number, state: DeviceResult['state'] = 'pending'): DeviceResult {
  return { deviceId: `d${id}`, name: `d${id}`, url: 'http://x', state, units: [] };
}
function jobOf(results: readonly DeviceResult[], state: Job['state'] = 'running'): Job {
  return {
    id: 'j',
    kind: 'apply',
    state,
    createdAt: '2026-01-01T00:00:00Z',
    by: 'me',
    title: 't',
    about: { template: { name: 't', hash: 'h' } },
    devices: results.length,
    deviceCounts: {},
    counts: {},
    resumable: false,
    results,
  };
}
async function* from<T>(...events: readonly T[]): AsyncGenerator<T> {
  yield* events;
}
async function crossed(
  ...events: readonly JobEvent[]
): Promise<{ readonly sent: readonly (JobEvent | JobPart)[]; readonly taken: readonly JobEvent[] }> {
  const sent: (JobEvent | JobPart)[] = [];
  const taken: JobEvent[] = [];
  const take = mergeJobParts((event) => taken.push(event));
  for await (const event of splitJobEvents(from(...events))) {
    sent.push(event);
    take(event);
  }
  return { sent, taken };
}

describe('a large job', () => {
  const pending = Array.from({ length: 95 }, (_, id) => result(id));

  it('crosses in messages of few devices and arrives whole, in its order', async () => {
    const { sent, taken } = await crossed({ type: 'job', job: jobOf(pending) });

    expect(
      Math.max(
        ...sent.map((event) =>
          'devices' in event ? event.devices.length : event.type === 'job' ? event.job.results.length : 0,
        ),
      ),
    ).toBeLessThanOrEqual(10);
    expect(taken).toEqual([{ type: 'job', job: jobOf(pending) }]);
  });

  it('does not tell at its end what was told on the way', async () => {
    const done = pending.map((_device, id) => result(id, 'done'));
    const events: JobEvent[] = [
      { type: 'job', job: jobOf(pending) },
      ...done.map((device): JobEvent => ({ type: 'device', jobId: 'j', device, done: 1, total: 95 })),
      { type: 'end', job: jobOf(done, 'done') },
    ];

    const { sent, taken } = await crossed(...events);

    expect(sent.at(-1)).toEqual({ type: 'end', job: { ...jobOf(done, 'done'), results: [] } });
    expect(taken.at(-1)).toEqual({ type: 'end', job: jobOf(done, 'done') });
  });

  it('tells again what changed without a word on the way', async () => {
    const done = pending.map((_device, id) => result(id, 'done'));

    const { taken } = await crossed(
      { type: 'job', job: jobOf(pending) },
      { type: 'end', job: jobOf(done, 'done') },
    );

    expect(taken.at(-1)).toEqual({ type: 'end', job: jobOf(done, 'done') });
  });
});

describe('a small job', () => {
  it('stays one message', async () => {
    const { sent } = await crossed({ type: 'job', job: jobOf([result(1)]) });

    expect(sent).toEqual([{ type: 'job', job: jobOf([result(1)]) }]);
  });
});

describe('a large plan', () => {
  it('arrives whole', async () => {
    const devices = Array.from({ length: 33 }, (_, id): PlanDevice => ({
      deviceId: `d${id}`,
      name: 'n',
      url: 'http://x',
      state: 'unchanged',
      sections: [],
      group: 1,
      values: {},
    }));
    const plan: Plan = {
      fieldwright: 'plan/1',
      id: 'p',
      createdAt: '2026-01-01T00:00:00Z',
      template: { name: 't', hash: 'h', text: '' },
      devices,
      groups: [],
      counts: { changes: 0, unchanged: 33, unsupported: 0, adjusted: 0, blocked: 0, failed: 0 },
    };
    const taken: PlanEvent[] = [];
    const take = mergePlanParts((event) => taken.push(event));

    for await (const event of splitPlanEvents(from<PlanEvent>({ type: 'plan', plan }))) take(event);

    expect(taken).toEqual([{ type: 'plan', plan }]);
  });
});
