/** Lists changed in part, on every setting that has one: nothing else of the document changes, twice is once, and it can be undone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeUndoneState } from '#engine/apply/undo/undo-state.ts';
import { completeLists } from '#engine/planning/pure/complete-lists.ts';
import { computeDesiredState, type DeviceState } from '#engine/planning/pure/desired.ts';
import {
  changeItems,
  encode,
  getFreeNumber,
  getPartKey,
  getValueAt,
  hasSharedKeys,
  listFieldsBelow,
  readPartKey,
  resources,
  rootField,
  setAt,
  type ListField,
} from '#protocol/index.ts';
import { fieldValue } from '#test/protocol/arbitrary.ts';
import { payloadOf, section, shows } from './documents.ts';

interface Place {
  readonly set: string;
  readonly path: string;
  readonly list: ListField;
}
/** Lists outside of other lists. */
const PLACES: readonly Place[] = resources.flatMap(({ name, put }) =>
  [{ field: rootField(put.request), path: '' }, ...listFieldsBelow(rootField(put.request))].flatMap(
    ({ field, path }): Place[] =>
      field.kind === 'list' && getPartKey(field) !== undefined && !path.includes('[')
        ? [{ set: name, path, list: field }]
        : [],
  ),
);

const KEYS = ['1', '2', '3', '4'];
/** An item of one of four keys. */
function item(list: ListField): fc.Arbitrary<unknown> {
  const key = getPartKey(list) ?? '';
  const field = listFieldsBelow(list.item).find(({ path }) => path === key)?.field;
  const values = field?.kind === 'choice' ? field.options.slice(0, 4).map(({ value }) => value) : KEYS;
  return fc
    .tuple(fieldValue(list.item), fc.constantFrom(...values))
    .map(([made, value]) => setAt(made, key, field?.kind === 'int' ? Number(value) : value));
}
function distinct(list: ListField, items: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string | undefined>();
  return items.filter((one) => {
    const key = readPartKey(list, one);
    if (hasSharedKeys(list)) return true;
    return !seen.has(key) && seen.add(key);
  });
}
function items(list: ListField, minLength: number): fc.Arbitrary<readonly unknown[]> {
  return fc.array(item(list), { minLength, maxLength: 4 }).map((all) => distinct(list, all));
}
/** Numbers that a device gives its items. */
function numbered(list: ListField, all: readonly unknown[]): readonly unknown[] {
  const number = getFreeNumber(list);
  return number === undefined ? all : all.map((one, at) => setAt(one, number, at * 2 + 1));
}
const unnumbered = (list: ListField, all: readonly unknown[]): readonly unknown[] => {
  const number = getFreeNumber(list);
  return number === undefined ? all : all.map((one) => setAt(one, number, undefined));
};

function device({ set, path, list }: Place, held: readonly unknown[]): DeviceState {
  const text = encode(
    payloadOf(set),
    path === '' ? numbered(list, held) : setAt({}, path, numbered(list, held)),
  );
  return shows(set, text).state;
}
function changed(place: Place, wanted: readonly unknown[], removed: readonly number[], state: DeviceState) {
  const value = place.path === '' ? wanted : setAt({}, place.path, wanted);
  const asked = section(place.set, value, {
    change: [{ path: place.path, missing: 'add', removed }],
  });
  return computeDesiredState(payloadOf(place.set), completeLists(asked, state).patch, state);
}

it('there are lists to try it on (an empty table proves nothing)', () => {
  expect(PLACES.map(({ set }) => set)).toEqual(
    expect.arrayContaining([
      'events.thermometrySchedule',
      'events.severeHdFailureTrigger',
      'humanRecognition.regions',
      'passback.historyPlan',
    ]),
  );
});

