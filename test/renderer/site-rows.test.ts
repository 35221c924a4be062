import { describe, expect, it, vi } from 'vitest';
import { createBatch } from '#renderer/client/batch.ts';
import { computeRowWindow, scrollTopFor } from '#renderer/components/ui/table/row-window.ts';
import { toNewDevice } from '#renderer/features/site/adding/add-found.ts';
import { createOrderedList } from '#renderer/features/site/list/ordered-list.ts';
import { filterRows, NO_FILTER, readQuery, toQuery } from '#renderer/features/site/list/row-filter.ts';
import { groupRows } from '#renderer/features/site/list/row-groups.ts';
import { findDropWidth, moveColumn, readColumns } from '#renderer/features/site/list/columns.ts';
import { createRowIndex } from '#renderer/features/site/list/row-index.ts';
import { createRowOrder } from '#renderer/features/site/list/row-order.ts';
import { createSightingBook } from '#renderer/features/site/discovery/sighting-book.ts';
import { findPresence, type ListRow } from '#renderer/features/site/list/site-rows.ts';
import { parseNumbers, checkRange } from '#renderer/features/site/discovery/sweep-fields.ts';
import { decodeFile } from '#shared/text/file-text.ts';
import type { Sighting } from '#shared/discovery.ts';
import { device } from './samples.ts';

function sighting(identity: string, more: Partial<Sighting> = {}): Sighting {
  return {
    identity,
    name: identity,
    url: `http://${identity}`,
    alternatives: [],
    addresses: [],
    via: 'sweep',
    seenVia: ['sweep'],
    state: 'present',
    conflicts: [],
    firstSeenAt: '2026-01-01T00:00:00Z',
    seenAt: '2026-01-01T00:00:00Z',
    ...more,
  };
}
const byName = createRowOrder({ key: 'name', descending: false }, () => '');
const keys = (rows: readonly { readonly key: string }[]): readonly string[] => rows.map(({ key }) => key);

describe('the list that stays sorted', () => {
  interface Entry {
    readonly key: string;
    readonly rank: number;
  }

  // Would catch: an entry lost, doubled or misplaced by changing it in place of sorting all again.
  it('equals a full sort after any changes', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const compare = (a: Entry, b: Entry): number => a.rank - b.rank || Number(a.key) - Number(b.key);
    const list = createOrderedList<Entry>(compare);
    const all = new Map<string, Entry>();

    for (let round = 0; round < 200; round += 1) {
      const changed = new Set(Array.from({ length: random(12) }, () => String(random(80))));
      const added = [...changed].filter(() => random(3) > 0).map((key) => ({ key, rank: random(20) }));
      for (const key of changed) all.delete(key);
      for (const entry of added) all.set(entry.key, entry);
      list.change(changed, added);
      expect(list.entries).toEqual([...all.values()].sort(compare));
    }
  });
});

describe('sightings of several searches', () => {
  // Would catch: a result of a sweep, found by address, beside the same device once it announces itself.
  it('joins what an earlier search knew by address only', () => {
    const book = createSightingBook();
    book.take([{ type: 'sighting', sighting: sighting('address:http://a', { url: 'http://a' }) }]);
    book.beginSearch();

    const changed = book.take([
      { type: 'sighting', sighting: sighting('serial:1', { url: 'https://a', alternatives: ['http://a'] }) },
    ]);

    expect([...book.all.keys()]).toEqual(['serial:1']);
    expect([...changed].toSorted()).toEqual(['address:http://a', 'serial:1']);
  });

  it('counts what is there, vanished and in conflict, whatever changes', () => {
    const book = createSightingBook();
    const b = sighting('b', { conflicts: [{ kind: 'address', with: 'a' }] });
    book.take([
      { type: 'sighting', sighting: sighting('a') },
      { type: 'sighting', sighting: b },
      { type: 'sighting', sighting: b },
    ]);
    book.take([
      { type: 'vanished', sighting: sighting('a', { state: 'vanished' }), reason: 'goodbye' },
      { type: 'merged', identity: 'gone', into: 'a' },
    ]);

    expect(book.counts).toEqual({ present: 1, vanished: 1, conflicts: 1 });
    expect([...book.clear()]).toEqual(['a', 'b']);
    expect(book.counts).toEqual({ present: 0, vanished: 0, conflicts: 0 });
  });
});

