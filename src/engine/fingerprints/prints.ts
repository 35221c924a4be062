/** Fingerprints for the faces: reading what is to be enrolled, beginning it, results as they come, exports. */
import { createDetail, formatDetail, say, formatSomeNames, type Detail } from '#shared/details.ts';
import { deviceError, userError, type FieldwrightError } from '#shared/errors.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { MOST_READERS, type PrintResult } from '#shared/people/fingerprints.ts';
import { DEVICES_AT_ONCE, type Device, type Job, type RunOptions } from '#shared/model.ts';
import type { printsRoutes } from '#shared/contract/fingerprints.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { Reach } from '../people/view.ts';
import type { NewDevice } from '../jobs/job-kind.ts';
import { createJobId, type Jobs } from '../jobs/jobs.ts';
import { createEnrolment } from './enrol.ts';
import { PrintIntake, type Targets } from './intake.ts';
import type { HeldPrint } from './on-device.ts';
import { readPeopleWithFingerprints, readCount, addFingerprintCounts } from './people-with-prints.ts';
import { readPersonPrints } from './person-prints.ts';
import { createFingerprintItem, type PrintRows } from './print-rows.ts';
import { createFingerprintUnit, PRINTS_KIND, type PrintOrder, type PrintsKind } from './prints-kind.ts';
import { isReaders, type Print } from './read-print.ts';
import { EVERY_FINGER } from './remove.ts';
import { createWaker } from './streams.ts';

interface PrintsOptions {
  readonly rows: PrintRows;
  readonly kind: PrintsKind;
  readonly jobs: Jobs;
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly clients: DeviceClients;
  readonly clock: Clock;
}

export interface CopyPrints extends Targets {
  readonly from: string;
  readonly people?: readonly string[];
  readonly fingers?: readonly number[];
}
interface JobRequest {
  readonly jobId: string;
}
interface RemovePrints extends Pick<RunOptions, 'whenBack'> {
  readonly deviceIds: readonly string[];
  readonly people: readonly string[];
  /** All of the person without. */
  readonly fingers?: readonly number[];
  readonly readers?: readonly number[];
}

interface Target {
  readonly device: Device;
  /** Other than those of the whole work. */
  readonly readers?: readonly number[];
}

export interface PrintsApi extends Omit<RouteFunctions<typeof printsRoutes>, 'discard' | 'forget'> {
  /** Forgets a job that was prepared and not begun. */
  discard(request: JobRequest): Promise<{ readonly discarded: boolean }>;
  /** Wipes the templates that an ended job still keeps for going on; what became of it stays. Throws `not-available` while it runs. */
  forget(request: JobRequest): Promise<{ readonly wiped: boolean }>;
  /**
   * Reads NDJSON into a prepared job until it ends; templates are sealed. Each line that cannot be used is among the
   * results. Also returns the unknown members that it found. @throws `not-found` for a job that takes no input
   */
  readonly fill: PrintIntake['fill'];
  /**
   * Yields every fingerprint of a device with its template: biometric data in the clear, for a file that the
   * user requested.
   */
  read(
    request: {
      readonly deviceId: string;
      readonly people?: readonly string[];
      /** Hears at the end why not everything came. */
      readonly missing?: (why: Detail) => void;
    },
    signal: AbortSignal,
  ): AsyncIterable<Print>;
}

/** Characters of all templates of a device: several times of what the largest terminal has. */
const MOST_CHARACTERS = 1024 * 1024 * 1024;
/** Characters of a template, on average: several times of what one has, encrypted too. */
const EACH = 8 * 1024;
/** Templates that may be larger than that. */
const SLACK = 200;

export class Prints implements PrintsApi {
  readonly #options: PrintsOptions;
  readonly #intake: PrintIntake;
  readonly enrol: PrintsApi['enrol'];

  constructor(options: PrintsOptions) {
    const { rows, kind, jobs, devices, clients, clock } = options;
    this.#options = options;
    this.#intake = new PrintIntake(rows, kind.filling);
    this.enrol = createEnrolment({
      devices,
      clients,
      clock,
      send: (print, targets) => this.#sendOne(print, targets),
      results: (jobId, signal) => this.results({ jobId }, signal),
      cancel: (jobId) => void jobs.cancel({ id: jobId }),
    });
  }

  async *results({ jobId: given }: JobRequest, signal: AbortSignal): AsyncGenerator<PrintResult> {
    const { rows, jobs } = this.#options;
    const { id: jobId, results: devices } = this.#known(given);
    const changed = createWaker();
    const ends = [rows.watch(jobId, changed.wake), followJob(jobs, jobId, changed.wake)];
    signal.addEventListener('abort', changed.wake, { once: true });
    try {
      for (let last = 0; !signal.aborted;) {
        const waiting = changed.next();
        // Looked at before the rows: results that come with the end are in the next look.
        const isEnded = !isAtWork(jobs.show({ id: jobId }).state);
        const some = rows.printResults(jobId, last);
        for (const { id, position, ...result } of some) {
          last = id;
          const { name: device, deviceId } = devices[position] ?? {};
          yield { ...result, device, deviceId };
        }
        if (some.length > 0) continue;
        if (isEnded) return;
        await waiting;
      }
    } finally {
      signal.removeEventListener('abort', changed.wake);
      for (const end of ends) end();
    }
  }

