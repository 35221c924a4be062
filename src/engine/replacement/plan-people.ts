/** Plans whom a new device gets from other devices, each person from the first that has them. People who are on it already are not changed. */
import { createDetail } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import type { PeoplePlan } from '#shared/people/people.ts';
import type { ByHand, ReplacementEvent, ReplacementPeople } from '#shared/replacement.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { PeopleApi } from '../people/people.ts';

type PeopleParts = Pick<PeopleApi, 'planFrom' | 'listed' | 'discard'>;

export interface PlannedPeople {
  readonly people: readonly ReplacementPeople[];
  readonly byHand: readonly ByHand[];
}

export async function* planPeople(
  parts: PeopleParts,
  sources: readonly Device[],
  by: Device,
  signal: AbortSignal,
): AsyncGenerator<ReplacementEvent, PlannedPeople> {
  const people: ReplacementPeople[] = [];
  const byHand: ByHand[] = [];
  const taken = new Set<string>();
  for (const source of sources) {
    let plan: PeoplePlan;
    try {
      plan = yield* planCopy(parts, source, by, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FieldwrightError)) throw error;
      byHand.push({ text: createDetail('replacement-people-unread', { device: source.name }) });
      continue;
    }
    const [target] = plan.devices;
    const found = sortRows(parts, plan.id, taken);
    if (found.other > 0 || found.fresh.length === 0) parts.discard({ id: plan.id });
    if (found.known > 0)
      byHand.push({ text: createDetail('replacement-people-known', { count: found.known }) });
    if (found.refused > 0)
      byHand.push({
        text: createDetail('replacement-people-refused', { count: found.refused, device: source.name }),
      });
    if (found.fresh.length === 0) continue;
    if (found.other > 0) plan = yield* planCopy(parts, source, by, signal, found.fresh);
    for (const employeeNo of found.fresh) taken.add(employeeNo);
    byHand.push(...plan.notes.filter(({ id }) => id !== 'people-prints-follow').map((text) => ({ text })));
    people.push({
      job: plan.id,
      deviceId: source.id,
      name: source.name,
      added: found.fresh.length,
      fingerprints: found.fingerprints,
      ...removeUndefined({ people: target?.people, capacity: target?.capacity }),
    });
  }
  return { people, byHand };
}

async function* planCopy(
  parts: PeopleParts,
  source: Device,
  by: Device,
  signal: AbortSignal,
  only?: readonly string[],
): AsyncGenerator<ReplacementEvent, PeoplePlan> {
  const copy = { kind: 'copy' as const, from: source.id, ...removeUndefined({ only }) };
  for await (const event of parts.planFrom({ source: copy, deviceIds: [by.id] }, signal)) {
    if (event.type === 'progress') yield { type: 'people', device: source.name, done: event.done };
    else {
      const error = event.plan.devices[0]?.error;
      if (error !== undefined) throw new FieldwrightError(error);
      return event.plan;
    }
  }
  throw signal.reason;
}

/** Sorts the rows of a copy; `other`: those of people who are not new there. */
function sortRows(
  parts: PeopleParts,
  id: string,
  taken: ReadonlySet<string>,
): {
  readonly fresh: readonly string[];
  readonly fingerprints: number;
  readonly other: number;
  readonly known: number;
  readonly refused: number;
} {
  const fresh: string[] = [];
  const counts = { fingerprints: 0, other: 0, known: 0, refused: 0 };
  for (const { employeeNo, plan, prints = 0 } of parts.listed({ id, only: 'moving' })) {
    if (plan === 'added' && !taken.has(employeeNo)) {
      fresh.push(employeeNo);
      counts.fingerprints += prints;
      continue;
    }
    counts.other += 1;
    if (plan === 'changed' && !taken.has(employeeNo)) counts.known += 1;
    if (plan === 'refused') counts.refused += 1;
  }
  return { fresh, ...counts };
}
