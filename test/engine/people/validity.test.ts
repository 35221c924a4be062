/** Open ends of a validity are those of each terminal; what it does not take is said before anything is sent. */
import { describe, expect, it } from 'vitest';
import {
  findUnsupportedEnd,
  completeValidity,
  SPECIFIED_SPAN,
  readSpan,
  normaliseOpenEnds,
} from '#engine/people/validity.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import type { CompareEvent } from '#shared/people/people.ts';
import { never, openSite, type TestSite } from '../site-engine.ts';
import { carriedOut, fileOf } from './people-work.ts';

const NARROW = { beginTime: '2000-01-01T00:00:00', endTime: '2036-12-31T23:59:59' };

describe('a validity as it is sent', () => {
  const END = '2030-06-30T23:59:59';
  it.each([
    ['an end alone', { enable: true, endTime: END }, {}, [NARROW.beginTime, END]],
    [
      'a begin alone',
      { enable: true, beginTime: '2026-01-01T00:00:00' },
      {},
      ['2026-01-01T00:00:00', NARROW.endTime],
    ],
    ['open ends', { enable: true, ...SPECIFIED_SPAN }, {}, [NARROW.beginTime, NARROW.endTime]],
    ['off', { enable: false }, {}, [NARROW.beginTime, NARROW.endTime]],
    [
      'off, with times that it does not take',
      { enable: false, beginTime: '1999-01-01T00:00:00', endTime: END },
      {},
      [NARROW.beginTime, END],
    ],
    [
      'a limit that stays',
      { enable: true, endTime: END },
      { enable: true, beginTime: '2026-01-01T00:00:00' },
      ['2026-01-01T00:00:00', END],
    ],
    [
      'a limit that did not count',
      { enable: true, endTime: END },
      { enable: false, beginTime: '2026-01-01T00:00:00' },
      [NARROW.beginTime, END],
    ],
    [
      'with an offset',
      { enable: true, endTime: `${END}+08:00` },
      {},
      [`${NARROW.beginTime}+08:00`, `${END}+08:00`],
    ],
    [
      'beyond the span',
      { enable: true, beginTime: '1999-01-01T00:00:00', endTime: END },
      {},
      ['1999-01-01T00:00:00', END],
    ],
  ])('%s', (_name, asked, shown, [beginTime, endTime]) => {
    expect(completeValidity(asked, shown, NARROW)).toMatchObject({ beginTime, endTime });
  });

  it('times of one form, where the person had another', () => {
    const shown = {
      enable: true,
      beginTime: '2026-01-01T00:00:00+08:00',
      endTime: '2027-01-01T00:00:00+08:00',
      timeType: 'UTC',
    };

    expect(completeValidity({ enable: true, endTime: END }, shown, NARROW)).toEqual({
      enable: true,
      beginTime: '2026-01-01T00:00:00',
      endTime: END,
      timeType: 'local',
    });
  });

  it('a span that is none is not believed', () => {
    const told = (begin: string, end: string) =>
      readSpan(
        new Map(
          Object.entries({ timeRangeBegin: begin, timeRangeEnd: end }).map(([name, text]) => [
            `Valid.${name}`,
            { state: 'reported', text },
          ]),
        ),
      );

    expect(told('2000-01-01T00:00:00', '2036-12-31')).toEqual(NARROW);
    expect(told('1900-01-01', '2099-12-31')).toEqual(SPECIFIED_SPAN);
    expect(told('2038-01-01', '2000-01-01')).toEqual(SPECIFIED_SPAN);
    expect(told('soon', '')).toEqual(SPECIFIED_SPAN);
  });

  it('open ends of terminals with other spans are the same', () => {
    const other = { ...SPECIFIED_SPAN, enable: true };

    expect(normaliseOpenEnds({ enable: true, ...NARROW }, NARROW)).toEqual(other);
    expect(findUnsupportedEnd({ beginTime: '1999-01-01T00:00:00', endTime: END }, NARROW)).toBe('beginTime');
  });
});

