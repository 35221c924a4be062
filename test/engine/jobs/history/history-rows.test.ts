/**
 * The history of the journal, on a real database and without a device: authors, times, every row once, and
 * the search.
 */
import type { HistoryQuery } from '#shared/contract/inputs.ts';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHistory, exportText } from '#engine/jobs/history/history.ts';
import { createJobKinds, type JobKind, type NewDevice } from '#engine/jobs/job-kind.ts';
import { createJobRows } from '#engine/jobs/job-rows.ts';
import { Journal } from '#engine/jobs/journal.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import { createDetail, say } from '#shared/details.ts';
import { toErrorShape, userError } from '#shared/errors.ts';
import type { JobAbout, UnitResult } from '#shared/model.ts';

const any = z.looseObject({});
const bare: JobKind = {
  ...{ name: 'bare', whenBusy: 'wait', interrupted: 'unknown' },
  schemas: () => ({ body: any, device: any, detail: any, unit: any }),
  resume: () => [],
};
interface Detail {
  readonly word?: string;
  readonly changes?: readonly object[];
}
const full: JobKind = {
  ...{ ...bare, name: 'full' },
  history: {
    words: (detail: Detail) => detail.word ?? '',
    rows: ({ changes = [] }: Detail) => changes,
  },
};
const wordless: JobKind = { ...bare, name: 'wordless', history: { rows: () => [] } };
const kinds = createJobKinds([bare, full, wordless]);
const owner = { process: 1, engine: 'e' };
const at = (minute: number): string => `2030-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

let store: Store;
let journal: Journal;
beforeEach(() => {
  store = openStore(':memory:', { clock: { now: () => new Date(0), delay: () => Promise.resolve() } });
  journal = new Journal(store, { seal: () => new Uint8Array() }, kinds);
});
afterEach(() => store.close());
const history = () => createHistory(store, createJobRows(store, kinds), kinds);
const found = (query: HistoryQuery): readonly string[] =>
  history()
    .search(query)
    .jobs.map(({ id }) => id);
const exported = (query: HistoryQuery = {}): readonly Record<string, unknown>[] =>
  (
    JSON.parse([...history().parts({ query, format: 'json' })].join('')) as {
      rows: Record<string, unknown>[];
    }
  ).rows;
const table = (): readonly Record<string, string>[] =>
  parse([...history().parts({ query: {}, format: 'csv' })].join(''), { columns: true, bom: true });

const unit = (index: number, detail: Detail & Partial<UnitResult> = {}): UnitResult => ({
  ...{ index, label: `Unit ${index}`, outcome: 'pending' },
  ...detail,
});
const device = (name: string, ...units: readonly UnitResult[]): NewDevice => ({
  ...{ deviceId: `d-${name}`, name, url: `http://${name}`, state: 'done' },
  units: units.map((result) => ({ result })),
});
interface Made {
  readonly devices?: readonly NewDevice[];
  readonly minute?: number;
  readonly kind?: string;
  readonly title?: string;
  readonly about?: JobAbout;
}
function job(
  id: string,
  { devices = [device('gate')], minute = 0, kind = 'full', ...made }: Made = {},
): void {
  const { title = 'Work', about = {} } = made;
  const run = { kind: 'start', at: at(minute), by: 'Anna' } as const;
  journal.create({ id, kind, title, about, body: {}, options: {}, devices }, { owner, run, mayWait: true });
  journal.end({ id, state: 'done', endedAt: at(minute), results: [] });
}
const key = (jobId: string, index: number) => ({ jobId, position: 0, index });

