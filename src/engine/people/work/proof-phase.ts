/** Verifies the people sent to a device: reads them back and compares field by field. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { PATIENCE_MS } from '#engine/device/transport/patient-read.ts';
import { runInPool } from '#engine/async/pool.ts';
import type { Person } from '../person.ts';
import { openView, readLimits, type View } from '../view.ts';
import { proveRow } from './conclude-person.ts';
import { answerKind } from '#shared/error-meaning.ts';
import type { PrintsOfRemoved } from '#shared/people/people.ts';
import type { FingerprintsOfPeople } from '../fingerprints-of-people.ts';
import { UNPROVED, type Outcome, type PersonRow, type Settled } from './rows.ts';
import { readDueBatches, NEVER, type Phase } from './write-phase.ts';

/**
 * Checks all rows, waits, and checks late ones again; the waits (`PATIENCE_MS`) apply once per device. Throws what ends
 * the work on the device; rows without a result stay open.
 */
export async function provePeople(phase: Phase, which: readonly Outcome[] = UNPROVED): Promise<void> {
  const { rows, id, device, reach } = phase;
  if (rows.next(id, device, { after: 0, limit: 1, now: which }).length === 0) return;
  const proof = new Proof(phase, await openView(reach, (await readLimits(reach)).span), which);
  for (let round = 0; ; round += 1) {
    const delay = PATIENCE_MS[round];
    const late = await proof.look(delay === undefined);
    if (late === 0 || delay === undefined || phase.cancelled()) return;
    await reach.clock.delay(delay, reach.signal).catch(() => undefined);
  }
}

class Proof {
  readonly #phase: Phase;
  readonly #view: View;
  readonly #which: readonly Outcome[];
  readonly #prints: FingerprintsOfPeople;
  #done = 0;

  constructor(phase: Phase, view: View, which: readonly Outcome[]) {
    this.#phase = phase;
    this.#which = which;
    this.#view = view;
    this.#prints = phase.fingerprints(phase.reach);
  }

  /** Checks every unverified row once; returns how many may still be applied. `last`: this is the last check. */
  async look(last: boolean): Promise<number> {
    const { rows, id, device, progress } = this.#phase;
    let late = 0;
    for await (const batch of readDueBatches(this.#phase, this.#which)) {
      const shown = await this.#view.find(batch.map(({ key }) => key));
      const settled = (await this.#withPrints(batch, shown)).flatMap((due): Settled | [] => {
        const row = proveRow(due, shown.get(due.key), last);
        if (row === undefined || row.outcome === 'partly') late += 1;
        else this.#done += 1;
        return row === undefined ? [] : { nth: due.nth, ...removeUndefined({ result: due.result }), ...row };
      });
      rows.settle(id, device, settled);
      progress(this.#done);
    }
    return late;
  }

  /** Returns a batch of rows, with fingerprints of removed people checked again: some devices delete both together. */
  async #withPrints(
    batch: readonly PersonRow[],
    shown: ReadonlyMap<string, Person>,
  ): Promise<readonly PersonRow[]> {
    const again = batch.filter(({ key, result }) => !shown.has(key) && mayShowMore(result?.prints));
    const seen = new Map<number, PersonRow>();
    const look = async (due: PersonRow): Promise<void> => {
      const prints = await this.#prints.look(due.key, due.result?.prints);
      seen.set(due.nth, { ...due, result: { prints } });
    };
    const options = { concurrency: this.#phase.inFlight, signal: NEVER };
    for await (const _done of runInPool(again, look, options));
    return batch.map((due) => seen.get(due.nth) ?? due);
  }
}

/** Returns true if another check of the fingerprints may have a different result. */
function mayShowMore(prints: PrintsOfRemoved | undefined): prints is PrintsOfRemoved {
  return prints !== undefined && prints.state !== 'gone' && answerKind(prints.reason) !== 'lacks';
}