let at: TestSite;
const people = (site: TestSite, device = 0) => site.site.device(device).part(PEOPLE);
async function narrow(devices = 1): Promise<TestSite> {
  at = await openSite({ kinds: ['gate'], devices });
  people(at).setLimits({ span: { begin: NARROW.beginTime, end: NARROW.endTime } });
  return at;
}

describe('a terminal with a span of its own', () => {
  // Would catch: a table with an end alone that every terminal of the new series refuses.
  it('takes people with an end alone, without limits, and with the validity off', async () => {
    const site = await narrow();
    const table =
      'employeeNo,name,validUntil,limitValidity\n7001,A,2030-06-30,\n7002,B,,\n7003,C,,no\n7004,D,2037-12-31 23:59:59,\n';

    const { rows } = await carriedOut(site, fileOf(table));

    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done']);
    expect(people(site).recordOf('7004')).toMatchObject({ Valid: { enable: true, ...NARROW } });
  });

  it('decides itself about a validity beyond it, of which the plan warns', async () => {
    const site = await narrow();

    const { plan, rows } = await carriedOut(site, fileOf('employeeNo,name,validFrom\n7001,A,1999-01-01\n'));

    expect(plan.devices[0]?.notes).toContainEqual({ id: 'people-claimed', values: { count: 1 } });
    expect(rows[0]).toMatchObject({ outcome: 'refused' });
  });

  // Would catch: a copy that the other terminal refuses, or a comparison that calls every person another.
  it('gets open ends from others as its own, and then compares as the same', async () => {
    const site = await narrow(2);
    const [to = '', from = ''] = site.ids;
    for (const [number, Valid] of [
      ['7001', { enable: true, ...SPECIFIED_SPAN, timeType: 'local' }],
      [
        '7002',
        {
          enable: true,
          beginTime: SPECIFIED_SPAN.beginTime,
          endTime: '2030-01-01T00:00:00',
          timeType: 'local',
        },
      ],
    ] as const)
      people(site, 1).put(number, { employeeNo: number, name: number, userType: 'normal', Valid }, true);

    const { rows } = await carriedOut(
      { engine: site.engine, ids: [to] },
      { kind: 'copy', from, only: ['7001', '7002'], prints: false },
    );
    let compared: Extract<CompareEvent, { type: 'compared' }> | undefined;
    for await (const event of site.engine.people.compare({ deviceIds: site.ids }, never))
      if (event.type === 'compared') compared = event;

    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect(people(site).recordOf('7001')).toMatchObject({ Valid: { enable: true, ...NARROW } });
    const found = site.engine.people.compared({ id: compared?.id ?? '', text: '700', limit: 10 });
    expect(found.map(({ employeeNo, places }) => [employeeNo, ...places])).toEqual([
      ['7001', 'present', 'present'],
      ['7002', 'present', 'present'],
    ]);
  });
});

describe('a search that a terminal refuses', () => {
  // Would catch: a terminal whose people cannot be read because it takes 30 at a time and says so in other words.
  it.each([30, 10, 1])('is asked again, where it takes no more than %i at once', async (mostAsked) => {
    at = await openSite({ kinds: ['gate'] });
    people(at).setLimits({ mostAsked });
    const [deviceId = ''] = at.ids;
    const numbers = new Set<string>();

    for await (const event of at.engine.people.read({ deviceId }, never))
      if (event.type === 'people') for (const { employeeNo } of event.people) numbers.add(employeeNo);

    expect(numbers.size).toBe(people(at).count);
  });

  it.each([0, 1, 4])('finds the right people where it takes %i numbers in a list', async (mostNumbers) => {
    at = await openSite({ kinds: ['gate'] });
    people(at).setLimits({ mostNumbers });
    const table = ['1001', '1006', '7001', '1010', '1008', '1009'].map(
      (number) => `${number},New ${number}\n`,
    );

    const { plan, rows } = await carriedOut(at, fileOf(`employeeNo,name\n${table.join('')}`));

    expect(plan.devices[0]?.counts).toEqual({ changed: 5, added: 1 });
    expect(rows.every(({ outcome }) => outcome === 'done')).toBe(true);
  });
});