describe('a row of the history', () => {
  // Would catch: one person's work shown as that of another who went on with the job; a time at which nothing
  // happened.
  it('tells who worked on the job when it came to be', async () => {
    const [first, second, third, fourth] = [0, 1, 2, 3].map((index) => unit(index));
    job('j-1', { devices: [device('gate', ...[first, second, third, fourth].flatMap((one) => one ?? []))] });
    journal.settled(key('j-1', 0), unit(0, { outcome: 'effective' }), at(5));
    const run = { kind: 'resume', at: at(10), by: 'Émile' } as const;
    journal.claim('j-1', { owner, run, runsBefore: 1, waiting: [], mayWait: true });
    journal.settled(key('j-1', 1), unit(1, { outcome: 'effective' }), at(10));
    await journal.intent(key('j-1', 2), unit(2), at(11));
    journal.flush();

    expect(exported().map(({ label, time, by, outcome }) => [label, time, by, outcome])).toEqual([
      ['Unit 0', at(5), 'Anna', 'effective'],
      ['Unit 1', at(10), 'Émile', 'effective'],
      ['Unit 2', at(11), 'Émile', 'pending'],
      ['Unit 3', at(0), 'Anna', 'pending'],
    ]);
  });

  // Would catch: a device that could not be worked on and is not in the history at all; its error twice, or nowhere.
  it('is there for a device that had no work, or was left early, too', () => {
    const { shape } = userError('timeout', say('device-gone'));
    const changes = [{ path: 'a', from: 1, to: 2 }, { path: 'b' }];
    job('j-1', {
      devices: [
        {
          ...device('left', unit(0, { changes, outcome: 'failed', error: shape })),
          state: 'failed',
          error: shape,
        },
        device('none'),
        device('well', unit(0)),
      ],
      about: { template: { name: 'Doors', hash: 'h', id: 't-1', version: 2 } },
    });
    const well = unit(0, { outcome: 'effective', note: 'settled-by-reading', progress: { done: 3 } });
    journal.settled({ jobId: 'j-1', position: 2, index: 0 }, well, at(0));
    journal.flush();
    const head = {
      time: at(0),
      job: 'j-1',
      kind: 'full',
      by: 'Anna',
      title: 'Work',
      template: 'Doors',
      version: 2,
    };
    const error = shape.message;
    const left = { ...head, device: 'left', url: 'http://left', outcome: 'failed', error };
    expect(exported()).toEqual([
      { ...left, label: 'Unit 0', path: 'a', from: 1, to: 2 },
      { ...left, label: 'Unit 0', path: 'b' },
      left,
      { ...head, device: 'none', url: 'http://none', outcome: 'done' },
      {
        ...{ ...head, device: 'well', url: 'http://well', label: 'Unit 0', outcome: 'effective' },
        ...{ note: 'settled-by-reading', done: 3 },
      },
    ]);
  });

  // Would catch: a history that cannot be read any more because a newer version wrote a line of it.
  it.each(['bare', 'wordless', 'later'])('of a job of the kind %s has what every unit has', (kind) => {
    job('j-1', { kind, devices: [device('gate', unit(0, { changes: [{}, {}], word: 'hidden' }))] });
    expect(exported()).toMatchObject([{ kind, label: 'Unit 0', outcome: 'pending' }]);
    expect(exported()[0]).not.toHaveProperty('template');
    expect(found({ text: 'unit 0' })).toEqual(['j-1']);
    expect(found({ text: 'hidden' })).toEqual([]);
  });

  // Would catch: a change to `false` or to nothing shown as none; numbers that a spreadsheet takes for text,
  // formulas that it runs.
  it('is a line of a table that a spreadsheet reads as it is', () => {
    const changes = [
      { from: true, to: false },
      { from: -5, to: '-5' },
      { from: null, to: { a: [1] } },
    ];
    job('j-1', { title: '=SUM(A1)', devices: [device('gate', unit(0, { changes }))] });
    expect(table().map(({ from, to }) => [from, to])).toEqual([
      ['true', 'false'],
      ['-5', "'-5"],
      ['', '{"a":[1]}'],
    ]);
    expect(table()[0]).toMatchObject({ title: "'=SUM(A1)", note: '', section: '' });
  });
});

