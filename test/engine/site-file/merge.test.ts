/** Merging of sites that two or three computers changed: the order does not matter, and nothing is lost. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashTemplate } from '#engine/template/versions.ts';
import { mergeSiteFile } from '#engine/site-file/merge.ts';
import type { SiteFileHead } from '#engine/site-file/read-lines.ts';
import { Stage } from '#engine/site-file/stage.ts';
import { writeRows } from '#engine/site-file/write-rows.ts';
import { openStore, type Columns, type Store } from '#engine/store/index.ts';
import { systemClock } from '#engine/host/clock.ts';

const SITE = { id: 's-harbour', name: 'Harbour' };
const AT = '2026-03-01T08:00:00.000Z';
const KINDS = { find: () => ({ schemas: () => ({ body: { parse: (body: unknown) => body } }) }) };
const VAULT = { seal: (text: string) => Buffer.from(text), open: (bytes: Uint8Array) => bytes.toString() };

type Computer = 'a' | 'b' | 'c';
/** Something that a person does at one of the computers. */
interface Deed {
  readonly at: Computer;
  readonly what:
    'name' | 'tags' | 'url' | 'remove' | 'add' | 'unit' | 'accept' | 'template' | 'look' | 'claim';
  readonly device: number;
  readonly value: number;
}

function openComputer(): Store {
  const store = openStore(':memory:', { clock: systemClock });
  store.insert('sites', { ...SITE, name_key: 'harbour', created_at: AT });
  for (const nth of [0, 1, 2]) addDevice(store, `d-${nth}`);
  store.insert('templates', { id: 't-1', name: 'Lanes', text: 'first', created_at: AT, updated_at: AT });
  addVersion(store, 1, AT, 'first');
  store.insert('jobs', {
    id: 'j-1',
    kind: 'apply',
    title: 'Lanes',
    about: '{}',
    body: '{}',
    state: 'partial',
    created_at: AT,
    by_user: 'anna',
    owner_process: 0,
    owner_engine: 'none',
    options: '{}',
  });
  for (const position of [0, 1, 2]) {
    const device = { device_id: `d-${position}`, name: 'Lane', url: `http://10.0.0.${position}` };
    store.insert('job_devices', {
      ...{ job_id: 'j-1', position, ...device, state: 'pending', document: '{}' },
      ...{ open_reason: 'away', open_since: AT },
      // Each computer opened one file that hands the work over.
      work_owner: JSON.stringify({ id: 'file-0', name: 'Harbour', at: AT }),
    });
    store.insert('job_units', { job_id: 'j-1', position, idx: 0, label: 'Section', detail: '{}' });
  }
  return store;
}

function addDevice(store: Store, id: string): void {
  const address = 1 + Number(id.slice(2));
  store.insert('devices', {
    id,
    name: id,
    url: `http://10.0.${address >> 8}.${address & 255}`,
    profile: '{"pathPrefix":"/API","auth":"auto","deadlineMs":10000,"inFlight":2}',
    added_at: AT,
    site_id: SITE.id,
  });
}

function addVersion(store: Store, version: number, at: string, text: string): void {
  store.insert('template_versions', {
    template_id: 't-1',
    version,
    saved_at: at,
    by_user: 'anna',
    hash: hashTemplate(text),
    name: 'Lanes',
    text,
  });
}

function act(store: Store, { what, device, value }: Deed, nth: number): void {
  const id = `d-${device}`;
  const at = new Date(Date.parse(AT) + 1_000 * (1 + nth)).toISOString();
  switch (what) {
    case 'name':
      store.update('devices', { name: `Gate ${value}` }, { id });
      break;
    case 'tags':
      store.update('devices', { tags: JSON.stringify([`tag ${value}`]) }, { id });
      break;
    case 'url':
      store.update('devices', { url: `http://10.9.${nth}.${value}` }, { id });
      break;
    case 'remove':
      store.remove('devices', { id });
      break;
    case 'add':
      addDevice(store, `d-${100 + nth}`);
      break;
    case 'unit': {
      const done = {
        phase: 'settled',
        outcome: value % 2 === 0 ? 'effective' : 'ignored',
        result_at: at,
        intent_at: at,
      };
      store.run('UPDATE job_units SET attempts = attempts + 1 WHERE position = ?', device);
      store.update('job_units', done, { job_id: 'j-1', position: device, idx: 0 });
      store.update('job_devices', { state: 'done' }, { job_id: 'j-1', position: device });
      break;
    }
    case 'accept':
      store.insert('accepted_values', {
        id: `a-${nth}`,
        device_id: id,
        section: 'thermal.thermometryBasic',
        params: '{}',
        value: String(value),
        at,
        by_user: 'anna',
        reason: 'agreed',
      });
      break;
    case 'template': {
      const last = store.get<{ readonly version: number }>(
        'SELECT max(version) AS version FROM template_versions',
      );
      addVersion(store, (last?.version ?? 0) + 1, at, `text ${value}`);
      store.update('templates', { text: `text ${value}`, updated_at: at }, { id: 't-1' });
      break;
    }
    case 'claim':
      // The work was handed over before; this computer opened the file.
      store.update(
        'job_devices',
        { work_owner: JSON.stringify({ id: `f-${value % 3}`, name: 'ben', at, handedAt: AT }) },
        { job_id: 'j-1', position: device },
      );
      break;
    case 'look':
      store.insert(
        'agreement_looks',
        { device_id: id, tried_at: at, read_at: at, unseen: value, differences: '[]' },
        'replace',
      );
      break;
  }
}

