import type { EnrolRequest } from '#shared/contract/fingerprints.ts';
import { describe, expect, it } from 'vitest';
import type { EnrolEvent } from '#shared/people/fingerprints.ts';
import { never } from '../site-engine.ts';
import { openPrintSite, tracesOfPrints, type PrintSite } from './site-with-prints.ts';

const QUERY = 'accessControl.fingerprints.query';

/**
 * Returns a request to enrol finger 3 of person 1005, put on reader 1 of the first gate, for both readers of
 * both gates.
 */
function request({ ids }: PrintSite, more: Partial<EnrolRequest> = {}): EnrolRequest {
  const [first = '', second = ''] = ids;
  return {
    employeeNo: '1005',
    fingerPrintID: 3,
    at: { deviceId: first, reader: 1 },
    targets: [
      { deviceId: first, readers: [1, 2] },
      { deviceId: second, readers: [1, 2] },
    ],
    ...more,
  };
}

async function all(
  at: PrintSite,
  wanted: EnrolRequest,
  onEvent: (event: EnrolEvent) => void = () => undefined,
  signal = never,
): Promise<readonly EnrolEvent[]> {
  const events: EnrolEvent[] = [];
  for await (const event of at.engine.prints.enrol(wanted, signal)) {
    events.push(event);
    onEvent(event);
  }
  return events;
}
const types = (events: readonly EnrolEvent[]) => events.map(({ type }) => type);
const results = (events: readonly EnrolEvent[]) =>
  events.flatMap((event) =>
    event.type === 'result' ? [[event.result.device, event.result.reader, event.result.status]] : [],
  );

describe('a finger that is put on at a terminal', () => {
  // Would catch: a capture that does not reach the others, one that stalls after the first, or a template that stays behind.
  it('goes to every other reader, and the next person follows', async () => {
    const at = await openPrintSite();
    const [first, second] = at.site.devices.map(({ name }) => name);
    const given: string[] = [];

    for (const employeeNo of ['1005', '1006']) {
      const events = await all(at, request(at, { employeeNo }), ({ type }) => {
        if (type === 'waiting') given.push(at.readers(0).present(employeeNo, 3));
      });

      expect(types(events)).toEqual([
        ...['waiting', 'captured', 'result', 'sending', 'result', 'result', 'result', 'ended'],
      ]);
      expect(results(events)).toEqual(
        expect.arrayContaining([
          [first, 1, 'taken'],
          [first, 2, 'taken'],
          [second, 1, 'taken'],
          [second, 2, 'taken'],
        ]),
      );
    }

    expect(at.readers(1).find('1006', 2, 3)).toMatchObject([{ fingerData: given[1] }]);
    expect(tracesOfPrints(at.dataDir, given)).toEqual([]);
  });

  // Would catch: poor quality that is given up, or tried again with the same capture.
  it('is put on anew where a reader finds it too poor', async () => {
    const at = await openPrintSite();
    at.site.device(1).setFault('poor-quality', 1, { times: 1, reader: 2 });
    const given: string[] = [];

    const events = await all(at, request(at), ({ type }) => {
      if (type === 'waiting') given.push(at.readers(0).present('1005', 3));
    });

    expect(events.filter(({ type }) => type === 'waiting')).toMatchObject([{ capture: 1 }, { capture: 2 }]);
    expect(at.readers(1).find('1005', 2, 3)).toMatchObject([{ fingerData: given[1] }]);
    expect(types(events).at(-1)).toBe('ended');
  });

  // Would catch: a full or an old reader that is asked for ever.
  it.each(['reader-full', 'reader-old'])('is not put on anew for %s', async (fault) => {
    const at = await openPrintSite();
    at.site.device(1).setFault(fault, 1);

    const events = await all(at, request(at), ({ type }) => {
      if (type === 'waiting') at.readers(0).present('1005', 3);
    });

    expect(types(events).filter((type) => type === 'waiting')).toHaveLength(1);
    expect(at.site.device(1).requests.filter(({ told }) => told !== undefined)).toHaveLength(1);
  });

  it('is told where it is there already, and taken as it is where somebody says so', async () => {
    const at = await openPrintSite();
    const given = at.readers(0).present('1005', 3);

    const told = await all(at, request(at));
    const taken = await all(at, request(at, { anew: false }));

    expect(types(told)).toEqual(['there']);
    expect(types(taken)).not.toContain('waiting');
    expect(at.readers(1).find('1005', 1, 3)).toMatchObject([{ fingerData: given }]);
  });
});