describe('inventory and sightings as one list', () => {
  function world() {
    const book = createSightingBook();
    const index = createRowIndex(book.all, byName);
    return {
      index,
      see: (...seen: Sighting[]) => {
        index.sightingsChanged(book.take(seen.map((each) => ({ type: 'sighting', sighting: each }))));
      },
      have: (...ids: string[]) => {
        index.devicesChanged(new Map(ids.map((id) => [id, device(id)])));
      },
    };
  }

  // Would catch: a known device shown as new, or a second row for one that moved.
  it('shows a known device in its own row, whatever its address', () => {
    const { index, see, have } = world();
    have('1');
    see(sighting('serial:1', { deviceId: '1' }), sighting('serial:2'));
    see(sighting('serial:1', { deviceId: '1', url: 'http://elsewhere', previousUrl: 'http://serial:1' }));

    expect(keys(index.rows)).toEqual(['1', 'found:serial:2']);
    expect(index.found).toBe(1);
    expect(index.sightingOf('1')?.previousUrl).toBe('http://serial:1');
  });

  // Would catch: the row of an added device coming after its sighting named it, so that both stay.
  it('joins a device that comes later than its sighting, also after the search is over', () => {
    const { index, see, have } = world();
    see(sighting('serial:1', { deviceId: '1' }), sighting('address:x', { url: device('2').url }));
    expect(index.found).toBe(2);

    have('1', '2');

    expect(keys(index.rows)).toEqual(['1', '2']);
    expect(index.isFound('address:x')).toBe(false);
  });

  it('gives a removed device back as found, and keeps the object of a row that did not change', () => {
    const { index, see, have } = world();
    have('1');
    see(sighting('serial:1', { deviceId: '1' }), sighting('serial:9'));
    const before = index.rows.find(({ key }) => key === 'found:serial:9');

    have();

    expect(keys(index.rows)).toEqual(['found:serial:1', 'found:serial:9']);
    expect(index.rows.find(({ key }) => key === 'found:serial:9')).toBe(before);
  });

  it('prefers the one that is there over the one that vanished', () => {
    const { index, see, have } = world();
    have('1');
    see(sighting('old', { deviceId: '1', state: 'vanished' }), sighting('now', { deviceId: '1' }));

    expect(index.sightingOf('1')?.identity).toBe('now');
  });
});

