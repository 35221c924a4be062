/** Who is on which of several devices, and who differs: read into the database, so that any number of people takes no memory. */
import { randomBytes } from 'node:crypto';
import { defined } from '../../shared/defined.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { ComparedDevice, ComparedPerson, CompareEvent, PersonPlace } from '../../shared/people.ts';
import type { Vault } from '../inventory/access/vault.ts';
import { inPool } from '../pool.ts';
import type { Store } from '../store/index.ts';
import { copyOf, differences, stateOf, visible } from './compare.ts';
import { reachOf, type PlanContext } from './make-plan.ts';
import type { Person } from './person.ts';
import { readPeople } from './read-people.ts';

export interface CompareContext extends PlanContext {
  readonly store: Store;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
}

interface Seen {
  readonly employee_no: string;
  readonly device: number;
  readonly state: string;
  readonly document: Uint8Array;
}

/** Rows that are looked at together. */
const CHUNK = 200;

function contextOf(id: string, device: number, employeeNo: string): string {
  return `people/${id}/${device}/${employeeNo}`;
}

/** Reads every device; what came is kept under the id that it ends with, for a day at most. */
export async function* comparePeople(
  deviceIds: readonly string[],
  context: CompareContext,
  signal: AbortSignal,
): AsyncGenerator<CompareEvent> {
  const { rows, store, vault, devices } = context;
  const chosen = [...new Set(deviceIds)].map((id) => devices.find(id));
  const id = `c-${randomBytes(6).toString('hex')}`;
  rows.create(id, {
    work: 'compare',
    source: '',
    format: 'ndjson',
    rows: 0,
    bad: 0,
    notes: [],
    deviceIds: chosen.map((device) => device.id),
  });
  const keep = (device: number, people: readonly Person[]): void =>
    store.transactionSoon(() => {
      for (const person of people)
        if (person.employeeNo !== '')
          store.insert(
            'people_seen',
            {
              work_id: id,
              employee_no: person.employeeNo,
              device,
              state: stateOf(person),
              document: vault.seal(
                JSON.stringify({ value: person.value, other: person.other }),
                contextOf(id, device, person.employeeNo),
              ),
            },
            'ignore',
          );
    });
  const read = async (deviceId: string, device: number): Promise<ComparedDevice> => {
    const { name, url } = devices.find(deviceId);
    try {
      const reading = readPeople(reachOf(context, deviceId, signal));
      for (;;) {
        const step = await reading.next();
        if (step.done === true) {
          const { read: people, complete, notes } = step.value;
          return { deviceId, name, url, people, complete, notes };
        }
        keep(device, step.value.people);
      }
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return { deviceId, name, url, people: 0, complete: false, notes: [], error: toErrorShape(thrown) };
    }
  };
  try {
    const found: ComparedDevice[] = [];
    const places = chosen.map((device) => device.id);
    for await (const device of inPool(places, read, { signal })) {
      found.push(device);
      yield { type: 'device', device };
    }
    if (signal.aborted) throw signal.reason;
    const ordered = places.flatMap((place) => found.find(({ deviceId }) => deviceId === place) ?? []);
    rows.update(id, { compared: ordered });
    const counts = { people: 0, same: 0, differing: 0 };
    for (const person of peopleOf(id, context)) {
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

/** Everybody in the order of their numbers, from one behind `after` on. */
export function* peopleOf(
  id: string,
  { rows, store, vault }: Pick<CompareContext, 'rows' | 'store' | 'vault'>,
  after = '',
): Generator<ComparedPerson> {
  const devices = rows.head(id).compared ?? [];
  for (let last = after; ;) {
    const numbers = store.all<{ readonly employee_no: string }>(
      'SELECT DISTINCT employee_no FROM people_seen WHERE work_id = ? AND employee_no > ? ORDER BY employee_no LIMIT ?',
      id,
      last,
      CHUNK,
    );
    const end = numbers.at(-1)?.employee_no;
    if (end === undefined) return;
    const seen = Map.groupBy(
      store.all<Seen>(
        'SELECT employee_no, device, state, document FROM people_seen WHERE work_id = ? AND employee_no > ? AND employee_no <= ? ORDER BY employee_no, device',
        id,
        last,
        end,
      ),
      (row) => row.employee_no,
    );
    for (const [employeeNo, found] of seen)
      yield personOf(employeeNo, found, devices, (row) => open(vault, id, row));
    last = end;
  }
}

function open(vault: Pick<Vault, 'open'>, id: string, { device, employee_no, document }: Seen): Person {
  const kept = JSON.parse(vault.open(document, contextOf(id, device, employee_no))) as Pick<
    Person,
    'value' | 'other'
  >;
  return { employeeNo: employee_no, text: '', ...kept };
}

function personOf(
  employeeNo: string,
  found: readonly Seen[],
  devices: readonly ComparedDevice[],
  person: (row: Seen) => Person,
): ComparedPerson {
  const states = Map.groupBy(found, ({ state }) => state);
  // What most devices show; of several the one on the first device.
  const [most] = [...states.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const reference = most === undefined ? undefined : person(most);
  const changed = new Set<string>();
  const places = devices.map(({ error, complete }, device): PersonPlace => {
    const row = found.find((each) => each.device === device);
    if (row === undefined) return error !== undefined || !complete ? 'unknown' : 'missing';
    if (row.state === most?.state || reference === undefined) return 'present';
    const shown = person(row);
    const fields = [
      ...visible(differences(copyOf(reference).wanted, shown)),
      ...visible(differences(copyOf(shown).wanted, reference)),
    ].map(({ field }) => field);
    for (const field of fields) changed.add(field);
    return fields.length === 0 ? 'present' : 'differs';
  });
  const name = reference?.value['name'];
  return {
    employeeNo,
    ...defined({ name: typeof name === 'string' ? name : undefined }),
    places,
    fields: [...changed],
    from: most?.device ?? 0,
  };
}
