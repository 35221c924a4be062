/**
 * Compares who is on which of several devices, and who differs. The people are read into the database, so
 * that any number of them takes no memory.
 */
import { randomBytes } from 'node:crypto';
import { isPlain, type Plain } from '#protocol/index.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { ComparedDevice, ComparedPerson, CompareEvent, PersonPlace } from '#shared/people/people.ts';
import { runInPool } from '../async/pool.ts';
import { copyOf, comparePersonFields, stateOf, filterVisiblePersonChanges } from './compare.ts';
import { reachOf, type PlanContext } from './make-plan.ts';
import type { Person } from './person.ts';
import { readInBatches } from '../store/index.ts';
import { readPeople } from './read-people.ts';
import { normaliseOpenEnds, type Span } from './validity.ts';
import { readLimits } from './view.ts';
import type { Settled, PersonRow } from './work/rows.ts';

/** Reads every device; what came is kept under the id that it ends with, for a day at most. */
export async function* comparePeople(
  deviceIds: readonly string[],
  context: PlanContext,
  signal: AbortSignal,
): AsyncGenerator<CompareEvent> {
  const { rows, devices } = context;
  const chosen = [...new Set(deviceIds)].map((id) => devices.find(id));
  const id = `c-${randomBytes(6).toString('hex')}`;
  rows.open(id, {
    sealed: true,
    head: {
      work: 'compare',
      source: '',
      format: 'ndjson',
      rows: 0,
      bad: 0,
      notes: [],
      deviceIds: chosen.map((device) => device.id),
    },
  });
  const keep = (device: number, people: readonly Person[], span: Span): void => {
    const known = people
      .filter(({ employeeNo }) => employeeNo !== '')
      .map((person) => ({ ...person, value: comparable(person.value, span) }));
    const added = rows.add(
      id,
      known.map(({ employeeNo }) => ({ key: employeeNo })),
    );
    rows.settle(
      id,
      device,
      added.map(({ nth }, at): Settled => {
        const person = known[at] as Person;
        const { value, other } = person;
        return {
          nth,
          plan: 'unchanged',
          result: { state: stateOf(person) },
          secret: { shown: { value, other } },
        };
      }),
    );
  };
  const read = async (deviceId: string, device: number): Promise<ComparedDevice> => {
    const { name, url } = devices.find(deviceId);
    try {
      const reach = reachOf(context, deviceId, signal);
      const { span } = await readLimits(reach);
      const reading = readPeople(reach);
      for (;;) {
        const step = await reading.next();
        if (step.done === true) {
          const { read: people, complete, notes } = step.value;
          return { deviceId, name, url, people, complete, notes };
        }
        keep(device, step.value.people, span);
      }
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      await rows.unplan(id, device);
      return { deviceId, name, url, people: 0, complete: false, notes: [], error: toErrorShape(thrown) };
    }
  };
  try {
    const found: ComparedDevice[] = [];
    const places = chosen.map((device) => device.id);
    for await (const device of runInPool(places, read, { signal })) {
      found.push(device);
      yield { type: 'device', device };
    }
    if (signal.aborted) throw signal.reason;
    const ordered = places.flatMap((place) => found.find(({ deviceId }) => deviceId === place) ?? []);
    rows.update(id, { compared: ordered });
    const counts = { people: 0, same: 0, differing: 0 };
    for (const person of listComparedPeople(id, context)) {
      counts.people += 1;
      if (person.places.every((place) => place === 'present' || place === 'unknown')) counts.same += 1;
      else counts.differing += 1;
    }
    yield { type: 'compared', id, devices: ordered, counts };
  } catch (error) {
    rows.drop(id);
    throw error;
  }
}

/** Lists all people in the order of their numbers, beginning after `after`. */
export function* listComparedPeople(
  id: string,
  { rows }: Pick<PlanContext, 'rows'>,
  after = '',
): Generator<ComparedPerson> {
  const devices = rows.head(id).compared ?? [];
  const batches = readInBatches(
    after,
    (last) => rows.byKey(id, last),
    ({ key }) => key,
  );
  for (const batch of batches)
    for (const [employeeNo, found] of Map.groupBy(batch, ({ key }) => key))
      // The rows that a device gave before its reading failed were not kept.
      if (found.some(({ position }) => position !== undefined)) yield personOf(employeeNo, found, devices);
}

/** Returns a person with open ends of the validity written alike on all terminals, whatever span they have. */
function comparable(value: Plain, span: Span): Plain {
  const valid = value['Valid'];
  return isPlain(valid) ? { ...value, Valid: normaliseOpenEnds(valid, span) } : value;
}

function shownBy({ key, resultSecret }: PersonRow): Person {
  return { employeeNo: key, text: '', value: {}, other: {}, ...resultSecret()?.shown };
}

function personOf(
  employeeNo: string,
  found: readonly PersonRow[],
  devices: readonly ComparedDevice[],
): ComparedPerson {
  const states = Map.groupBy(found, ({ result }) => result?.state);
  // The reference is what most devices show; of several the one on the first device.
  const [most] = [...states.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const reference = most === undefined ? undefined : shownBy(most);
  const changed = new Set<string>();
  const places = devices.map(({ error, complete }, device): PersonPlace => {
    const row = found.find(({ position }) => position === device);
    if (row === undefined) return error !== undefined || !complete ? 'unknown' : 'missing';
    if (row.result?.state === most?.result?.state || reference === undefined) return 'present';
    const shown = shownBy(row);
    const fields = [
      ...filterVisiblePersonChanges(comparePersonFields(copyOf(reference).wanted, shown)),
      ...filterVisiblePersonChanges(comparePersonFields(copyOf(shown).wanted, reference)),
    ].map(({ field }) => field);
    for (const field of fields) changed.add(field);
    return fields.length === 0 ? 'present' : 'differs';
  });
  const name = reference?.value['name'];
  return {
    employeeNo,
    name: typeof name === 'string' ? name : undefined,
    places,
    fields: [...changed],
    from: most?.position ?? 0,
  };
}
