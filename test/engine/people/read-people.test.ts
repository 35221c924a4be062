/**
 * People of a device are read once each, in spite of the device; its repetitions, losses and changes are
 * reported.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '#engine/index.ts';
import type { PeopleEnd } from '#engine/people/read-people.ts';
import { SeenNumbers } from '#engine/people/seen-numbers.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { startSite, type Site } from '#test/helpers/strict-site.ts';
import { startOddDevice } from '../odd-device.ts';
import { never, openSite, type TestSite } from '../site-engine.ts';
import { fileOf, planOf } from './people-work.ts';

let at: TestSite;
let big: Site | undefined;
afterEach(async () => {
  await big?.close();
  big = undefined;
});

async function gate(users: number): Promise<string> {
  at = await openSite({ kinds: ['gate'] });
  big = await startSite({ devices: 1, kinds: ['gate'], users });
  const [{ url, user, password } = { url: '', user: '', password: '' }] = big.devices;
  return at.engine.devices.addTransient({ url, userName: user, password }).id;
}

interface Read extends PeopleEnd {
  readonly numbers: readonly string[];
}

async function everybody(engine: Engine, deviceId: string): Promise<Read> {
  const numbers: string[] = [];
  const pages = engine.people.pages({ deviceId }, never);
  for (;;) {
    const step = await pages.next();
    if (step.done === true) return { ...step.value, numbers };
    numbers.push(...step.value.people.map(({ employeeNo }) => employeeNo));
  }
}

const ids = ({ notes }: PeopleEnd): readonly string[] => notes.map(({ id }) => id);

describe('people of a device', () => {
  // Would catch: a position that advances by what was asked for instead of by what came.
  it('come all, each once, although the device gives fewer at a time than asked', async () => {
    const id = await gate(95);

    const read = await everybody(at.engine, id);

    expect(new Set(read.numbers).size).toBe(95);
    expect(read).toMatchObject({ read: 95, total: 95, complete: true, notes: [] });
    const searches = big?.device(0).requests.filter(({ http, method }) => method === 'POST' && http === 200);
    expect(searches).toHaveLength(4);
  });

  it('are none where there is nobody', async () => {
    const id = await gate(0);

    expect(await everybody(at.engine, id)).toMatchObject({ read: 0, complete: true });
  });

  // Would catch: a reading that never ends.
  it('end where the device says MORE for ever', async () => {
    const id = await gate(70);
    big?.device(0).setFault('more-forever');

    const read = await everybody(at.engine, id);

    expect(new Set(read.numbers).size).toBe(70);
    expect(read.complete).toBe(false);
    expect(ids(read)).toContain('people-page-repeated');
  });

  it('are asked for again where a page is repeated once, and whole then', async () => {
    const id = await gate(100);
    big?.device(0).setFault('page-repeated', 1, { times: 2 });

    const read = await everybody(at.engine, id);

    expect(new Set(read.numbers).size).toBe(100);
    expect(read.numbers).toHaveLength(100);
    expect(ids(read)).toEqual(['people-asked-again']);
  });

  it.each([
    ['person-lost', 'people-twice'],
    ['total-changed', 'people-total-changed'],
    ['people-change', 'people-total-changed'],
  ])('are not called whole after %s', async (fault, note) => {
    const id = await gate(100);
    big?.device(0).setFault(fault, 1, { times: 1 });

    const read = await everybody(at.engine, id);

    expect(read.complete).toBe(false);
    expect(ids(read)).toContain(note);
  });

  // Would catch: the first page of a device that says neither what is to come nor how many, taken for everybody.
  it('come all from a device that does not say how many there are', async () => {
    const id = await gate(65);
    big?.device(0).setFault('totals-untold');

    const read = await everybody(at.engine, id);

    expect(new Set(read.numbers).size).toBe(65);
    expect(read.complete).toBe(true);
  });

  it('survive a busy device, a reset and a broken answer', async () => {
    const id = await gate(100);
    for (const fault of ['busy', 'reset', 'malformed'])
      big?.device(0).setFault(fault, 0.5, { times: 1, operation: 'accessControl.users.search' });

    expect(await everybody(at.engine, id)).toMatchObject({ read: 100, complete: true });
  });

  it('are fewer at a time on a smaller device', async () => {
    const id = await gate(25);
    big?.device(0).part(PEOPLE).setLimits({ page: 4 });

    expect(await everybody(at.engine, id)).toMatchObject({ read: 25, complete: true });
  });
});

describe('a search for many people at once', () => {
  const PEOPLE_THERE = Array.from({ length: 45 }, (_, nth) => ({
    employeeNo: String(1001 + nth),
    name: `Person ${nth}`,
    userType: 'normal',
  }));
  type Refusal = { readonly http?: number; readonly text: string } | { readonly cut: true };
  interface Asked {
    readonly searchResultPosition: number;
    readonly maxResults: number;
  }
  function pageFor({ searchResultPosition: from, maxResults: size }: Asked): string {
    const UserInfo = PEOPLE_THERE.slice(from, from + size);
    const UserInfoSearch = {
      responseStatusStrg: from + size >= PEOPLE_THERE.length ? 'OK' : 'MORE',
      numOfMatches: UserInfo.length,
      totalMatches: PEOPLE_THERE.length,
      UserInfo,
    };
    return JSON.stringify({ UserInfoSearch });
  }
  const NOBODY = '{"UserInfoSearch":{"responseStatusStrg":"NO MATCH","numOfMatches":0,"totalMatches":0}}';
  const says = (statusCode: number, subStatusCode: string): string =>
    JSON.stringify({ statusCode, statusString: 'x', subStatusCode });

  /** Reads from a device that refuses a search by its position and size. */
  async function readFrom(refusal: Refusal, refuses: (position: number, size: number) => boolean) {
    at = await openSite({ kinds: ['gate'] });
    const odd = await startOddDevice(({ path, body }) => {
      if (!path.includes('/UserInfo/Search')) return { http: 404, text: '' };
      const asked = (JSON.parse(body) as { readonly UserInfoSearchCond: Asked }).UserInfoSearchCond;
      const type = 'application/json';
      if (refuses(asked.searchResultPosition, asked.maxResults)) return { ...refusal, type };
      return { type, text: pageFor(asked) };
    });
    const { id } = at.engine.devices.addTransient({ url: odd.url });
    return everybody(at.engine, id).finally(() => odd.close());
  }

  // Would catch: a terminal whose people cannot be read because it refuses the size in an unexpected way.
  it.each<[string, Refusal]>([
    ['400', { http: 400, text: '' }],
    ['403', { http: 403, text: '' }],
    ['404', { http: 404, text: '' }],
    ['413', { http: 413, text: '' }],
    ['500 with a web page', { http: 500, text: '<html>error</html>' }],
    ['503', { http: 503, text: '' }],
    ['busy', { text: says(2, 'deviceBusy') }],
    ['device error', { text: says(3, 'deviceError') }],
    ['low privilege', { text: says(4, 'lowPrivilege') }],
    ['bad parameters', { text: says(6, 'badParameters') }],
    ['restart required', { text: says(7, 'rebootRequired') }],
    ['nothing', { text: '' }],
    ['an empty object', { text: '{}' }],
    ['no people at all', { text: NOBODY }],
    ['a connection that breaks off', { cut: true }],
  ])('refused with %s is asked again with fewer', async (_what, refusal) => {
    const read = await readFrom(refusal, (_position, size) => size > 30);

    expect(read).toMatchObject({ read: 45, complete: true });
  });

  it('beyond the last person, which a device refuses, is asked again with fewer', async () => {
    const read = await readFrom(
      { text: says(6, 'badParameters') },
      (position, size) => position + size > PEOPLE_THERE.length,
    );

    expect(new Set(read.numbers).size).toBe(45);
    expect(read).toMatchObject({ read: 45, complete: true });
  });
});

