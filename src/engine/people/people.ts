/** People on terminals for the faces: read, planned, carried out, and what became of everybody. */
import type { peopleRoutes } from '#shared/contract/people.ts';
import type { InputOf, RouteFunctions } from '#shared/contract/route.ts';
import { say } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, RunOptions, Job } from '#shared/model.ts';
import type {
  DeletionReceipt,
  ComparedPerson,
  PeoplePlanEvent,
  PeopleRow,
  PersonLine,
  PersonOutcome,
  Validity,
} from '#shared/people/people.ts';
import { buildFileName, formatOneOrCount } from '#shared/text/file-name.ts';
import { isPlain, redactValue } from '#protocol/index.ts';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { StoredPlace } from '../jobs/types.ts';
import type { UnitKind } from '../jobs/unit-kind.ts';
import { comparePeople, listComparedPeople } from './compared.ts';
import { formatFailedRows } from './failed-rows.ts';
import { makePlan, reachOf, type PlanContext, type PlanSource } from './make-plan.ts';
import { createPeopleUnits, type PeopleDocuments } from './people-kind.ts';
import { getPeopleOutcome } from './people-outcome.ts';
import type { Person } from './person.ts';
import { resolveNumbers, type NamedPeople } from './named-people.ts';
import { readPeople, type PeopleEnd, type PeoplePage } from './read-people.ts';
import { buildDeletionReceipt, formatDeletionReceipt, summariseRemovedPeople } from './receipt.ts';
import { countBad, type Outcome, type PersonRow } from './work/rows.ts';
import { readOwnJson } from '#shared/read-json.ts';

export interface PeopleApi extends Omit<RouteFunctions<typeof peopleRoutes>, 'begin'> {
  /** Carries out a plan. `undoOf`: the job that it takes back. */
  begin(request: InputOf<typeof peopleRoutes.begin>, undoOf?: string): { readonly jobId: string };
  /**
   * Reads all people on a device with everything that it returns, secrets too: for a person's own terminal.
   */
  pages(
    request: { readonly deviceId: string; readonly text?: string },
    signal: AbortSignal,
  ): AsyncGenerator<PeoplePage, PeopleEnd>;
  /** Plans like `plan`, but reads a file of any length. */
  planFrom(
    request: { readonly source: PlanSource; readonly deviceIds: readonly string[] },
    signal: AbortSignal,
  ): AsyncGenerator<PeoplePlanEvent>;
  /** Keeps a plan over restarts of the app until the job that begins it has ended. */
  hold(id: string, by: string): void;
  /** Returns typed numbers as people on the devices have them. @throws `not-allowed` */
  named(
    request: { readonly deviceIds: readonly string[]; readonly employeeNos: readonly string[] },
    signal: AbortSignal,
  ): Promise<NamedPeople>;
  /** Returns all people of a comparison. */
  everybody(id: string): Iterable<ComparedPerson>;
  /** Lists all rows of a plan or job that move something or went wrong, one after the other. */
  listed(request: { readonly id: string; readonly only?: 'all' | 'failed' | 'moving' }): Iterable<PeopleRow>;
  /** Lines of the file of failed rows. */
  failedParts(request: {
    readonly id: string;
    readonly sentenceOf?: (error: ErrorShape) => string;
  }): Iterable<string>;
}

interface PeopleOptions extends PlanContext {
  readonly jobs: Jobs;
  readonly kind: UnitKind<PeopleDocuments>;
  readonly version: string;
}

