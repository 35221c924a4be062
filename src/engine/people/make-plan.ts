/** Plans of work on people: where the rows come from, then every device, a few at a time. */
import type { Plain } from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, say, type Detail } from '#shared/details.ts';
import { toErrorShape, userError } from '#shared/errors.ts';
import type {
  PeoplePlan,
  PeoplePlanDevice,
  PeoplePlanEvent,
  PeopleWork,
  PlannedPeople,
} from '#shared/people/people.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { runInPool } from '../async/pool.ts';
import { createJobId } from '../jobs/jobs.ts';
import { copyOf } from './compare.ts';
import { createFileFindings, readRows, type FileOptions } from './file/read-rows.ts';
import type { FileSource } from './file/lines.ts';
import { COUNTS, INSTRUCTIONS, PERSON, SECRETS } from './person.ts';
import { resolveNumbers } from './named-people.ts';
import type { OpenFingerprints } from './fingerprints-of-people.ts';
import { planDevice } from './plan-device.ts';
import { readPeople, type PeopleEnd, type PeoplePage } from './read-people.ts';
import { SeenNumbers } from './seen-numbers.ts';
import type { Span } from './validity.ts';
import { AT_ONCE, openView, readLimits, type Reach } from './view.ts';
import { countBad, type NewRow } from './work/rows.ts';
import type { WorkRows } from './work/work-rows.ts';

export type PlanSource =
  | ({ readonly kind: 'file'; readonly file: FileSource } & FileOptions)
  | {
      readonly kind: 'copy';
      readonly from: string;
      readonly only?: readonly string[] | undefined;
      /** False: their fingerprints stay where they are. */
      readonly prints?: boolean | undefined;
      /** True: people whose number belongs to someone else on a target replace them there. */
      readonly replaceOthers?: boolean | undefined;
    }
  /** One person from a form: no empty cell, every member counts. */
  | { readonly kind: 'person'; readonly person: Plain & { readonly employeeNo: string } }
  | { readonly kind: 'remove'; readonly employeeNos: readonly string[] };

export interface PlanContext {
  readonly rows: WorkRows;
  readonly fingerprints: OpenFingerprints;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'find'>;
}

const WORK: Readonly<Record<PlanSource['kind'], PeopleWork>> = {
  file: 'import',
  person: 'import',
  copy: 'copy',
  remove: 'remove',
};
/** Members that are not in forms: a form deletes no one. */
const NOT_IN_FORMS: ReadonlySet<string> = new Set<string>([...INSTRUCTIONS, ...COUNTS]);
/** Plans of a person on a device: new there, known there, refused. */
const PLANNED = [['added'], ['changed', 'unchanged'], ['refused']] as const;
/** Rows that go to the database together. */
const BATCH = 200;
/** More are not taken at once. */
const MOST_ROWS = 1_000_000;

export function reachOf(
  { clients, clock, devices }: PlanContext,
  deviceId: string,
  signal: AbortSignal,
): Reach {
  const { id, url } = devices.find(deviceId);
  return { client: clients.get(id), clock, signal, device: url };
}