  async held(
    { deviceId, employeeNo }: { readonly deviceId: string; readonly employeeNo: string },
    signal: AbortSignal,
  ): ReturnType<PrintsApi['held']> {
    const reach = this.#reach(deviceId, signal);
    const count = await readCount(reach, employeeNo);
    const { held, missing } = await readPersonPrints({ employeeNo, count }, reach);
    if (missing !== undefined)
      throw deviceError('malformed-answer', say('print-not-shown', missing), { device: reach.device });
    return held.map(({ fingerData: _data, leaderFP: _doors, ...print }) => print);
  }

  prepare(request: Targets): { readonly jobId: string } {
    this.#chosen(request);
    return this.#intake.open(request);
  }

  fill(...given: Parameters<PrintsApi['fill']>): ReturnType<PrintsApi['fill']> {
    return this.#intake.fill(...given);
  }

  begin({ jobId }: JobRequest): { readonly jobId: string } {
    const request = this.#intake.request(jobId);
    if (request === undefined) throw noJob(jobId);
    const order: PrintOrder = {
      work: 'import',
      checkPerson: request.checkPerson ?? false,
      verify: request.verify ?? false,
      readers: request.readers && [...request.readers],
      cipher: request.cipher,
    };
    const begun = this.#start(jobId, this.#chosen(request), order, request);
    this.#intake.begun(jobId);
    return begun;
  }

  async discard({ jobId }: JobRequest): Promise<{ readonly discarded: boolean }> {
    return { discarded: await this.#intake.discard(jobId) };
  }

  async forget({ jobId: given }: JobRequest): Promise<{ readonly wiped: boolean }> {
    const { rows } = this.#options;
    const { id: jobId, state } = this.#known(given);
    if (isAtWork(state)) throw userError('not-available', say('job-busy', { id: jobId }));
    const wiped = rows.list(jobId)?.isSealed === true;
    await rows.wipeNow(jobId);
    return { wiped };
  }

  copy(request: CopyPrints): { readonly jobId: string } {
    const { devices, rows } = this.#options;
    const from = devices.find(request.from);
    const targets = this.#chosen(request);
    if (targets.some(({ device }) => device.id === from.id))
      throw userError('usage', say('prints-own-source', { name: from.name }));
    const jobId = createJobId();
    rows.open(jobId, { sealed: false });
    return this.#start(
      jobId,
      targets,
      {
        work: 'copy',
        source: from.id,
        checkPerson: request.checkPerson ?? true,
        verify: request.verify ?? true,
        readers: request.readers && [...request.readers],
        people: request.people && [...new Set(request.people)],
        fingers: request.fingers && [...request.fingers],
        cipher: request.cipher,
      },
      { ...request, from },
    );
  }

  remove(request: RemovePrints): { readonly jobId: string } {
    const { rows } = this.#options;
    const targets = this.#chosen(request);
    const people = [...new Set(request.people)];
    if (people.length === 0) throw userError('usage', say('prints-no-person'));
    const fingers = request.fingers ?? [EVERY_FINGER];
    const jobId = createJobId();
    rows.open(jobId, { sealed: false });
    for (const employeeNo of people)
      rows.add(
        jobId,
        fingers.map((fingerPrintID) =>
          createFingerprintItem({ employeeNo, fingerPrintID, fingerType: 'normalFP', fingerData: '' }),
        ),
      );
    rows.closeInput(jobId);
    const readers = request.readers && [...request.readers];
    const order = {
      work: 'remove' as const,
      checkPerson: false,
      verify: true,
      readers,
    };
    return this.#start(jobId, targets, order, request);
  }

  async *read(...[request, signal]: Parameters<PrintsApi['read']>): AsyncGenerator<Print> {
    const { deviceId, people, missing = () => undefined } = request;
    const reach = this.#reach(deviceId, signal);
    let withheld = 0;
    let notShown = 0;
    let [prints, characters] = [0, 0];
    const whose: string[] = [];
    const everybody = () =>
      readPeopleWithFingerprints(reach, ({ complete, notes }) => {
        if (!complete) for (const note of notes) missing(note);
      });
    for await (const person of people === undefined ? everybody() : addFingerprintCounts(reach, people)) {
      const found = await readPersonPrints(person, reach);
      withheld += found.held.filter(({ fingerData }) => fingerData === '').length;
      prints += found.held.length;
      characters += found.held.reduce((sum, { fingerData }) => sum + fingerData.length, 0);
      const most = Math.min(MOST_CHARACTERS, (prints + SLACK) * EACH);
      if (characters > most) {
        const words = say('prints-too-much', { max: Math.ceil(most / 1024 / 1024) });
        throw deviceError('answer-too-large', words, { device: reach.device });
      }
      yield* together(found.held);
      if (found.missing === undefined) continue;
      notShown += found.missing.told - found.missing.shown;
      if (whose.length < MOST_NAMED) whose.push(person.employeeNo);
    }
    if (withheld > 0) missing(createDetail('prints-withheld-all', { count: withheld }));
    if (notShown > 0)
      missing(createDetail('prints-not-shown-all', { count: notShown, people: formatSomeNames(whose) }));
  }