describe('an enrolment that is left', () => {
  // Would catch: a finger that stays on the terminal although the enrolment was cancelled, and a terminal
  // that stays busy.
  it('takes back what came at the last moment, and frees the terminal', async () => {
    const at = await openPrintSite();
    const left = new AbortController();

    await expect(
      all(
        at,
        request(at),
        ({ type }) => {
          if (type !== 'captured') at.readers(0).present('1005', 3);
          if (type === 'captured') left.abort();
        },
        left.signal,
      ),
    ).rejects.toThrow();

    expect(at.readers(0).find('1005', undefined, 3)).toEqual([]);
    expect(at.readers(1).find('1005', undefined, 3)).toEqual([]);
    const again = await all(at, request(at), ({ type }) => {
      if (type === 'waiting') at.readers(0).present('1005', 3);
    });
    expect(types(again).at(-1)).toBe('ended');
  });

  it('puts a finger back that was there before', async () => {
    const at = await openPrintSite();
    const before = at.readers(0).present('1005', 3);
    const left = new AbortController();

    await all(
      at,
      request(at, { anew: true }),
      ({ type }) => {
        if (type === 'waiting') {
          at.readers(0).present('1005', 3);
          left.abort();
        }
      },
      left.signal,
    ).catch(() => undefined);

    expect(at.readers(0).find('1005', 1, 3)).toMatchObject([{ fingerData: before }]);
  });

  it('ends by itself where nobody comes', async () => {
    const at = await openPrintSite({ devices: 1 });
    const events: EnrolEvent[] = [];

    await expect(
      all(at, request(at, { targets: [], waitSeconds: 1 }), (event) => events.push(event)),
    ).rejects.toMatchObject({ shape: { code: 'timeout', detail: { id: 'prints-capture-late' } } });
    expect(events.at(-1)).toEqual({ type: 'left', isBack: true });
  });

  // Would catch: "put back to what it was" of a terminal that could not be asked any more, or that never was
  // asked.
  it('says where the terminal could not be put back', async () => {
    const at = await openPrintSite({ devices: 1 });
    const events: EnrolEvent[] = [];
    const ended = async (onEvent: (event: EnrolEvent) => void) => {
      events.length = 0;
      await expect(
        all(at, request(at, { targets: [] }), (event) => {
          events.push(event);
          onEvent(event);
        }),
      ).rejects.toMatchObject({ shape: { source: 'device' } });
      return events.slice();
    };

    const gone = await ended(({ type }) => {
      if (type === 'waiting') void at.site.device(0).unplug();
    });
    expect(gone.at(-1)).toEqual({ type: 'left', isBack: false });

    expect(await ended(() => undefined)).toEqual([]);
  });

  // Would catch: "put back to what it was" of a terminal that refused to remove the finger, or said yes and kept it.
  it.each(['refused', 'ignored'])('says where the terminal kept the finger: %s', async (fault) => {
    const at = await openPrintSite({ devices: 1 });
    at.site.device(0).setFault(fault, 1, { operation: 'accessControl.fingerprints.setUp' });
    const events: EnrolEvent[] = [];

    await expect(
      all(at, request(at, { targets: [] }), (event) => {
        events.push(event);
        if (event.type === 'waiting')
          at.site.device(0).setFault('malformed', 1, { operation: QUERY, times: 1 });
        if (event.type === 'waiting') at.readers(0).present('1005', 3);
      }),
    ).rejects.toMatchObject({ shape: { source: 'device' } });

    expect(events.at(-1)).toEqual({ type: 'left', isBack: false });
  });

  it('lets one at a time enrol at a terminal', async () => {
    const at = await openPrintSite();
    const first = at.engine.prints.enrol(request(at), never)[Symbol.asyncIterator]();
    await first.next();

    await expect(all(at, request(at))).rejects.toMatchObject({ shape: { code: 'not-available' } });
    await first.return?.();
  });
});