/** Rows first, then devices; nothing is written to any. What was kept of it goes where it does not come to its end. */
export async function* makePlan(
  source: PlanSource,
  deviceIds: readonly string[],
  context: PlanContext,
  signal: AbortSignal,
): AsyncGenerator<PeoplePlanEvent> {
  const chosen = [...new Set(deviceIds)].map((id) => context.devices.find(id));
  const { rows } = context;
  const id = createJobId();
  rows.open(id, {
    sealed: true,
    head: {
      work: WORK[source.kind],
      source: source.kind === 'file' ? source.file.name : source.kind === 'copy' ? source.from : '',
      format: source.kind === 'file' ? source.format : 'ndjson',
      rows: 0,
      bad: 0,
      notes: [],
      deviceIds: chosen.map((device) => device.id),
      ...(source.kind === 'copy' && removeUndefined({ replaceOthers: source.replaceOthers })),
    },
  });
  try {
    const findings = createFileFindings();
    const notes: Detail[] = [];
    const counted = { rows: 0, bad: 0, prints: 0 };
    const named = await withNumbers(
      source,
      chosen.map((device) => device.id),
      context,
      signal,
    );
    notes.push(...named.notes);
    for await (const done of keepRows(
      id,
      rowsOf(named.source, context, signal, { findings, notes }),
      rows,
      counted,
    ))
      yield { type: 'progress', done };
    rows.update(id, {
      ...counted,
      columns: findings.columns,
      headings: findings.columns?.map(({ heading }) => heading),
      notes: [
        ...(findings.guessed === undefined
          ? []
          : [createDetail('people-code-page', { codePage: findings.guessed })]),
        ...notes,
        ...(counted.prints === 0 ? [] : [createDetail('people-prints-follow', { count: counted.prints })]),
        ...[...findings.notes.values()].map(({ detail, count }) => detail(count)),
      ],
    });
    const head = rows.head(id);
    const events: PeoplePlanEvent[] = [];
    let wake = (): void => undefined;
    const planned: PeoplePlanDevice[] = [];
    const all = (async () => {
      const pool = runInPool(
        chosen,
        async ({ id: deviceId, name, url }, device) => {
          const place = { deviceId, name, url };
          try {
            const found = await planDevice(reachOf(context, deviceId, signal), {
              rows,
              fingerprints: context.fingerprints,
              id,
              head,
              device,
              progress: (done, total) => {
                events.push({ type: 'progress', deviceId, done, total });
                wake();
              },
            });
            planned[device] = { ...place, ...found };
          } catch (thrown) {
            if (signal.aborted) throw thrown;
            await rows.unplan(id, device);
            planned[device] = { ...place, counts: {}, notes: [], error: toErrorShape(thrown) };
          }
        },
        { signal },
      );
      for await (const _device of pool);
    })();
    let ended = false;
    const end = (): void => {
      ended = true;
      wake();
    };
    all.then(end, end);
    for (;;) {
      // The last step of a device is enough.
      const event = events.pop();
      events.length = 0;
      if (event !== undefined) yield event;
      else if (ended) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (ended) resolve();
        });
    }
    await all;
    if (signal.aborted) throw signal.reason;
    rows.update(id, { ruledOut: countRuledOut(id, rows, planned) });
    yield { type: 'plan', plan: planOf(id, rows, planned) };
  } catch (error) {
    rows.drop(id);
    throw error;
  }
}

function planOf(id: string, rows: WorkRows, devices: readonly PeoplePlanDevice[]): PeoplePlan {
  const { work, rows: count, notes, columns } = rows.head(id);
  return {
    id,
    work: work === 'compare' ? 'import' : work,
    rows: count,
    bad: countBad(rows.head(id)),
    notes,
    devices,
    ...(work === 'remove' ? {} : { counts: countPlanned(id, rows) }),
    columns: columns?.map(({ heading, field }) => ({ heading, field })),
  };
}

/** Counts good rows that every device refuses of those that could be asked. */
function countRuledOut(id: string, rows: WorkRows, devices: readonly PeoplePlanDevice[]): number {
  const asked = devices.filter(({ error }) => error === undefined).length;
  return rows
    .spread(id, [['refused']])
    .filter(({ isBad, counts: [refused = 0] }) => !isBad && refused > 0 && refused === asked)
    .reduce((all, { items }) => all + items, 0);
}

/** Counts each row once over all devices. */
function countPlanned(id: string, rows: WorkRows): PlannedPeople {
  const counted = { fresh: 0, known: 0, wrong: 0 };
  for (const { isBad, counts, items } of rows.spread(id, PLANNED)) {
    const [added = 0, known = 0, refused = 0] = counts;
    if (isBad || refused > 0) counted.wrong += items;
    else if (known > 0) counted.known += items;
    else if (added > 0) counted.fresh += items;
  }
  return counted;
}

/** Returns the source with the numbers that it names as people on the devices have them. */
async function withNumbers(
  source: PlanSource,
  deviceIds: readonly string[],
  context: PlanContext,
  signal: AbortSignal,
): Promise<{ readonly source: PlanSource; readonly notes: readonly Detail[] }> {
  const resolve = (numbers: readonly string[], ids: readonly string[]) =>
    resolveNumbers(
      numbers,
      ids.map((id) => reachOf(context, id, signal)),
    );
  switch (source.kind) {
    case 'remove': {
      const { employeeNos, notes } = await resolve(source.employeeNos, deviceIds);
      return { source: { ...source, employeeNos }, notes };
    }
    case 'copy': {
      if (source.only === undefined) break;
      const { employeeNos, notes } = await resolve(source.only, [source.from]);
      return { source: { ...source, only: employeeNos }, notes };
    }
    case 'person': {
      const { person } = source;
      const { employeeNos, notes } = await resolve([person.employeeNo], deviceIds);
      return { source: { ...source, person: { ...person, employeeNo: employeeNos[0] ?? '' } }, notes };
    }
    default:
  }
  return { source, notes: [] };
}

