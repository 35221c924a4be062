/**
 * One finger of one person, put on the reader of a terminal and brought to other readers. The interface has no operation
 * that captures a finger: the person enrols at the terminal itself, which is asked until it has the finger. The template
 * stays in memory. Whatever ends this early, the terminal is asked once more and put back to what it was.
 */
import { detailOf, say } from '../../../shared/details.ts';
import { userError } from '../../../shared/errors.ts';
import {
  wantsNewCapture,
  type EnrolEvent,
  type EnrolRequest,
  type PrintResult,
} from '../../../shared/prints.ts';
import type { Device } from '../../../shared/model.ts';
import type { Clock } from '../../api/host.ts';
import type { DevicesApi } from '../../api/routes.ts';
import type { DeviceClient, DeviceClients } from '../../device/client-types.ts';
import { NEVER, printsOn, removePrint, sendPrint, type HeldPrint } from './on-device.ts';
import type { Print } from './read-print.ts';

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
/** The terminal is put back whoever has left. */

export function createEnrolment(options: EnrolOptions) {
  const { devices, clients, clock } = options;
  /** Terminals at which somebody enrols: one finger at a time. */
  const busy = new Set<string>();

  return async function* enrol(request: EnrolRequest, signal: AbortSignal): AsyncGenerator<EnrolEvent> {
    const terminal = devices.find(request.at.deviceId);
    const targets = targetsOf(request, devices);
    if (busy.has(terminal.id)) throw userError('not-available', say('prints-busy', { name: terminal.name }));
    busy.add(terminal.id);
    const at = new Terminal(clients.get(terminal.id), request);
    /** Something may have come to the terminal that does not belong there yet. */
    let isOpen = false;
    let running: string | undefined;
    /** Nothing half done stays on the terminal, however long the reader of these events cares; false where it cannot be asked. */
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
          print = await at.captured(clock, until, signal);
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
          if (wantsNewCapture(result.status)) poor += 1;
          yield { type: 'result', result };
        }
        signal.throwIfAborted();
        running = undefined;
        if (poor === 0 || capture >= MOST_CAPTURES) break;
        // Only a new capture helps against poor quality: those that have the finger get the better one too.
        at.again(print);
      }
      isOpen = false;
      yield { type: 'ended' };
    } catch (thrown) {
      if (isOpen) {
        const isBack = await leave();
        // Who has left reads nothing any more.
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
  readonly #client: DeviceClient;
  readonly #request: EnrolRequest;
  before: HeldPrint | undefined;
  /** What is no new capture. */
  #known = '';

  constructor(client: DeviceClient, request: EnrolRequest) {
    this.#client = client;
    this.#request = request;
  }

  async look(signal: AbortSignal): Promise<void> {
    this.before = await this.#held(signal);
    this.#known = this.before?.fingerData ?? '';
  }

  /** The next finger has to be another capture than this. */
  again({ fingerData }: Print): void {
    this.#known = fingerData;
  }

  /** Resolves when the terminal has the finger; undefined where it has none in time. */
  async captured(clock: Clock, until: number, signal: AbortSignal): Promise<HeldPrint | undefined> {
    for (;;) {
      const held = await this.#held(signal);
      if (held !== undefined && held.fingerData !== '' && held.fingerData !== this.#known) return held;
      if (clock.now().getTime() >= until) return undefined;
      await clock.delay(POLL_MS, signal);
    }
  }

  /** Asked once more: a finger that came at the last moment does not stay. False where it cannot be asked any more. */
  async putBack(): Promise<boolean> {
    const { employeeNo, at } = this.#request;
    try {
      const now = await this.#held(NEVER);
      if (now === undefined || now.fingerData === this.before?.fingerData) return true;
      if (this.before === undefined || this.before.fingerData === '')
        await removePrint(this.#client, { ...now, employeeNo }, [at.reader]);
      else
        await sendPrint(this.#client, this.before, {
          signal: NEVER,
          readers: [at.reader],
          checkPerson: false,
        });
      return true;
    } catch {
      // Whoever enrols there next is told what it has.
      return false;
    }
  }

  async #held(signal: AbortSignal): Promise<HeldPrint | undefined> {
    const { employeeNo, fingerPrintID, at } = this.#request;
    const held = await printsOn(this.#client, { employeeNo, fingerPrintID, reader: at.reader }, signal);
    return held.find((print) => print.fingerPrintID === fingerPrintID && print.reader === at.reader);
  }
}

/** Every reader but the one where the finger is put on. */
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
    says: detailOf('print-taken'),
    at: clock.now().toISOString(),
  };
}
