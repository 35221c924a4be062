/**
 * One finger of one person, put on the reader of a terminal and brought to other readers. The interface has no operation
 * that captures a finger: the person enrols at the terminal itself, which is asked until it has the finger. The template
 * stays in memory. Whatever ends this early, the terminal is asked once more and put back to what it was.
 */
import type { EnrolRequest } from '#shared/contract/fingerprints.ts';
import { createDetail, say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import {
  isGoodPrint,
  needsNewCapture,
  type EnrolEvent,
  type PrintResult,
} from '#shared/people/fingerprints.ts';
import type { Device } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { deliver, type Delivery } from './deliver.ts';
import { NEVER, queryFingerprints, type HeldPrint } from './on-device.ts';
import type { Print } from './read-print.ts';
import { remove } from './remove.ts';

interface EnrolOptions {
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  /** Begins a job that brings the fingerprint to these readers; its template is kept in memory alone. */
  readonly send: (
    print: Print,
    targets: readonly { readonly device: Device; readonly readers: readonly number[] }[],
  ) => { readonly jobId: string };
  readonly results: (jobId: string, signal: AbortSignal) => AsyncIterable<PrintResult>;
  readonly cancel: (jobId: string) => void;
}

const POLL_MS = 1_000;
const WAIT_SECONDS = 60;
/** Captures of one finger, where the readers find it too poor. */
const MOST_CAPTURES = 3;
/** Creates the enrolment. The terminal is put back even if the caller has stopped. */

export function createEnrolment(options: EnrolOptions) {
  const { devices, clients, clock } = options;
  /** Terminals with an enrolment under way: one finger at a time. */
  const busy = new Set<string>();

  return async function* enrol(request: EnrolRequest, signal: AbortSignal): AsyncGenerator<EnrolEvent> {
    const terminal = devices.find(request.at.deviceId);
    const targets = targetsOf(request, devices);
    if (busy.has(terminal.id)) throw userError('not-available', say('prints-busy', { name: terminal.name }));
    busy.add(terminal.id);
    const reach = { client: clients.get(terminal.id), clock, device: terminal.url };
    const at = new Terminal(reach, request);
    /** Something may have come to the terminal that does not belong there yet. */
    let isOpen = false;
    let running: string | undefined;
    /**
     * Ends the capture. Nothing half done stays on the terminal, even if the reader of these events has
     * stopped. Returns false if the terminal cannot be asked.
     */
    async function leave(): Promise<boolean> {
      isOpen = false;
      if (running !== undefined) options.cancel(running);
      return at.putBack();
    }
    try {
      await at.look(signal);
      if (at.before !== undefined && request.anew === undefined) {
        yield { type: 'there' };
        return;
      }
      isOpen = true;
      for (let capture = 1; ; capture += 1) {
        const waitSeconds = request.waitSeconds ?? WAIT_SECONDS;
        let print = request.anew === false && capture === 1 ? at.before : undefined;
        if (print === undefined) {
          const until = clock.now().getTime() + waitSeconds * 1_000;
          yield { type: 'waiting', until: new Date(until).toISOString(), capture };
          print = await at.captured(until, signal);
        }
        if (print === undefined)
          throw userError('timeout', say('prints-capture-late', { seconds: waitSeconds }));
        yield { type: 'captured' };
        yield { type: 'result', result: ownResult(request, terminal, clock) };
        if (targets.length === 0) break;
        const { jobId } = options.send(print, targets);
        running = jobId;
        yield { type: 'sending', jobId };
        let poor = 0;
        for await (const result of options.results(jobId, signal)) {
          if (needsNewCapture(result.status)) poor += 1;
          yield { type: 'result', result };
        }
        signal.throwIfAborted();
        running = undefined;
        if (poor === 0 || capture >= MOST_CAPTURES) break;
        // A new capture is the only help against poor quality: readers that have the finger get the better
        // one too.
        at.again(print);
      }
      isOpen = false;
      yield { type: 'ended' };
    } catch (thrown) {
      if (isOpen) {
        const isBack = await leave();
        // A caller that has stopped reads nothing any more.
        if (!signal.aborted) yield { type: 'left', isBack };
      }
      throw thrown;
    } finally {
      if (isOpen) await leave();
      busy.delete(terminal.id);
    }
  };
}

/** The finger at the terminal: as it was, and as it is. */
class Terminal {
  readonly #reach: Pick<Delivery, 'client' | 'clock' | 'device'>;
  readonly #request: EnrolRequest;
  before: HeldPrint | undefined;
  /** Template that does not count as a new capture. */
  #known = '';

  constructor(reach: Pick<Delivery, 'client' | 'clock' | 'device'>, request: EnrolRequest) {
    this.#reach = reach;
    this.#request = request;
  }

  async look(signal: AbortSignal): Promise<void> {
    this.before = await this.#held(signal);
    this.#known = this.before?.fingerData ?? '';
  }

  /** Requires the next capture to differ from this one. */
  again({ fingerData }: Print): void {
    this.#known = fingerData;
  }

  /** Resolves when the terminal has the finger; undefined where it has none in time. */
  async captured(until: number, signal: AbortSignal): Promise<HeldPrint | undefined> {
    for (;;) {
      const held = await this.#held(signal);
      if (held !== undefined && held.fingerData !== '' && held.fingerData !== this.#known) return held;
      if (this.#reach.clock.now().getTime() >= until) return undefined;
      await this.#reach.clock.delay(POLL_MS, signal);
    }
  }

  /** Undoes a finger that arrived too late; returns false if the terminal does not show its previous state afterwards. */
  async putBack(): Promise<boolean> {
    const { at } = this.#request;
    const { before } = this;
    try {
      const now = await this.#held(NEVER);
      if (now === undefined || now.fingerData === before?.fingerData) return true;
      const common = { ...this.#reach, stopped: NEVER, readers: [at.reader] };
      const isNew = before === undefined || before.fingerData === '';
      const { readers } = isNew
        ? await remove({ ...common, item: { ...now, nth: 0 } })
        : await deliver({
            ...common,
            item: { ...before, nth: 0 },
            template: () => Promise.resolve({ kind: 'data', data: before.fingerData }),
            checkPerson: false,
            verify: true,
            maybeSent: false,
          });
      return before?.fingerData !== '' && readers.every(({ status }) => isGoodPrint(status));
    } catch {
      // The next enrolment there reports which fingerprints the terminal has.
      return false;
    }
  }

  async #held(signal: AbortSignal): Promise<HeldPrint | undefined> {
    const { employeeNo, fingerPrintID, at } = this.#request;
    const held = await queryFingerprints(
      this.#reach.client,
      { employeeNo, fingerPrintID, reader: at.reader },
      signal,
    );
    return held.find((print) => print.fingerPrintID === fingerPrintID && print.reader === at.reader);
  }
}

/** Returns every reader but the one at which the finger is captured. */
function targetsOf({ at, targets }: EnrolRequest, devices: Pick<DevicesApi, 'find'>) {
  return targets.flatMap(({ deviceId, readers }) => {
    const device = devices.find(deviceId);
    const others = [...new Set(readers)].filter(
      (reader) => device.id !== devices.find(at.deviceId).id || reader !== at.reader,
    );
    return others.length === 0 ? [] : [{ device, readers: others }];
  });
}

function ownResult(
  { employeeNo, fingerPrintID, at }: EnrolRequest,
  terminal: Device,
  clock: Clock,
): PrintResult {
  return {
    employeeNo,
    fingerPrintID,
    device: terminal.name,
    deviceId: terminal.id,
    reader: at.reader,
    status: 'taken',
    seen: true,
    says: createDetail('print-taken'),
    at: clock.now().toISOString(),
  };
}
