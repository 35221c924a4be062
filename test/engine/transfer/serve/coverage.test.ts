import { assert, array, integer, property, tuple, boolean } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Coverage, Delivery } from '#engine/transfer/serve/delivery.ts';

describe('coverage', () => {
  // Would catch: sums instead of spans, and every mistake at an edge.
  it('is what a set of bytes would be', () => {
    const step = tuple(boolean(), integer({ min: 0, max: 60 }), integer({ min: 0, max: 20 }));
    assert(
      property(array(step, { maxLength: 40 }), (steps) => {
        const coverage = new Coverage();
        const bytes = new Set<number>();
        for (const [adds, start, length] of steps) {
          for (let at = start; at < start + length; at += 1) {
            if (adds) bytes.add(at);
            else bytes.delete(at);
          }
          if (adds) coverage.add(start, start + length);
          else coverage.remove(start, start + length);
        }
        const spans = [...coverage];
        const covered = spans.flatMap(([start, end]) =>
          Array.from({ length: end - start }, (_, at) => start + at),
        );

        expect(covered).toEqual([...bytes].sort((one, other) => one - other));
        expect(coverage.size).toBe(bytes.size);
        expect(spans.every(([start], at) => start > (spans[at - 1]?.[1] ?? -1))).toBe(true);
      }),
    );
  });

  it('does not grow without end', () => {
    const coverage = new Coverage();

    for (let at = 0; at < 10_000; at += 1) coverage.add(at * 2, at * 2 + 1);

    expect(coverage.size).toBeLessThanOrEqual(4096);
  });
});

describe('delivery', () => {
  function delivery() {
    let now = 0;
    const made = new Delivery(100, () => now);
    return {
      made,
      pass: (start: number, end: number, until = end) => {
        const begun = made.begin([{ start, end }]);
        begun.sent(start, until);
        return begun;
      },
      at: (ms: number) => {
        now = ms;
      },
    };
  }

  it('is complete once every byte has arrived, in whatever order and however often', () => {
    const { made, pass } = delivery();

    pass(50, 100).arrived();
    const half = made.complete;
    pass(40, 60).arrived();
    pass(0, 40).arrived();

    expect([half, made.complete, made.bytes, made.requests, made.open]).toEqual([false, true, 100, 3, 0]);
  });

  // Would catch: what lay in the buffers of the system when the connection broke counted as delivered.
  it('takes what the device says it has, not what was sent', () => {
    const { made, pass } = delivery();

    pass(0, 100, 80).lost();
    const before = made.bytes;
    const next = pass(60, 100, 60);
    const after = made.bytes;
    next.sent(60, 100);
    next.arrived();

    expect([before, after, made.complete]).toEqual([80, 60, true]);
  });

  it('is not complete while the last answer may have been lost', () => {
    const { made, pass } = delivery();

    pass(0, 100).lost();

    expect([made.bytes, made.complete]).toEqual([100, false]);
  });

  it('begins anew with a device that does, until it was complete', () => {
    const { made, pass } = delivery();

    pass(0, 50).arrived();
    const again = pass(0, 100, 10);
    const bytes = made.bytes;
    again.sent(10, 100);
    again.arrived();
    pass(0, 100, 5).lost();

    expect([bytes, made.complete, made.bytes]).toEqual([10, true, 100]);
  });

  it('tells the rate of the last seconds, and none where nothing went', () => {
    const { made, pass, at } = delivery();

    const begun = pass(0, 100, 0);
    at(1000);
    begun.sent(0, 10);
    at(3000);
    begun.sent(10, 30);
    const rate = made.rate;
    at(10_000);

    expect([rate, made.rate]).toEqual([10, 0]);
  });
});