describe('a long history', () => {
  const jobs = Array.from({ length: 201 }, (_, index) => `j-${index}`);
  const devices = Array.from({ length: 300 }, (_, index) => device(`many-${index}`));

  // Would catch: jobs or devices that are lost, or shown twice, at the border of two pages.
  it('is told whole, each once, the newest job first', () => {
    store.transaction(() => {
      job('j-many', { devices, minute: 1 });
      for (const id of jobs) job(id);
    });
    const parts = [...history().parts({ query: {}, format: 'csv' })];
    const rows = exported();
    expect(rows.map(({ job: id, device: name }) => `${id} ${name}`)).toEqual([
      ...devices.map(({ name }) => `j-many ${name}`),
      ...jobs.toReversed().map((id) => `${id} gate`),
    ]);
    // A header, then some rows at a time and none without any.
    expect(parts.map((part) => part.trim().split('\n').length)).toEqual([1, 500, 1]);
    expect(exported({ deviceId: 'd-many-77' })).toMatchObject([{ job: 'j-many', device: 'many-77' }]);

    expect(history().search({})).toMatchObject({ total: 202, next: `${at(0)}~104` });
    expect(found({})).toHaveLength(100);
    expect(found({ limit: 202 })).toHaveLength(202);
    expect(history().search({ limit: 202 })).not.toHaveProperty('next');
    for (const limit of [0, -3, 1.9]) expect(found({ limit })).toEqual(['j-many']);
  });

  it('has no empty part where its rows come out even', () => {
    job('j-1', { devices: [...devices, ...devices.slice(0, 200)] });
    expect([...history().parts({ query: {}, format: 'csv' })]).toHaveLength(2);
    expect([...history().parts({ query: { text: 'none' }, format: 'json' })].join('')).toBe(
      '{"fieldwright":"history/1","rows":[\n]}\n',
    );
  });

  // Would catch: a program that runs out of memory over an export it should have refused.
  it('that would not fit into memory is refused as one text', () => {
    const format = { format: 'json', at: new Date(Date.UTC(2030, 0, 2)) } as const;
    let asked = 0;
    function* endless() {
      const piece = 'x'.repeat(1024 * 1024);
      for (; asked < 100; asked += 1) yield piece;
    }
    expect(shapeOf(() => exportText(endless(), format))).toMatchObject({
      ...{ code: 'input-too-large', source: 'user' },
      detail: createDetail('too-much-history'),
    });
    expect(asked).toBe(64);
    expect(exportText(['a', 'b'], format)).toEqual({
      text: 'ab',
      fileName: 'fieldwright-history-2030-01-02.json',
    });
  });
});

describe('what is looked for', () => {
  // Would catch: filters that find nothing, or everything, because one that is empty counts.
  it('may be nothing in particular, or several states', () => {
    job('j-1');
    job('j-2', { kind: 'bare' });
    store.run("UPDATE jobs SET state = 'failed' WHERE id = 'j-2'");
    expect(found({ states: [], text: '  ' })).toEqual(['j-2', 'j-1']);
    expect(found({ states: ['failed', 'done'] })).toEqual(['j-2', 'j-1']);
    expect(found({ states: ['failed'] })).toEqual(['j-2']);
    expect(found({ kind: 'full' })).toEqual(['j-1']);
  });

  // Would catch: a name that is not found because it was typed on a Mac, or with a space after it.
  it('is found in any case, as composed letters or not, in the words of its kind', () => {
    job('j-1', { title: 'Café Ähre', devices: [device('Tür', unit(0, { word: 'Größe' }))] });
    job('j-2');
    for (const text of [' CAFÉ ', 'Cafe\u0301', 'tÜR', 'größE', 'UNIT 0'])
      expect(found({ text })).toEqual(['j-1']);
    expect(found({ text: 'anna' })).toEqual(['j-2', 'j-1']);
  });

  // Would catch: jobs found by letters that no word contains, because the end of one word was joined to the
  // next.
  it('is found in each word by itself', () => {
    job('j-1', { kind: 'wordless', devices: [device('gate', unit(0))] });
    for (const text of ['workanna', 'annaj-1', 'gatehttp', 'undefined']) expect(found({ text })).toEqual([]);
    expect(store.all('SELECT search_text AS text FROM jobs')).toEqual([{ text: 'work\nanna\nj-1\nunit 0' }]);
  });

  it.each([
    [{ from: `yesterday${' '.repeat(60)}` }, 'time-form-utc', { text: `yesterday${' '.repeat(41)}` }],
    [{ to: '' }, 'time-form-utc', { text: '' }],
    [{ after: `x${at(0)}~1` }, 'no-page'],
    [{ after: `${at(0)}~1 OR 1` }, 'no-page'],
    [{ after: `${at(0)}~` }, 'no-page'],
    [{ after: '' }, 'no-page'],
  ])('is refused where it is no such thing: %j', (query, id, values?: object) => {
    const shape = shapeOf(() => history().search(query));
    expect(shape).toMatchObject({ code: 'usage', source: 'user', detail: { id, ...(values && { values }) } });
    if (id === 'no-page') expect(shape).toHaveProperty('path', 'after');
  });
});

function shapeOf(throwing: () => unknown): unknown {
  try {
    return throwing();
  } catch (error) {
    return toErrorShape(error);
  }
}
