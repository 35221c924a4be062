/**
 * Random calls of every route of the contract, well-formed and not, over a real socket. `FIELDWRIGHT_TEST_SEED` and
 * `FIELDWRIGHT_TEST_CALLS` try other ones, and more.
 */
import { once } from 'node:events';
import { getEventIteratorSchemaDetails, type AnySchema } from '@orpc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { contract } from '#shared/contract.ts';
import { createRandom, deriveSeed } from '#simulator/random.ts';
import { startSite, type Site } from '../helpers/strict-site.ts';
import { randomInputs, type RandomTexts } from './helpers/random-input.ts';
import { startTestServer, type TestServer } from './helpers/running-server.ts';

const SEED = Number(process.env['FIELDWRIGHT_TEST_SEED'] ?? 20);
const CALLS = Number(process.env['FIELDWRIGHT_TEST_CALLS'] ?? 2_000);
/** Number of calls at once on one connection. */
const AT_ONCE = 16;
/** One place in so many of an input is something else. */
const ONE_IN = 24;
/** No call waits longer, however busy the computer is. */
const ANSWER_MS = 60_000;
/** A stream is left after its first event, or after that. */
const STREAM_MS = 150;
/** Ids of answers that are used again. */
const MOST_KNOWN = 60;
/** Calls after which devices that were removed are added again. */
const ROUND = 200;

interface Route {
  readonly path: string;
  readonly input: AnySchema | undefined;
  readonly isStream: boolean;
}

const routes: readonly Route[] = Object.entries(contract).flatMap(([area, declared]) =>
  Object.entries(declared).map(([name, { '~orpc': route }]) => ({
    path: `${area}/${name}`,
    input: route.inputSchema as AnySchema | undefined,
    isStream: getEventIteratorSchemaDetails(route.outputSchema as AnySchema) !== undefined,
  })),
);

interface Message {
  readonly i: string;
  /** 3: an event of a stream. */
  readonly t?: number;
  readonly p?: {
    /** HTTP status; 200 where it is left out. */
    readonly s?: number;
    readonly h?: Readonly<Record<string, string>>;
    readonly b?: { readonly json?: { readonly data?: { readonly code?: string } } };
    readonly e?: string;
    readonly d?: { readonly json?: { readonly data?: { readonly code?: string } } };
  };
}

let running: TestServer;
let site: Site;
beforeAll(async () => {
  // These requests are not the product's: a caller may send devices anything.
  const anySite: typeof startSite = (options) => startSite({ ...options, strict: false });
  running = await startTestServer({ site: anySite, confirm: () => Promise.resolve('yes') });
  site = await anySite({ devices: 5, auth: 'none' });
});
afterAll(async () => {
  await running.close();
  await site.close();
});

/** One connection, and who waits for which answer on it. */
class Connection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, (message: Message | 'closed') => void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      this.#waiting.get(message.i)?.(message);
    });
    socket.on('close', () => {
      for (const wake of this.#waiting.values()) wake('closed');
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Returns the answer of a call; of a stream its first event where one comes soon, else its head. */
  call(
    id: string,
    path: string,
    body: unknown,
    isStream: boolean,
  ): Promise<Message | 'closed' | 'no answer'> {
    return new Promise((resolve) => {
      const settle = (answer: Message | 'closed' | 'no answer'): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (isStream && this.isOpen) this.#socket.send(JSON.stringify({ i: id, t: 4 }));
        resolve(answer);
      };
      let timer = setTimeout(() => settle('no answer'), ANSWER_MS);
      this.#waiting.set(id, (message) => {
        const isHead = message !== 'closed' && message.t === undefined && (message.p?.s ?? 200) === 200;
        if (!isStream || !isHead) return settle(message);
        clearTimeout(timer);
        timer = setTimeout(() => settle(message), STREAM_MS);
      });
      this.#socket.send(JSON.stringify({ i: id, p: { u: `/${path}`, b: body } }));
    });
  }
}

async function connect(): Promise<Connection> {
  const socket = running.socket('/rpc', { origin: running.origin }, await running.signIn());
  await once(socket, 'open');
  return new Connection(socket);
}

