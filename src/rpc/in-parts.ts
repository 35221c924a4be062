/**
 * Large jobs and plans are split on their way to a page, because a page freezes while it reads one large
 * message.
 */
import type { DeviceResult, JobEvent, JobPart, PlanEvent, PlanPart } from '#shared/model.ts';

/** Devices in a message; with ten sections each some 50 kB. */
const PART = 10;

/** Yields all but the last part, and returns that for the whole. */
function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[], readonly Item[]> {
  let from = 0;
  for (; items.length - from > PART; from += PART) yield items.slice(from, from + PART);
  return from === 0 ? items : items.slice(from);
}

/**
 * Puts `results` before a `job` or `end` with many devices; a device that is unchanged since it was sent is
 * not repeated.
 */
export async function* splitJobEvents(events: AsyncIterable<JobEvent>): AsyncGenerator<JobEvent | JobPart> {
  const sent = new Map<string, DeviceResult>();
  for await (const event of events) {
    if (event.type === 'device') sent.set(event.device.deviceId, event.device);
    if ((event.type !== 'job' && event.type !== 'end') || event.job.results.length <= PART) {
      yield event;
      continue;
    }
    const parts = partsOf(event.job.results.filter((device) => sent.get(device.deviceId) !== device));
    let part = parts.next();
    for (; part.done !== true; part = parts.next()) yield { type: 'results', devices: part.value };
    yield { ...event, job: { ...event.job, results: part.value } };
    for (const device of event.job.results) sent.set(device.deviceId, device);
  }
}

/** Puts `planned` before a `plan` with many devices. */
export async function* splitPlanEvents(
  events: AsyncIterable<PlanEvent>,
): AsyncGenerator<PlanEvent | PlanPart> {
  for await (const event of events) {
    if (event.type !== 'plan') {
      yield event;
      continue;
    }
    const parts = partsOf(event.plan.devices);
    let part = parts.next();
    for (; part.done !== true; part = parts.next()) yield { type: 'planned', devices: part.value };
    yield { ...event, plan: { ...event.plan, devices: part.value } };
  }
}
