/** Judgement of a transfer at one moment: never the word of the device over what was served. */
import { describe, expect, it } from 'vitest';
import { judge, MOST_ASKS, PATIENCE, type Judgement, type TransferLook } from '#engine/transfer/judge.ts';

const NOW = 10_000_000;
const CALM: TransferLook = {
  now: NOW,
  askedAt: NOW,
  asks: 1,
  servedBefore: false,
  complete: false,
  handedOver: false,
  requests: 1,
  open: 0,
  lastAt: NOW,
  examined: true,
  refused: false,
};

describe('a transfer', () => {
  const cases: readonly (readonly [string, Partial<TransferLook>, Judgement])[] = [
    ['is received when it was fetched and the device says so', { complete: true, percent: 100 }, 'received'],
    ['is not received on the word of the device', { percent: 100 }, 'wait'],
    [
      'that was not fetched and is said to be there is a lie',
      { percent: 100, lastAt: NOW - PATIENCE.quiet, askedAt: 0 },
      'lies',
    ],
    [
      'of which an earlier run served a part is not called a lie',
      { percent: 100, servedBefore: true, lastAt: NOW - PATIENCE.quiet, askedAt: 0 },
      'received-unseen',
    ],
    [
      'of which all was handed over is taken on the word of the device, and not as proved',
      { percent: 100, handedOver: true, lastAt: NOW - PATIENCE.quiet, askedAt: 0 },
      'received-unproved',
    ],
    [
      'of which all was handed over is not asked for again while the device may still write it',
      { percent: 99, handedOver: true, lastAt: NOW - PATIENCE.stall, askedAt: 0 },
      'wait',
    ],
    [
      'under way is waited for, whatever the device says',
      { open: 1, percent: 100, lastAt: 0, askedAt: 0 },
      'wait',
    ],
    [
      'that stays below 100 is stuck after a while',
      { complete: true, completeAt: NOW - PATIENCE.settle, percent: 99, percentAt: 0 },
      'stuck',
    ],
    [
      'that still moves below 100 is waited for',
      { complete: true, completeAt: 0, percent: 99, percentAt: NOW },
      'wait',
    ],
    [
      'nobody came for is examined first',
      { requests: 0, examined: false, askedAt: NOW - PATIENCE.firstCall },
      'examine',
    ],
    ['nobody came for is asked once more', { requests: 0, askedAt: NOW - PATIENCE.secondAsk }, 'ask'],
    [
      'nobody ever came for is given up',
      { requests: 0, asks: 2, askedAt: NOW - PATIENCE.neverCalled },
      'never-called',
    ],
    ['of an earlier run is not asked for at once', { requests: 0, asks: 0, servedBefore: true }, 'wait'],
    [
      'of an earlier run is asked for when the device does not come by itself',
      { requests: 0, asks: 0, servedBefore: true, askedAt: NOW - PATIENCE.firstCall },
      'ask',
    ],
    ['that stalls is asked for again', { lastAt: NOW - PATIENCE.stall, askedAt: 0 }, 'ask'],
    [
      'that stalls for good is given up',
      { lastAt: NOW - PATIENCE.stall, askedAt: 0, asks: MOST_ASKS },
      'stalled',
    ],
    ['of a device that is away is waited for', { awaySince: NOW - 1000, lastAt: 0, askedAt: 0 }, 'wait'],
    ['of a device that stays away has its turn another time', { awaySince: NOW - PATIENCE.away }, 'away'],
    [
      'that the device does not know any more is asked for again',
      { droppedSince: NOW - PATIENCE.dropped },
      'ask',
    ],
    [
      'that the device knows nothing of before it called is waited for',
      { requests: 0, droppedSince: NOW - PATIENCE.dropped },
      'wait',
    ],
    [
      'it would not be asked for is asked for longer',
      { requests: 0, refused: true, asks: MOST_ASKS, askedAt: NOW - PATIENCE.secondAsk },
      'ask',
    ],
  ];
  it.each(cases)('%s', (_name, look, expected) => {
    expect(judge({ ...CALM, ...look })).toBe(expected);
  });
});
