import { describe, expect, it } from 'vitest';
import { MOST_ANSWERS, Shares, type Asking } from '#engine/transfer/serve/shares.ts';

/** `counts`: answers that each offer has, by the address of its device. */
function sharesOf(counts: Readonly<Record<string, number>>) {
  const clock = { now: 0 };
  const shares = new Shares(() => clock.now);
  const broken: string[] = [];
  const begun: Asking[] = [];
  const offers = new Map<string, object>();
  const ask = (peer: string): boolean => {
    const offer = offers.get(peer) ?? {};
    offers.set(peer, offer);
    const asking = { offer, peer, breakOff: () => void broken.push(peer) };
    begun.push(asking);
    return shares.begin(asking);
  };
  const taken = Object.entries(counts).flatMap(([peer, count]) =>
    Array.from({ length: count }, () => ask(peer)),
  );
  return { clock, shares, ask, broken, begun, taken };
}

const eight = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`greedy-${at}`, 8]));
const one = Object.fromEntries(Array.from({ length: MOST_ANSWERS }, (_, at) => [`device-${at}`, 1]));

describe('shares of answers', () => {
  it('end at so many of one offer, whatever room there is', () => {
    const { taken, broken } = sharesOf({ greedy: 16 });

    expect(taken.filter(Boolean)).toHaveLength(8);
    expect(broken).toEqual([]);
  });

  it('go from who has most and takes nothing to who has none', () => {
    const { clock, ask, broken } = sharesOf(eight);
    expect(ask('honest')).toBe(false);

    clock.now = 1_000;

    expect([ask('honest'), ask('honest-too')]).toEqual([true, true]);
    expect(broken).toEqual(['greedy-0', 'greedy-1']);
  });

  // Would catch: an honest device that is broken off in the middle of its only download.
  it('stay with who has one and takes from it, and go where it stands still for long', () => {
    const { clock, ask, shares, broken, begun } = sharesOf(one);
    clock.now = 14_000;
    for (const asking of begun.slice(1)) shares.moved(asking);
    expect(ask('honest')).toBe(false);

    clock.now = 15_000;

    expect(ask('honest')).toBe(true);
    expect(ask('another')).toBe(false);
    expect(broken).toEqual(['device-0']);
  });

  // Would catch: an address with an offer for each answer that keeps all other devices out.
  it('go from an address that has many offers', () => {
    let now = 0;
    const shares = new Shares(() => now);
    const broken: string[] = [];
    const ask = (peer: string) => shares.begin({ offer: {}, peer, breakOff: () => void broken.push(peer) });
    for (let at = 0; at < MOST_ANSWERS; at += 1) ask('greedy');

    now = 1_000;

    expect([ask('honest'), broken]).toEqual([true, ['greedy']]);
  });

  it('are free again when an answer ends', () => {
    const { ask, shares, begun } = sharesOf(one);
    shares.end(begun[3] as Asking);

    expect([ask('honest'), ask('another')]).toEqual([true, false]);
  });
});