  #reach(deviceId: string, signal: AbortSignal): Reach {
    const { clients, clock, devices } = this.#options;
    return { client: clients.get(deviceId), clock, signal, device: devices.find(deviceId).url };
  }

  /** Throws `not-found` for a job that is none on fingerprints. */
  #known(given: string): Job {
    const job = this.#options.jobs.show({ id: given });
    if (this.#options.rows.list(job.id) === undefined) throw noJob(job.id);
    return job;
  }

  #chosen({ deviceIds, readers }: Pick<Targets, 'deviceIds' | 'readers'>): readonly Target[] {
    if (readers !== undefined && !isReaders(readers))
      throw userError('out-of-range', say('prints-reader', { max: MOST_READERS }), { path: 'readers' });
    const found = [...new Set(deviceIds)].map((id) => ({ device: this.#options.devices.find(id) }));
    if (found.length === 0) throw userError('usage', say('prints-no-device'));
    return found;
  }

  #sendOne(print: Print, targets: readonly Target[]): { readonly jobId: string } {
    const { rows, kind } = this.#options;
    const jobId = createJobId();
    const { readers: _own, ...finger } = print;
    rows.open(jobId, { sealed: false });
    rows.add(jobId, [createFingerprintItem(finger)]);
    rows.closeInput(jobId);
    kind.hold(jobId, print.fingerData);
    return this.#start(jobId, targets, { work: 'enrol', checkPerson: true, verify: true });
  }

  #start(
    jobId: string,
    targets: readonly Target[],
    order: PrintOrder,
    { from, whenBack }: { readonly from?: Device } & Pick<RunOptions, 'whenBack'> = {},
  ): { readonly jobId: string } {
    const { kind, jobs } = this.#options;
    const entry = ({ device, readers }: Target, role: 'source' | 'target', position: number): NewDevice => {
      const document = { ...order, readers: readers ? [...readers] : order.readers };
      const made = {
        deviceId: device.id,
        name: device.name,
        url: device.url,
        state: 'pending' as const,
        units: [{ result: createFingerprintUnit(role, order), document }],
      };
      return { ...made, turn: kind.kind.turn(made, position) };
    };
    // The device that is read comes first: the others wait for what it gives.
    const all = [
      ...(from === undefined ? [] : [{ target: { device: from }, role: 'source' as const }]),
      ...targets.map((target) => ({ target, role: 'target' as const })),
    ];
    return jobs.begin({
      id: jobId,
      kind: PRINTS_KIND,
      title: formatDetail(createDetail(`prints-title-${order.work}`)),
      about: { prints: { work: order.work } },
      subject: PRINTS_KIND,
      body: { work: order.work },
      // The devices run together: one that waited for its turn would hold up a source that is read once.
      options: {
        concurrency: Math.min(all.length, DEVICES_AT_ONCE.most),
        whenBack,
      },
      devices: all.map(({ target, role }, position) => entry(target, role, position)),
    });
  }
}

/** Wakes with every event of the job, its end above all. */
function followJob(jobs: Jobs, id: string, wake: () => void): () => void {
  const left = new AbortController();
  void (async () => {
    for await (const event of jobs.watch({ id }, left.signal)) if (event.type === 'end') wake();
    wake();
  })().catch(wake);
  return () => left.abort();
}

/** People named in one message at most. */
const MOST_NAMED = 20;

/** Merges the fingerprints of readers that hold the same template into one entry. */
function together(held: readonly HeldPrint[]): readonly Print[] {
  const same = Map.groupBy(
    held.filter(({ fingerData }) => fingerData !== ''),
    ({ fingerPrintID, fingerType, fingerData, leaderFP = [] }) =>
      JSON.stringify([fingerPrintID, fingerType, fingerData, leaderFP]),
  );
  const fingers = Map.groupBy(same.values(), ([first]) => first?.fingerPrintID);
  return [...same.values()].map((group) => {
    const [{ reader: _reader, ...print }] = group as [HeldPrint, ...HeldPrint[]];
    const readers = group.map(({ reader }) => reader);
    // An import writes fingerprints without readers to reader 1, so name the readers of all others.
    const isSplit = (fingers.get(print.fingerPrintID)?.length ?? 0) > 1;
    return { ...print, ...(isSplit || readers.join() !== '1' ? { readers } : {}) };
  });
}

function noJob(id: string): FieldwrightError {
  return userError('not-found', say('prints-no-job', { id }));
}