interface Remarks {
  readonly findings: ReturnType<typeof createFileFindings>;
  readonly notes: Detail[];
}

async function* keepRows(
  id: string,
  source: AsyncIterable<NewRow>,
  rows: WorkRows,
  counted: { rows: number; bad: number; prints: number },
): AsyncGenerator<number> {
  let batch: NewRow[] = [];
  const flush = (): void => {
    rows.addRows(id, batch);
    batch = [];
  };
  for await (const row of source) {
    batch.push(row);
    counted.rows += 1;
    if (row.error !== undefined) counted.bad += 1;
    else if (row.mayHavePrints === true) counted.prints += 1;
    if (counted.rows > MOST_ROWS)
      throw userError('input-too-large', say('people-too-many', { max: MOST_ROWS }));
    if (batch.length < BATCH) continue;
    flush();
    yield counted.rows;
  }
  flush();
  yield counted.rows;
}

async function* rowsOf(
  source: PlanSource,
  context: PlanContext,
  signal: AbortSignal,
  { findings, notes }: Remarks,
): AsyncGenerator<NewRow> {
  switch (source.kind) {
    case 'file':
      yield* readRows(source.file, source, findings);
      return;
    case 'person': {
      const value = Object.fromEntries(
        PERSON.fields.flatMap(({ name }) =>
          source.person[name] === undefined || NOT_IN_FORMS.has(name) ? [] : [[name, source.person[name]]],
        ),
      );
      yield { line: 1, employeeNo: source.person.employeeNo, wanted: { value } };
      return;
    }
    case 'remove': {
      let line = 0;
      for (const employeeNo of source.employeeNos) yield { line: (line += 1), employeeNo };
      return;
    }
    case 'copy': {
      const reading = copied(reachOf(context, source.from, signal), source.only);
      const follow = source.prints !== false;
      let stay = 0;
      const left = new Map<string, number>();
      const secrets = new Map<string, readonly [shown: number, all: number]>();
      const seen = new SeenNumbers();
      let line = 0;
      for (;;) {
        const step = await reading.next();
        if (step.done === true) {
          notes.push(
            ...step.value.notes,
            ...(step.value.complete ? [] : [createDetail('people-copy-incomplete')]),
          );
          break;
        }
        for (const person of step.value.people) {
          if (person.employeeNo === '' || !seen.add(person.employeeNo)) continue;
          const { wanted, left: lost } = copyOf(person);
          for (const name of SECRETS) {
            const [shown, all] = secrets.get(name) ?? [0, 0];
            secrets.set(name, [shown + (person.value[name] === undefined ? 0 : 1), all + 1]);
          }
          for (const name of lost) if (name !== 'numOfFP') left.set(name, (left.get(name) ?? 0) + 1);
          // Absent: the device does not say; then it is asked for them.
          const prints = person.value['numOfFP'];
          if (!follow && prints !== 0) stay += 1;
          yield {
            line: (line += 1),
            employeeNo: person.employeeNo,
            wanted,
            ...(follow && typeof prints === 'number' ? { prints } : {}),
            ...(follow && prints !== 0 ? { mayHavePrints: true } : {}),
          };
        }
      }
      if (stay > 0) notes.push(createDetail('people-prints-stay', { count: stay }));
      for (const [name, [shown, count]] of secrets)
        if (shown === 0) notes.push(createDetail('people-unseen-not-copied', { name, count }));
      for (const [name, count] of left) notes.push(createDetail('people-left-behind', { name, count }));
      return;
    }
  }
}

/** Reads all people, or those who are named, some at a time. */
async function* copied(
  reach: Reach,
  only: readonly string[] | undefined,
): AsyncGenerator<PeoplePage, PeopleEnd> {
  const { span } = await readLimits(reach);
  if (only === undefined) return yield* withSpan(readPeople(reach), span);
  const view = await openView(reach, span);
  let read = 0;
  for (let at = 0; at < only.length; at += AT_ONCE) {
    const people = [...(await view.find(only.slice(at, at + AT_ONCE))).values()];
    read += people.length;
    yield { people, read, total: only.length };
  }
  return { read, total: only.length, complete: true, notes: [] };
}

/** Yields the pages of a reading, with the span in which the device takes a validity. */
async function* withSpan(
  reading: AsyncGenerator<PeoplePage, PeopleEnd>,
  span: Span,
): AsyncGenerator<PeoplePage, PeopleEnd> {
  for (;;) {
    const step = await reading.next();
    if (step.done === true) return step.value;
    yield { ...step.value, people: step.value.people.map((person) => ({ ...person, span })) };
  }
}