describe('filter and groups', () => {
  const row = (key: string, more: Parameters<typeof device>[1] = {}): ListRow => ({
    kind: 'device',
    key,
    seq: 0,
    device: device(key, more),
    sighting: undefined,
  });
  const found: ListRow = {
    kind: 'found',
    key: 'found:x',
    seq: 9,
    sighting: sighting('x', { previousUrl: 'http://10.7.7.7' }),
  };
  const rows = [row('1', { siteId: 's1', tags: ['north'] }), row('2'), found];

  it('keeps what was found in sight at any site, but not under a tag or a kind', () => {
    expect(keys(filterRows(rows, { ...NO_FILTER, sites: ['s1'] }))).toEqual(['1', 'found:x']);
    expect(keys(filterRows(rows, { ...NO_FILTER, sites: ['none'] }))).toEqual(['2', 'found:x']);
    expect(keys(filterRows(rows, { ...NO_FILTER, tags: ['north'] }))).toEqual(['1']);
    expect(keys(filterRows(rows, { ...NO_FILTER, states: ['new'], search: '10.7.7' }))).toEqual(['found:x']);
  });

  const NONE = new Set<string>();

  it('puts found ones first, sites in their order, the rest last', () => {
    const sites = ['s2', 's1'];
    expect(keys(groupRows(rows, { by: 'site', sites, folded: NONE }))).toEqual([
      'heading:found',
      'found:x',
      'heading:site s1',
      '1',
      'heading:no-site',
      '2',
    ]);
    expect(keys(groupRows(rows.slice(0, 2), { by: 'none', sites, folded: NONE }))).toEqual(['1', '2']);
    expect(keys(groupRows(rows.slice(1, 2), { by: 'site', sites, folded: NONE }))).toEqual(['2']);
  });

  // Would catch: rows of one key, of which the page shows one; a group that loses its rows when it is folded away.
  it('shows a device below each of its tags, and keeps the rows of a folded group', () => {
    const tagged = [row('1', { tags: ['roof', 'lane'] }), row('2', { tags: ['roof'] })];
    const shown = groupRows(tagged, { by: 'tag', sites: [], folded: new Set(['heading:tag lane']) });

    expect(keys(shown)).toEqual(['heading:tag lane', 'heading:tag roof', '1 roof', '2']);
    expect(shown.map((each) => (each.kind === 'heading' ? each.members.length : 0))).toEqual([1, 2, 0, 0]);
    expect(new Set(keys(shown)).size).toBe(shown.length);
  });

  // Would catch: a link that loses a part of the filter, or one that breaks the list.
  it('is written into an address and read from it, whatever stands there', () => {
    const filter = {
      search: 'bay 2',
      kinds: ['thermal', 'gate'] as const,
      states: ['away'] as const,
      sites: ['s 1', 'none'],
      tags: ['lane,3', '屋顶'],
    };
    const query = toQuery(filter);

    expect(readQuery(query)).toEqual({ ...filter, kinds: ['gate', 'thermal'] });
    expect(toQuery(NO_FILTER)).toEqual({});
    expect(readQuery({ q: [null, 'x'], kind: 'toaster', state: null, tag: [null] })).toEqual({
      ...NO_FILTER,
      search: 'x',
    });
  });
});

describe('columns of the list', () => {
  // Would catch: a stored choice of another version that hides the state or breaks the list.
  it('are read from what was stored, whatever it is', () => {
    expect(readColumns(null)).toEqual(['address', 'kinds', 'tags', 'state']);
    expect(readColumns('site nonsense site state')).toEqual(['site', 'state']);
    expect(readColumns('')).toEqual(['state']);
  });

  it('go to the place of the one they are dropped on, in both directions', () => {
    const columns = ['address', 'kinds', 'tags', 'state'] as const;
    expect(moveColumn(columns, 'address', 'tags')).toEqual(['kinds', 'tags', 'address', 'state']);
    expect(moveColumn(columns, 'state', 'address')).toEqual(['state', 'address', 'kinds', 'tags']);
    expect(moveColumn(columns, 'site', 'address')).toEqual(columns);
  });

  it('leave a narrow window in the order in which they are missed least', () => {
    const columns = readColumns(null);
    const widths = columns.map((column) => findDropWidth(columns, column, 48));
    expect(widths).toEqual([588, 698, 888, 0]);
  });
});

describe('a found device to add', () => {
  it('is followed only where its identity is its own', () => {
    expect(toNewDevice(sighting('serial:1', { pathPrefix: '/X' }), { siteId: 's', tags: ['t'] })).toEqual({
      address: 'http://serial:1',
      name: 'serial:1',
      identity: 'serial:1',
      siteId: 's',
      tags: ['t'],
      profile: { pathPrefix: '/X' },
    });
    expect(toNewDevice(sighting('address:http://a'), { siteId: '', tags: [] })).toEqual({
      address: 'http://address:http://a',
    });
    expect(
      toNewDevice(sighting('name:a', { conflicts: [{ kind: 'identity', with: 'http://b' }] }), {
        siteId: '',
        tags: [],
      }),
    ).not.toHaveProperty('identity');
  });
});