export class People implements PeopleApi {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  readonly pages: PeopleApi['pages'] = ({ deviceId, text }, signal) =>
    readPeople({ ...reachOf(this.#options, deviceId, signal), text });

  async *read(...request: Parameters<PeopleApi['read']>): ReturnType<PeopleApi['read']> {
    const reading = this.pages(...request);
    try {
      for (;;) {
        const step = await reading.next();
        if (step.done === true) {
          yield { type: 'end', ...step.value };
          return;
        }
        const { people, read, total } = step.value;
        yield { type: 'people', people: people.map(toPersonLine), read, total };
      }
    } finally {
      // A reader that stops early ends the search as well.
      await reading.return({ read: 0, complete: false, notes: [] });
    }
  }

  readonly person: PeopleApi['person'] = async ({ deviceId, employeeNo }, signal) => {
    const reach = reachOf(this.#options, deviceId, signal);
    for await (const { people } of readPeople({ ...reach, only: [employeeNo] })) {
      const found = people.find((person) => person.employeeNo === employeeNo);
      if (found === undefined) continue;
      return {
        employeeNo,
        value: redactValue(userInfoSetUp, found.value) as Readonly<Record<string, unknown>>,
        other: Object.fromEntries(
          Object.entries(found.other).map(([name, text]) => [name, readOwnJson(text)]),
        ),
      };
    }
    throw userError('not-found', say('people-no-person', { employeeNo }), { device: reach.device });
  };

  readonly named: PeopleApi['named'] = ({ deviceIds, employeeNos }, signal) =>
    resolveNumbers(
      employeeNos,
      deviceIds.map((id) => reachOf(this.#options, id, signal)),
    );

  readonly planFrom: PeopleApi['planFrom'] = ({ source, deviceIds }, signal) =>
    makePlan(source, deviceIds, this.#options, signal);

  readonly plan: PeopleApi['plan'] = ({ source, deviceIds }, signal) =>
    makePlan(
      source.kind !== 'file'
        ? source
        : {
            kind: 'file',
            format: source.format,
            map: source.map ?? {},
            codePage: 'windows-1252',
            dates: source.dates,
            file: { name: source.name, open: () => oneByOne(source.text) },
          },
      deviceIds,
      this.#options,
      signal,
    );

  readonly rows: PeopleApi['rows'] = ({ id, only = 'moving', deviceIds, offset = 0, limit }) => {
    const { rows } = this.#options;
    const head = rows.head(id);
    const deviceId = this.#deviceIdAt(id);
    const places = deviceIds?.map((each) => head.deviceIds.indexOf(each));
    const page: PeopleRow[] = [];
    let left = offset;
    for (const row of rows.items(id, { which: WHICH[only], positions: places })) {
      if (page.length >= limit) break;
      if (left > 0) left -= 1;
      else page.push(rowOf(row, deviceId));
    }
    return page;
  };

  *listed({ id, only = 'moving' }: Parameters<PeopleApi['listed']>[0]): Generator<PeopleRow> {
    const deviceId = this.#deviceIdAt(id);
    for (const row of this.#options.rows.items(id, { which: WHICH[only] })) yield rowOf(row, deviceId);
  }

  readonly failed: PeopleApi['failed'] = ({ id }) => {
    const { format } = this.#options.rows.head(id);
    let text = '';
    for (const part of this.failedParts({ id })) {
      text += part;
      if (text.length > MOST_TEXT) throw userError('input-too-large', say('people-failed-too-many'));
    }
    return { fileName: this.#fileName('failed people', id, format), text };
  };

  readonly failedParts: PeopleApi['failedParts'] = ({ id, sentenceOf }) => {
    const { rows, devices } = this.#options;
    const deviceId = this.#deviceIdAt(id);
    const deviceName = (device: number): string => {
      try {
        return devices.find(deviceId(device)).name;
      } catch {
        return deviceId(device);
      }
    };
    return formatFailedRows(rows.items(id, { which: 'bad' }), {
      head: rows.head(id),
      deviceName,
      sentenceOf,
    });
  };

  readonly receipt: PeopleApi['receipt'] = ({ id }) => {
    const { jobs, rows, clock, version } = this.#options;
    const job = jobs.show({ id });
    return {
      fileName: this.#fileName('deletion receipt', id, 'json'),
      text: formatDeletionReceipt(job, rows, { at: clock.now().toISOString(), version }),
    };
  };

  /** Builds `what device date job.ending`; of several devices their number. */
  #fileName(what: string, id: string, ending: string): string {
    const { createdAt, results } = this.#options.jobs.show({ id });
    const whose = formatOneOrCount(
      results.map(({ name }) => name),
      'devices',
    );
    return buildFileName([what, whose, createdAt.slice(0, 10), id], ending);
  }

  /** Returns the results of a removal; undefined for other work. */
  findRemoval(job: Job): DeletionReceipt | undefined {
    return job.about.people?.work === 'remove' ? buildDeletionReceipt(job, this.#options.rows) : undefined;
  }

  readonly removed: PeopleApi['removed'] = ({ id }) => {
    const { jobs, rows } = this.#options;
    return summariseRemovedPeople(jobs.show({ id }), rows);
  };

  readonly outcome: PeopleApi['outcome'] = ({ id }) => getPeopleOutcome(this.#options.rows, id);

  readonly compare: PeopleApi['compare'] = ({ deviceIds }, signal) =>
    comparePeople(deviceIds, this.#options, signal);

  readonly everybody: PeopleApi['everybody'] = (id) => listComparedPeople(id, this.#options);

  readonly compared: PeopleApi['compared'] = ({ id, after, differing = false, text, limit }) => {
    const wanted = text?.toLocaleLowerCase();
    const found: ComparedPerson[] = [];
    for (const person of listComparedPeople(id, this.#options, after)) {
      if (differing && person.places.every((place) => place === 'present' || place === 'unknown')) continue;
      if (
        wanted !== undefined &&
        !person.employeeNo.toLocaleLowerCase().includes(wanted) &&
        !(person.name ?? '').toLocaleLowerCase().includes(wanted)
      )
        continue;
      if (found.push(person) >= limit) break;
    }
    return found;
  };

  readonly discard: PeopleApi['discard'] = ({ id }) => {
    const { jobs, rows } = this.#options;
    if (jobs.list().some((job) => job.id === id)) throw userError('not-allowed', say('people-plan-begun'));
    rows.drop(id);
    return { discarded: true };
  };

  readonly hold: PeopleApi['hold'] = (id, by) => this.#options.rows.update(id, { heldBy: by });

  readonly begin: PeopleApi['begin'] = ({ id, options: run = {} }, undoOf) => {
    const { rows, devices, jobs, kind } = this.#options;
    const head = rows.head(id);
    const { work } = head;
    if (work === 'compare') throw userError('not-found', say('people-no-plan', { id }));
    const chosen = head.deviceIds.map((deviceId) => devices.find(deviceId));
    const source = work === 'copy' ? placeOf(devices.find(head.source)) : undefined;
    const from = source?.name ?? head.source;
    return jobs.begin({
      id,
      undoOf,
      kind: 'people',
      // The title is in no language: names of files and devices.
      title: from === '' ? work : `${work} ${from}`,
      about: {
        people: { work, rows: head.rows, bad: countBad(head), ...(from === '' ? {} : { from }) },
      },
      body: { source },
      options: run as RunOptions,
      devices: chosen.map((one, position) => {
        const device = {
          ...placeOf(one),
          state: 'pending' as const,
          units: createPeopleUnits(
            rows
              .tally(id, position)
              .reduce(
                (all, { plan, count }) =>
                  plan === 'unchanged' || plan === 'absent' || plan === 'refused' ? all : all + count,
                0,
              ),
            { prints: (head.prints ?? 0) > 0 },
          ),
        };
        return { ...device, turn: kind.turn(device, position) };
      }),
    });
  };

  /** Returns the device at a place of the job or plan. */
  #deviceIdAt(id: string): (device: number) => string {
    const { deviceIds } = this.#options.rows.head(id);
    return (device) => deviceIds[device] ?? '';
  }
}

/** A file of failed rows that a page can be given. */
const MOST_TEXT = 6_000_000;

async function* oneByOne(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Returns where to find a device again: one that was named for one run alone is found by its connection. */
function placeOf({ id, name, url, profile, trust }: Device): StoredPlace {
  const connection = { profile, ...(trust?.how === 'given' ? { certificate: trust.fingerprint } : {}) };
  return { deviceId: id, name, url, connection };
}

const WHICH = { all: 'all', failed: 'bad', moving: 'moving' } as const;
/** Outcomes as they are shown, for rows that are not verified yet. */
const SHOWN: Readonly<Partial<Record<Outcome, PersonOutcome>>> = {
  sending: 'open',
  sent: 'open',
  partly: 'open',
  unclear: 'lost',
  'restart-shown': 'needs-reboot',
};

function rowOf(row: PersonRow, deviceId: (device: number) => string): PeopleRow {
  const { changes } = row.resultSecret() ?? {};
  const { wanted, prints } = row.secret() ?? {};
  const name = wanted?.value['name'];
  return {
    row: row.nth,
    line: row.line ?? 0,
    employeeNo: row.key,
    name: typeof name === 'string' ? name : undefined,
    deviceId: row.position === undefined ? undefined : deviceId(row.position),
    plan: row.plan,
    outcome: row.outcome && (SHOWN[row.outcome] ?? (row.outcome as PersonOutcome)),
    changes,
    prints: prints || undefined,
    printsGone: row.result?.prints,
    error: row.error,
  };
}

export function toPersonLine({ employeeNo, value }: Person): PersonLine {
  const text = (name: string): string | undefined => {
    const held = value[name];
    return held === undefined ? undefined : String(held);
  };
  const count = (name: string): number | undefined => {
    const held = value[name];
    return typeof held === 'number' ? held : undefined;
  };
  const valid = value['Valid'];
  return {
    employeeNo,
    name: text('name'),
    userType: text('userType'),
    valid: isPlain(valid) ? (valid as Validity) : undefined,
    faces: count('numOfFace'),
    prints: count('numOfFP'),
    cards: count('numOfCard'),
  } satisfies Record<keyof PersonLine, unknown>;
}