/** Merges the site of one computer into another, as by a file. */
async function merge(into: Store, from: Store): Promise<ReturnType<typeof mergeSiteFile>> {
  const me = { id: 'f-0', name: 'anna', at: AT };
  const head = {
    id: 'file',
    site: SITE,
    by: 'anna',
    folder: 'f',
    at: AT,
    secrets: false,
    handsOver: false,
  } as SiteFileHead;
  const stage = new Stage({ store: into, vault: VAULT, kinds: KINDS as never });
  stage.begin(head);
  const view = { all: from.all, iterate: from.all, close: () => undefined };
  const rows = writeRows({ view, vault: VAULT, siteId: SITE.id, secrets: false, folder: me.id, owner: me });
  for await (const chunk of rows)
    for (const line of chunk.split('\n').filter((each) => each !== ''))
      stage.add(...(JSON.parse(line) as [string, unknown]));
  stage.finishDevices();
  return into.transaction(() => mergeSiteFile({ store: into, head, siteId: stage.siteId, me }));
}

const DUMPED = {
  devices: 'id, name, url, kinds, tags, profile, site_id',
  inventory_changes: 'entity, field, at, value',
  templates: 'id, name, text',
  template_versions: 'template_id, version, saved_at, hash, text',
  jobs: 'id, title',
  job_devices: 'job_id, position, device_id, state, work_owner',
  job_units: 'job_id, position, idx, phase, outcome, attempts, result_at',
  accepted_values: 'id, device_id, value',
  agreement_looks: 'device_id, tried_at, unseen',
};

const COPIED = ['sites', ...Object.keys(DUMPED)];

