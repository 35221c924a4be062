/**
 * Removes the fingerprints of people before the people themselves. They are deleted separately (part 2, 2.7): a terminal
 * may keep them when the person is removed.
 */
import { say } from '#shared/details.ts';
import { answerKind, mustStopDevice } from '#shared/error-meaning.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { PrintsOfRemoved } from '#shared/people/people.ts';
import { isGoodPrint } from '#shared/people/fingerprints.ts';
import type { FingerprintsOfPeople } from '../people/fingerprints-of-people.ts';
import type { Person } from '../people/person.ts';
import type { Reach } from '../people/view.ts';
import { queryFingerprints } from './on-device.ts';
import { EVERY_FINGER, remove } from './remove.ts';

export class RemovedFingerprints implements FingerprintsOfPeople {
  readonly #reach: Reach;
  /** Result if the account may not read fingerprints; no further request is made then. */
  #forbidden: PrintsOfRemoved | undefined;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  remove(employeeNo: string, shown: Person | undefined, before?: PrintsOfRemoved): Promise<PrintsOfRemoved> {
    return this.#ask(shown, before, async (removed) => {
      const { client, clock, signal, device } = this.#reach;
      const item = { nth: 0, employeeNo, fingerPrintID: EVERY_FINGER, fingerType: 'normalFP' };
      const told = shown?.value['numOfFP'];
      const count = typeof told === 'number' ? told : undefined;
      const { readers, error } = await remove({ client, device, clock, stopped: signal, item, count });
      const fingers = new Set(
        readers.filter(({ status }) => status === 'removed').map(({ finger }) => finger),
      );
      const all = removed + fingers.size;
      if (readers.every(({ status, seen }) => isGoodPrint(status) && seen === true))
        return { state: 'gone', removed: all };
      if (error !== undefined && readers.some(({ status }) => status === 'unknown'))
        return { state: 'not-looked-at', removed: all, reason: error };
      return { state: 'still-there', removed: all, reason: error ?? stillThere(device) };
    });
  }

  look(employeeNo: string, before?: PrintsOfRemoved): Promise<PrintsOfRemoved> {
    return this.#ask(undefined, before, async (removed) => {
      const { client, signal, device } = this.#reach;
      const held = await queryFingerprints(client, { employeeNo }, signal);
      if (held.length === 0) return { state: 'gone', removed };
      return {
        state: 'still-there',
        removed,
        reason: before?.state === 'still-there' ? before.reason : stillThere(device),
      };
    });
  }

  async #ask(
    shown: Person | undefined,
    before: PrintsOfRemoved | undefined,
    ask: (removed: number) => Promise<PrintsOfRemoved>,
  ): Promise<PrintsOfRemoved> {
    const removed = before?.removed ?? 0;
    // A device that reports a count of 0 need not be asked for fingerprints.
    if (shown?.value['numOfFP'] === 0) return { state: 'gone', removed };
    if (this.#forbidden !== undefined) return this.#forbidden;
    try {
      return await ask(removed);
    } catch (thrown) {
      const reason = toErrorShape(thrown);
      if (mustStopDevice(reason)) throw thrown;
      const unseen: PrintsOfRemoved = { state: 'not-looked-at', removed, reason };
      if (answerKind(reason) === 'no-permission') this.#forbidden = unseen;
      return unseen;
    }
  }
}

function stillThere(device: string): ErrorShape {
  return { code: 'refused', source: 'app', device, ...say('people-prints-still-there') };
}