describe('small parts', () => {
  it.each([
    ['', []],
    ['80, 443', [80, 443]],
    ['80;8080 1', [80, 8080, 1]],
    ['0', undefined],
    ['65536', undefined],
    ['80 http', undefined],
  ])('ports of %j: %j', (text, ports) => {
    expect(parseNumbers(text)).toEqual(ports);
  });

  // Would catch: the range found faulty only after the ports were mended, or one refused that the engine takes.
  it.each([
    ['192.168.1.0/24', undefined],
    ['192.168.1.77', undefined],
    [' 10.0.0.0/20 ', undefined],
    ['10.0.0.0/8', 'tooLarge'],
    ['10.0.0.0/19', 'tooLarge'],
    ['10.0.0/24', 'badRange'],
    ['10.0.0.256/24', 'badRange'],
    ['10.0.0.0/33', 'badRange'],
    ['10.0.0.0/', 'badRange'],
    ['fe80::/64', 'badRange'],
  ] as const)('says of the range "%s": %s', (range, fault) => {
    expect(checkRange(range)).toBe(fault);
  });

  it('shows the rows in sight and some beyond, and never more than there are', () => {
    expect(computeRowWindow({ top: 480, height: 480, rowHeight: 48, count: 1000 })).toEqual({
      first: 6,
      end: 24,
    });
    expect(computeRowWindow({ top: 4_800, height: 480, rowHeight: 48, count: 3 })).toEqual({
      first: 3,
      end: 3,
    });
    expect(scrollTopFor(0, { top: 96, height: 480, rowHeight: 48 })).toBe(0);
    expect(scrollTopFor(20, { top: 0, height: 480, rowHeight: 48 })).toBe(528);
    expect(scrollTopFor(5, { top: 0, height: 480, rowHeight: 48 })).toBeUndefined();
  });

  it('hands a flood over in parts', () => {
    vi.useFakeTimers();
    const parts: number[] = [];
    const batch = createBatch<number>(
      (items) => {
        parts.push(items.length);
      },
      { waitMs: 10, most: 4 },
    );
    for (let item = 0; item < 10; item += 1) batch.push(item);
    vi.advanceTimersByTime(100);
    vi.useRealTimers();

    expect(parts).toEqual([4, 4, 2]);
  });

  it('reads what spreadsheets save, and says where it guessed', () => {
    expect(decodeFile(Buffer.from('名称', 'utf8'))).toEqual({ text: '名称', guessed: false });
    expect(decodeFile(Uint8Array.of(0xc3, 0xfb, 0xb3, 0xc6), 'gb18030')).toEqual({
      text: '名称',
      guessed: true,
    });
    expect(decodeFile(Buffer.from('Tür', 'latin1'))).toEqual({ text: 'Tür', guessed: true });
  });
});

describe('what the search says beside how a device answers', () => {
  const NOW = Date.parse('2026-01-01T12:00:00Z');
  const shown = (reach: 'reachable' | 'unreachable', state: Sighting['state'], checkedAt: string) => {
    const row: ListRow = {
      kind: 'device',
      key: 'd',
      device: { ...device('d'), reach, checkedAt },
      sighting: sighting('d', { state }),
    } as ListRow;
    return findPresence(row, NOW);
  };

  it.each([
    ['unreachable', 'present', '2026-01-01T11:59:30Z', 'seen'],
    ['unreachable', 'present', '2026-01-01T08:00:00Z', 'seen'],
    ['reachable', 'vanished', '2026-01-01T11:59:30Z', undefined],
    ['reachable', 'present', '2026-01-01T11:59:30Z', 'present'],
    ['reachable', 'vanished', '2026-01-01T08:00:00Z', 'vanished'],
    ['unreachable', 'vanished', '2026-01-01T11:59:30Z', 'vanished'],
  ] as const)(
    '%s and %s, checked at %s: %s (Unreachable beside a green On the network)',
    (reach, state, at, expected) => {
      expect(shown(reach, state, at)).toBe(expected);
    },
  );
});