function dump(store: Store): string {
  return Object.entries(DUMPED)
    .map(
      ([table, columns]) =>
        `${table}\n${JSON.stringify(store.all(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`), null, 1)}`,
    )
    .join('\n');
}

const deeds = fc.array(
  fc.record<Deed>({
    at: fc.constantFrom('a', 'b', 'c'),
    what: fc.constantFrom(
      'name',
      'tags',
      'url',
      'remove',
      'add',
      'unit',
      'accept',
      'template',
      'look',
      'claim',
    ),
    device: fc.integer({ min: 0, max: 2 }),
    value: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 14 },
);

/** Three computers that began with the same site and did these deeds. */
function replay(done: readonly Deed[]): Record<Computer, Store> {
  const computers = { a: openComputer(), b: openComputer(), c: openComputer() };
  for (const [nth, deed] of done.entries()) act(computers[deed.at], deed, nth);
  return computers;
}

/** Merges copies of computers, one after the other, and returns what the last one holds. */
async function combine(
  computers: Readonly<Record<Computer, Store>>,
  order: readonly (readonly [Computer, Computer])[],
): Promise<string> {
  const copies = { a: copy(computers.a), b: copy(computers.b), c: copy(computers.c) };
  for (const [into, from] of order) await merge(copies[into], copies[from]);
  return dump(copies[order.at(-1)?.[0] ?? 'a']);
}

/** Copies what the tests write, row by row. */
function copy(store: Store): Store {
  const copied = openStore(':memory:', { clock: systemClock });
  for (const table of COPIED)
    for (const row of store.all<Columns>(`SELECT * FROM ${table}`)) copied.insert(table, row);
  return copied;
}

it('is commutative and associative', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (done) => {
      const computers = replay(done);
      const ab = await combine(computers, [['a', 'b']]);
      const ba = await combine(computers, [['b', 'a']]);
      expect(ba).toBe(ab);
      const left = await combine(computers, [
        ['a', 'b'],
        ['a', 'c'],
      ]);
      const right = await combine(computers, [
        ['b', 'c'],
        ['a', 'b'],
      ]);
      expect(right).toBe(left);
    }),
    { numRuns: 15 },
  );
});

it('loses nothing: each value, version, result and acceptance of either side is there', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (done) => {
      const computers = replay(done);
      const read = (store: Store) => ({
        changes: store
          .all('SELECT entity, field, at, value FROM inventory_changes')
          .map((row) => JSON.stringify(row)),
        accepted: store.all('SELECT id FROM accepted_values').map((row) => JSON.stringify(row)),
        versions: store.all('SELECT hash, saved_at FROM template_versions').map((row) => JSON.stringify(row)),
        tries: store.all<{ readonly tries: number }>(
          'SELECT attempts AS tries FROM job_units ORDER BY position',
        ),
      });
      const before = [read(computers.a), read(computers.b)];
      await merge(computers.a, computers.b);
      const after = read(computers.a);
      for (const side of before) {
        for (const part of ['changes', 'accepted', 'versions'] as const)
          expect(after[part]).toEqual(expect.arrayContaining(side[part]));
        for (const [nth, { tries }] of side.tries.entries())
          expect(after.tries[nth]?.tries).toBeGreaterThanOrEqual(Math.min(tries, 1));
      }
    }),
    { numRuns: 15 },
  );
});

// Would catch: two colleagues who both opened the hand-over, and a merge that lets both go on with its work.
it('of two who took the work from one hand-over the first does it, and each sees that the other took it', async () => {
  const { a, b } = replay([
    { at: 'b', what: 'claim', device: 1, value: 1 },
    { at: 'a', what: 'claim', device: 1, value: 0 },
  ]);
  const copied = { a: copy(a), b: copy(b) };
  const atA = await merge(a, b);
  const atB = await merge(copied.b, copied.a);
  const readOwner = (store: Store): unknown =>
    store.get("SELECT work_owner ->> '$.id' AS id FROM job_devices WHERE position = 1");

  expect([readOwner(a), readOwner(copied.b)]).toEqual([{ id: 'f-1' }, { id: 'f-1' }]);
  expect(atA.conflicts).toMatchObject([{ what: 'work', name: 'Lane', kept: 'file' }]);
  expect(atB.conflicts).toMatchObject([{ what: 'work', name: 'Lane', kept: 'here' }]);
});

// Would catch: a replaced device that only the computer knows that replaced it, or whose sign-in goes along.
it('carries replaced devices and rules of proposals, and no device is both replaced and in the list', async () => {
  const { a, b, c } = replay([]);
  a.remove('devices', { id: 'd-0' });
  const profile = { pathPrefix: '/API', auth: 'auto', deadlineMs: 10_000, inFlight: 2 };
  const record = {
    ...{ id: 'd-0', name: 'Lobby', url: 'http://10.0.0.1', kinds: ['gate'], tags: [], profile, strength: 0 },
    ...{ siteId: SITE.id, credentialId: 'c-1', reach: 'unreachable', signIn: 'ok', addedAt: AT },
  };
  a.insert('archived_devices', {
    ...{ device_id: 'd-0', record: JSON.stringify(record), replaced_by: 'd-1', moved_work: '[]' },
    place_before: '{"name":"Spare","tags":[],"credentialId":"c-1"}',
    ...{ job_id: 'j-9', at: AT, by_user: 'anna' },
  });
  const rule = { id: 'p-1', template_id: 't-1', kind: 'gate', site_id: SITE.id, by_user: 'anna', at: AT };
  a.insert('proposal_rules', { ...rule, template_values: '{"distance":5}' });
  a.insert('proposal_answers', { rule_id: 'p-1', device_id: 'd-2', since: AT, at: AT, by_user: 'anna' });
  await merge(b, a);
  const read = (store: Store) => [
    store.all('SELECT device_id, replaced_by, record, place_before FROM archived_devices'),
    store.all('SELECT id, template_values FROM proposal_rules'),
    store.all('SELECT rule_id, device_id FROM proposal_answers'),
  ];
  const [archived, rules, answers] = read(b);
  // The device was changed here after it was replaced there: it stays.
  c.update('devices', { name: 'Still here' }, { id: 'd-0' });
  await merge(c, a);

  expect(archived).toMatchObject([{ device_id: 'd-0', replaced_by: 'd-1' }]);
  expect(JSON.stringify(archived)).not.toContain('c-1');
  expect(rules).toEqual([{ id: 'p-1', template_values: '{"distance":5}' }]);
  expect(answers).toEqual([{ rule_id: 'p-1', device_id: 'd-2' }]);
  expect(c.all('SELECT id FROM devices ORDER BY id')).toHaveLength(3);
  expect(read(c)[0]).toEqual([]);
});

it('is undone whole where a write of it fails', async () => {
  const { a, b } = replay([
    { at: 'b', what: 'name', device: 0, value: 1 },
    { at: 'b', what: 'unit', device: 1, value: 0 },
    { at: 'b', what: 'accept', device: 2, value: 3 },
  ]);
  const before = dump(a);
  a.run(
    "CREATE TEMP TRIGGER fails BEFORE INSERT ON main.accepted_values BEGIN SELECT raise(ABORT, 'full'); END",
  );
  await expect(merge(a, b)).rejects.toThrow();

  expect(dump(a)).toBe(before);
});