/** Returns what is wrong with an answer; undefined for a right one. */
function faultOf(answer: Message | 'closed' | 'no answer', isMalformed: boolean): string | undefined {
  if (typeof answer === 'string') return answer;
  const status = answer.p?.s ?? 200;
  const code = (answer.p?.b ?? answer.p?.d)?.json?.data?.code;
  if (code === 'internal') return `internal (${status})`;
  if (isMalformed) return status === 400 ? undefined : `a malformed call was answered with ${status} ${code}`;
  return status >= 500 && code === undefined ? `${status} without a code` : undefined;
}

/** Adds what is missing of the site, and returns the ids of its devices. */
async function devicesOf(page: Awaited<ReturnType<TestServer['page']>>): Promise<readonly string[]> {
  await page.api.devices.addMany({ devices: site.devices.map(({ url }) => ({ address: url })) });
  const urls = new Set(site.devices.map(({ url }) => url));
  return (await page.api.devices.list()).filter(({ url }) => urls.has(url)).map(({ id }) => id);
}

test(`${CALLS} random calls of all routes are answered, malformed ones with 400 (else: "internal", or a page that waits for ever)`, async () => {
  const page = await running.page();
  const connection = await connect();
  const faults: string[] = [];
  /** Ids from answers: of jobs, plans, templates, files, … */
  const known: string[] = ['no such thing'];
  let sent = 0;

  async function callOne(route: Route, texts: RandomTexts): Promise<void> {
    const id = String((sent += 1));
    // Each call has randomness of its own: the order of answers changes none.
    const made = randomInputs(createRandom(deriveSeed(SEED, id)), texts, ONE_IN)(route.input);
    // No search leaves this computer.
    const given =
      route.path === 'discovery/watch' && typeof made === 'object' ? { ...made, mdns: false } : made;
    // The server reads what JSON keeps of the input.
    const input: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given));
    const checked = await route.input?.['~standard'].validate(input);
    const answer = await connection.call(id, route.path, { json: input }, route.isStream);
    known.push(...idsIn(answer));
    known.splice(1, known.length - MOST_KNOWN);
    const fault = faultOf(answer, checked?.issues !== undefined);
    if (fault !== undefined)
      faults.push(
        `seed ${SEED}, call ${id} of ${route.path}: ${fault}\n${JSON.stringify(input)?.slice(0, 1_000)}`,
      );
  }

  while (sent < CALLS && faults.length === 0) {
    const devices = await devicesOf(page);
    const texts = textsOf(devices, known);
    const due = Array.from(
      { length: Math.min(ROUND, CALLS - sent) },
      (_, nth) => routes[(sent + nth) % routes.length],
    );
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let route = due.shift(); route !== undefined; route = due.shift()) {
          if (faults.length > 0) return;
          await callOne(route, texts);
        }
      }),
    );
  }

  expect(faults).toEqual([]);
  expect(running.log.filter(({ code }) => code === 'internal')).toEqual([]);
  // It goes on answering, on the connection that all of this went over too.
  expect(await connection.call('last', 'app/info', { json: undefined }, false)).toMatchObject({
    p: { b: { json: { face: 'browser' } } },
  });
}, 300_000);

/** Returns what an answer calls an id. */
function idsIn(answer: Message | 'closed' | 'no answer'): readonly string[] {
  const named = JSON.stringify(answer).matchAll(/"(?:id|\w+Id|token)":"([^"]{1,64})"/g);
  return [...named].map(([, id = '']) => id).slice(0, 5);
}

