/** Looks at everybody a device said yes to: what it shows decides, field by field. */
import { detailOf, detailText, someOf } from '../../../shared/details.ts';
import type { ErrorShape } from '../../../shared/errors.ts';
import { differences, visible } from '../compare.ts';
import type { Person } from '../person.ts';
import { openView } from '../view.ts';
import type { PersonRow, Settled } from './rows.ts';
import { dueBatches, type Phase } from './write-phase.ts';

/** A device may take what it said yes to a moment later. */
const LOOK_AGAIN_MS = 500;

export async function provePeople(phase: Phase): Promise<void> {
  const { rows, id, device, reach } = phase;
  if (rows.next(id, device, { after: 0, limit: 1, now: ['sent'] }).length === 0) return;
  const view = await openView(reach);
  for await (const batch of dueBatches(phase, ['sent'])) {
    let settled = await look(batch);
    const late = new Set(settled.filter(({ outcome }) => outcome === 'ignored').map(({ nth }) => nth));
    if (late.size > 0) {
      await reach.clock.delay(LOOK_AGAIN_MS, reach.signal).catch(() => undefined);
      const again = new Map(
        (await look(batch.filter(({ nth }) => late.has(nth)))).map((each) => [each.nth, each]),
      );
      settled = settled.map((each) => again.get(each.nth) ?? each);
    }
    rows.settle(id, device, settled);
  }

  async function look(batch: readonly PersonRow[]): Promise<readonly Settled[]> {
    const shown = await view.find(batch.map(({ key }) => key));
    return batch.map((each) => ({ nth: each.nth, ...verdictOn(each, shown.get(each.key)) }));
  }
}

function verdictOn({ plan, secret }: PersonRow, shown: Person | undefined): Omit<Settled, 'nth'> {
  if (plan === 'removed')
    return shown === undefined
      ? { outcome: 'done' }
      : { outcome: 'ignored', error: ignored('people-still-there') };
  if (shown === undefined) return { outcome: 'ignored', error: ignored('people-not-there') };
  const changes = differences(secret()?.wanted ?? { value: {} }, shown);
  const seen = visible(changes);
  if (seen.length > 0) {
    const detail = detailOf('people-not-kept', { fields: someOf(seen.map(({ field }) => field)) });
    return {
      outcome: 'ignored',
      secret: { changes: seen },
      error: { code: 'refused', source: 'app', message: detailText(detail), detail },
    };
  }
  return { outcome: changes.length === 0 ? 'done' : 'accepted' };
}

function ignored(id: 'people-still-there' | 'people-not-there'): ErrorShape {
  const detail = detailOf(id);
  return { code: 'refused', source: 'app', message: detailText(detail), detail };
}