describe.each(PLACES)('$set $path in part', (place) => {
  const { list, set } = place;
  const payload = payloadOf(set);

  it('changes the named keys alone, once and for all, and is taken back to the byte', () => {
    fc.assert(
      fc.property(items(list, 0), items(list, 1), fc.nat(3), (held, named, gone) => {
        const wanted = unnumbered(list, named);
        const key = getPartKey(list) ?? '';
        const last = wanted.length - 1;
        // Every now and then the last of them goes instead.
        const goes =
          gone === 0 &&
          wanted.every(
            (one, at) => at === last || readPartKey(list, one) !== readPartKey(list, wanted[last]),
          );
        const removed = goes ? [last] : [];
        const asked = goes
          ? wanted.map((one, at) => (at === last ? setAt({}, key, getValueAt(one, key)) : one))
          : wanted;
        const before = device(place, held);

        const once = changed(place, asked, removed, before);
        const after = shows(set, once.text).state;
        const twice = changed(place, asked, removed, after);
        const undone = computeUndoneState(payload, { before, ours: [after] }, after);

        const keys = new Set(asked.map((one) => readPartKey(list, one)));
        const others = (state: DeviceState): unknown =>
          ((getValueAt(state.value, place.path) ?? []) as readonly unknown[]).filter(
            (one) => !keys.has(readPartKey(list, one)),
          );
        expect(others(after)).toEqual(others(before));
        expect(twice.text).toBe(once.text);
        expect(twice.changes).toEqual([]);
        expect(undone.text).toBe(before.document.text);
      }),
      { numRuns: 60 },
    );
  });

  it('with what is there already, the document stays as it is', () => {
    fc.assert(
      fc.property(items(list, 1), (held) => {
        const before = device(place, held);
        const [first] = held;
        const same = unnumbered(list, held).filter(
          (one) => readPartKey(list, one) === readPartKey(list, first),
        );

        expect(changed(place, same, [], before).text).toBe(before.document.text);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a key that the device does not have', () => {
  const SET = 'events.thermometrySchedule';
  const state = shows(SET, '<Schedule><id>thermometry-1</id><TimeBlockList/></Schedule>').state;
  const ask = (missing: 'add' | 'refuse', removed: readonly number[] = []) =>
    completeLists(
      section(
        SET,
        { TimeBlockList: [{ dayOfWeek: 2 }] },
        { change: [{ path: 'TimeBlockList', missing, removed }] },
      ),
      state,
    );

  it('is added, or refused if the template says so; one that is to go is gone already', () => {
    expect(ask('add').issues).toEqual([]);
    expect(ask('refuse').issues).toMatchObject([{ code: 'not-allowed', detail: { id: 'device-lacks-key' } }]);
    expect(ask('refuse', [0]).issues).toEqual([]);
  });
});

describe('a change after ours', () => {
  const SET = 'events.thermometrySchedule';
  const block = (day: number, begin: string): string =>
    `<TimeBlock><dayOfWeek>${day}</dayOfWeek><TimeRange><beginTime>${begin}</beginTime><endTime>20:00:00</endTime></TimeRange></TimeBlock>`;
  const shown = (...blocks: readonly string[]) =>
    shows(SET, `<Schedule><id>thermometry-1</id><TimeBlockList>${blocks.join('')}</TimeBlockList></Schedule>`)
      .state;
  const [before, ours] = [
    shown(block(1, '08:00:00'), block(2, '08:00:00')),
    shown(block(1, '08:00:00'), block(2, '06:00:00')),
  ];
  const undo = (now: DeviceState) => computeUndoneState(payloadOf(SET), { before, ours: [ours] }, now);

  it('of another day stays when ours is undone (Wednesday lost, because Tuesday is taken back)', () => {
    const undone = undo(shown(block(1, '08:00:00'), block(2, '06:00:00'), block(3, '09:00:00')));

    expect(undone.conflicts).toEqual([]);
    expect(undone.text).toBe(
      shown(block(1, '08:00:00'), block(2, '08:00:00'), block(3, '09:00:00')).document.text,
    );
  });

  it('of the same day is a conflict', () => {
    expect(undo(shown(block(1, '08:00:00'), block(2, '07:00:00'))).conflicts).toEqual(['TimeBlockList']);
  });
});

describe('numbers of periods that are named by their day', () => {
  it('are those of the periods that they replace, then the lowest that are free', () => {
    const list = PLACES.find(({ set }) => set === 'passback.historyPlan')?.list;
    if (list === undefined) throw new Error('no plan');
    const on = (day: string, id?: number) => ({ id, ScheduleActionStartTime: { DayOfWeek: day } });

    const { items: whole } = changeItems(list, [on('Monday', 1), on('Tuesday', 5), on('Friday', 2)], {
      items: [on('Tuesday'), on('Tuesday'), on('Sunday')],
      removed: new Set(),
    });

    expect(whole).toMatchObject([
      on('Monday', 1),
      on('Tuesday', 5),
      on('Tuesday', 3),
      on('Friday', 2),
      on('Sunday', 4),
    ]);
  });
});