function textsOf(devices: readonly string[], known: readonly string[]): RandomTexts {
  const [first] = site.devices;
  const id = [...devices, ...known];
  const address = ['127.0.0.1:9', 'http://127.0.0.1:9', '127.0.0.1:99999', ...(first ? [first.url] : [])];
  const templates = [
    'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n',
    'fieldwright: template/1\nname: x\nsections: [',
  ];
  return {
    texts: ['no such thing', '0', '/', 'a b', 'de', 'ключ 钥匙', '2026-01-01T00:00:00Z', ...templates],
    byName: {
      id,
      ids: id,
      deviceId: devices,
      subject: known,
      token: known,
      uploadId: known,
      profileId: known,
      credentialId: known,
      siteId: known,
      stateId: known,
      planId: known,
      jobId: known,
      deviceIds: devices,
      address,
      addresses: address,
      cidr: ['127.0.0.1/32', '127.0.0.0/30', '127.0.0.0/8', '/32'],
      prefixes: ['/API', '/', 'a b'],
      pathPrefix: ['/API', 'API'],
      operation: [
        'thermal.thermometryMode.get',
        'thermal.thermometryMode.put',
        'system.capabilities.get',
        'no such thing',
      ],
      operations: ['thermal.thermometryMode.get', 'system.capabilities.get', 'no such thing'],
      path: ['/API/System/capabilities', '/API/../x', '/API/no such', '/', 'http://127.0.0.1:9/API'],
      set: ['thermal.thermometryMode', 'accessControl.acsCfg', 'no such thing'],
      templateText: templates,
      before: [...templates, 'no such thing'],
      after: [...templates, 'no such thing'],
      text: [...templates, 'address\n127.0.0.1:9\n', 'employeeNo,name\n1,A\n', '{"a":[1,2', '[]', '- a\n'],
      flow: ['gate-commissioning', 'no such thing'],
      base64: ['YWRkcmVzcwoxCg==', '!', ''],
      document: ['e30=', '!'],
      employeeNo: ['1', '0001', 'no such thing'],
      fingerprint: ['ab'.repeat(32), 'x'.repeat(64)],
      from: ['2026-01-01T00:00:00Z', 'yesterday'],
      to: ['2027-01-01T00:00:00Z'],
    },
  };
}

/** Bodies that no client of ours makes, and paths that lead nowhere. */
const BODIES: readonly unknown[] = [
  undefined,
  ...[null, 'text', 5, true, [], {}, [1]],
  ...[{ json: 'text' }, { json: { id: [] } }, { json: null, meta: 'x' }, { json: {}, meta: [[]] }],
  ...[1, 2, 3, 4, 5, 99, -1, null, 'x'].map((type) => ({ json: { id: 'x' }, meta: [[type, 'id']] })),
  { json: { id: 'x' }, meta: [[1, '__proto__', 'id']] },
  { json: { id: 'x' }, meta: [[1, 'no', 'such', 'path']] },
  { json: { id: {} }, maps: [['id']], meta: [] },
];
const PATHS = [
  '',
  'app',
  'app/nothing',
  'nothing/info',
  'app/info/more',
  '__proto__/constructor',
  'app/toString',
  '../app/info',
  'app%2Finfo',
  '%',
  '?data=%',
  'a'.repeat(5_000),
];

test('calls with a body or a path that nobody makes are answered (else: "internal", or a page that waits for ever)', async () => {
  const connection = await connect();
  const faults: string[] = [];
  const calls = [
    ...routes.flatMap(({ path }) => BODIES.map((body) => ({ path, body }))),
    ...PATHS.map((path) => ({ path, body: { json: {} } })),
  ];

  let sent = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
        const answer = await connection.call(`body-${(sent += 1)}`, call.path, call.body, true);
        const fault = faultOf(answer, false);
        if (fault !== undefined) faults.push(`${call.path}: ${fault}\n${JSON.stringify(call.body)}`);
        if (answer === 'closed') return;
      }
    }),
  );

  expect(faults).toEqual([]);
});

test.each([
  ['no JSON', '{'],
  ['no object', '5'],
  ['nothing', ''],
  ['null', 'null'],
  ['no path', '{"i":"1","p":{}}'],
  ['no payload', '{"i":"1"}'],
  ['a path of another kind', '{"i":"1","p":{"u":5}}'],
  ['an unknown kind', '{"i":"1","t":9,"p":{}}'],
  ['deeper than 64', `{"i":"1","p":{"u":"/app/info","b":{"json":${'['.repeat(5_000)}${']'.repeat(5_000)}}}}`],
  ['600,000 values', `{"i":"1","p":{"u":"/app/info","b":{"json":[${'1,'.repeat(600_000)}1]}}}`],
])(
  'a message with %s ends its own connection at most (else: the server, or the calls of other pages)',
  async (_what, message) => {
    const other = await connect();
    const socket = running.socket('/rpc', { origin: running.origin }, await running.signIn());
    await once(socket, 'open');

    const gone = once(socket, 'close');
    const answered = once(socket, 'message');
    socket.send(message);
    const first = await Promise.race([gone, answered]);

    // Closed as a breach of the protocol, or answered with words; not lost.
    expect(typeof first[0] === 'number' ? first[0] : 1008).toBe(1008);
    expect(await other.call('after', 'app/info', {}, false)).toMatchObject({
      p: { b: { json: { face: 'browser' } } },
    });
  },
);