describe('a list of numbers', () => {
  it.each([
    ['half a document', '{"UserInfoSearch":{"UserInfo":[{"emplo'],
    ['nothing', ''],
  ])('answered with %s is asked for in another way', async (_what, text) => {
    at = await openSite({ kinds: ['gate'] });
    const odd = await startOddDevice(({ path, body }) => {
      const type = 'application/json';
      if (!path.includes('/UserInfo/Search')) return { http: 404, text: '' };
      const people = '"numOfMatches":1,"totalMatches":1,"UserInfo":[{"employeeNo":"7","name":"Ada"}]';
      return body.includes('EmployeeNoList')
        ? { type, text }
        : { type, text: `{"UserInfoSearch":{"responseStatusStrg":"OK",${people}}}` };
    });
    const { id } = at.engine.devices.addTransient({ url: odd.url });

    const plan = await planOf(at, fileOf('employeeNo,name\n7,Ada Lovelace\n'), [id]).finally(() =>
      odd.close(),
    );

    expect(plan.devices[0]?.error).toBeUndefined();
    expect(plan.devices[0]?.counts).toEqual({ changed: 1 });
  });
});

describe('numbers that were seen', () => {
  it('are told from those that were not, also when there are many', () => {
    const seen = new SeenNumbers();
    for (let at = 0; at < 50_000; at += 1) expect(seen.add(`n${at}`)).toBe(true);

    expect(seen.size).toBe(50_000);
    expect(seen.add('n4711')).toBe(false);
    expect(seen.has('n50001')).toBe(false);
  });
});
