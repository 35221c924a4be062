/** Settling one write: what is sent, how often and how the device is checked, over HTTP to a small server. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settleWrite, type Seen, type Settled, type Write } from '#engine/write/settle-write.ts';
import { findOperation, type Operation } from '#protocol/index.ts';
import { oneDevice } from '../device/directory.ts';
import { startServer } from '../device/hostile-server.ts';

const PUT = operation('accessControl.hostConfig.put');
const GET = operation('accessControl.hostConfig.get');

function operation(id: string): Operation {
  const found = findOperation(id);
  if (found === undefined) throw new Error(id);
  return found;
}

/** Reaction of the device to a write: its answer, and whether it takes the write. */
interface Step {
  readonly takes?: boolean;
  readonly answer: (response: ServerResponse) => void;
}

function status(http: number, statusCode: number, subStatusCode: string): Step['answer'] {
  return (response) =>
    void response
      .writeHead(http, { 'content-type': 'application/json' })
      .end(JSON.stringify({ statusCode, statusString: 'x', subStatusCode }));
}
const cut: Step['answer'] = (response) => void response.socket?.destroy();
const page: Step['answer'] = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Wait</title>');

const YES: Step = { takes: true, answer: status(200, 1, 'ok') };
const HOLLOW: Step = { answer: status(200, 1, 'ok') };
const RESTART: Step = { answer: status(200, 7, 'rebootRequired') };
const REFUSED: Step = { answer: status(400, 6, 'badParameters') };
const BUSY: Step = { answer: status(503, 2, 'deviceBusy') };
const LOST: Step = { answer: cut };
const PAGE: Step = { answer: page };
const SILENT: Step = { answer: () => {} };
const ELSEWHERE: Step = {
  answer: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
};
const ENDLESS: Step = {
  answer: (response) => void response.writeHead(200, { 'content-length': 1_000_000_000 }).write('{'),
};
const SHUT: Step = { answer: (response) => void response.writeHead(401).end() };
const PERMISSION: Step = { answer: status(403, 4, 'lowPrivilege') };

type Shown = 'new' | 'old' | 'part' | 'unproved' | 'hidden' | 'cut' | 'shut';
const KINDS = { new: 'taken', old: 'untouched', part: 'differs', unproved: 'unproved' } as const;

interface Played {
  /** Answers to one write after the other; the last one stays. */
  readonly puts: readonly [Step, ...Step[]];
  /** State that each check shows; the last one stays. Default: `new` once a write was taken, else `old`. */
  readonly shows?: readonly [Shown, ...Shown[]];
  readonly write?: Partial<Write<string>>;
  /** Nothing listens at the address of the device. */
  readonly isOff?: boolean;
}

/** Settles a write and returns what happened: `intend`, `PUT`, `look`, and waits in milliseconds. */
async function settled({ puts, shows, write, isOff = false }: Played): Promise<{
  readonly result: Settled<string>;
  readonly log: string;
}> {
  const log: string[] = [];
  let [sends, looks, hasTaken] = [0, 0, false];
  const sent = write?.operation ?? PUT;
  const server = await startServer(({ method }, response) => {
    if (method !== 'GET') {
      log.push('PUT');
      const step = puts[Math.min(sends, puts.length - 1)] ?? puts[0];
      sends += 1;
      if (step.takes === true) hasTaken = true;
      step.answer(response);
      return;
    }
    const shown = shows?.[Math.min(looks, shows.length) - 1] ?? (hasTaken ? 'new' : 'old');
    if (shown === 'cut') cut(response);
    else if (shown === 'shut') response.writeHead(401).end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ AcsCfg: { shown } }));
  });
  const clock = {
    now: () => new Date(),
    delay: (ms: number) => {
      log.push(String(ms));
      return Promise.resolve();
    },
  };
  const device = oneDevice(server.url, { profile: { deadlineMs: 1_000 } });
  onTestFinished(async () => {
    await device.clients.close();
    await server.close();
  });
  if (isOff) await server.close();
  const client = device.clients.get('d-1');
  const { signal } = new AbortController();
  const result = await settleWrite<string>({
    operation: PUT,
    device: server.url,
    clock,
    signal,
    intend: (shown) => {
      log.push(shown === undefined ? 'intend' : `intend after ${shown}`);
      return Promise.resolve();
    },
    send: () =>
      client.write(
        sent,
        Object.fromEntries(sent.params.map(({ name }) => [name, 1])),
        '{"AcsCfg":{"voicePrompt":true}}',
        { signal },
      ),
    look: async (): Promise<Seen<string>> => {
      log.push('look');
      looks += 1;
      const { text } = await client.read(GET, {}, { signal });
      const { shown } = (
        JSON.parse(text) as { readonly AcsCfg: { readonly shown: keyof typeof KINDS | 'hidden' } }
      ).AcsCfg;
      return shown === 'hidden' ? { kind: 'hidden' } : { kind: KINDS[shown], shown };
    },
    ...write,
  });
  return { result, log: log.join(' ') };
}

const BEFORE = { sentBefore: true };
const ALL_WAITS = 'look 300 look 900 look 2000 look 4000 look';
const ALL_SENDS = 'PUT 300 PUT 900 PUT 2000 PUT 4000 PUT';

describe('a write', () => {
  // Would catch: a write called done, lost or refused that is not; one that is sent twice or not again; a check left out.
  it.each<[string, Played, string, string]>([
    ['a yes that shows', { puts: [YES] }, 'effective', 'intend PUT look'],
    [
      'a yes that shows later',
      { puts: [HOLLOW], shows: ['old', 'new'] },
      'effective',
      'intend PUT look 300 look',
    ],
    ['a yes that never shows', { puts: [HOLLOW] }, 'ignored', `intend PUT ${ALL_WAITS}`],
    ['a yes of which a part shows', { puts: [YES], shows: ['part'] }, 'ignored', 'intend PUT look 300 look'],
    [
      'a yes of which a part shows, then all',
      { puts: [YES], shows: ['part', 'new'] },
      'effective',
      'intend PUT look 300 look',
    ],
    ['a yes that no document shows', { puts: [YES], shows: ['hidden'] }, 'accepted', 'intend PUT look'],
    ['a yes that cannot be proved', { puts: [YES], shows: ['unproved'] }, 'accepted', 'intend PUT look'],
    [
      'a yes of a device that is gone then',
      { puts: [YES], shows: ['cut'] },
      'unknown',
      `intend PUT ${ALL_WAITS}`,
    ],
    [
      'a yes of a device that comes back',
      { puts: [YES], shows: ['cut', 'cut', 'new'] },
      'effective',
      'intend PUT look 300 look 900 look',
    ],
    [
      'a yes of a device that locks us out then',
      { puts: [YES], shows: ['shut'] },
      'unknown',
      'intend PUT look',
    ],
    ['a restart that is needed', { puts: [RESTART] }, 'needs-reboot', 'intend PUT look'],
    ['a refusal', { puts: [REFUSED] }, 'refused', 'intend PUT look'],
    ['a refusal that took all the same', { puts: [REFUSED], shows: ['new'] }, 'effective', 'intend PUT look'],
    ['a refusal that took a part', { puts: [REFUSED], shows: ['part'] }, 'ignored', 'intend PUT look'],
    [
      'a refusal of what may have been taken',
      { puts: [REFUSED], shows: ['unproved'] },
      'accepted',
      'intend PUT look',
    ],
    [
      'a refusal of a device that is gone then',
      { puts: [REFUSED], shows: ['cut'] },
      'refused',
      'intend PUT look',
    ],
    ['a path without the right to it', { puts: [PERMISSION] }, 'refused', 'intend PUT look'],
    [
      'a device that is busy twice',
      { puts: [BUSY, BUSY, YES] },
      'effective',
      'intend PUT 300 PUT 900 PUT look',
    ],
    ['a device that stays busy', { puts: [BUSY] }, 'refused', `intend ${ALL_SENDS}`],
    [
      'a device that stays busy, after an earlier attempt that came',
      { puts: [BUSY], shows: ['new'], write: BEFORE },
      'effective',
      `intend ${ALL_SENDS} look`,
    ],
    [
      'a device that stays busy, after an earlier attempt that may come',
      { puts: [BUSY], write: BEFORE },
      'unknown',
      `intend ${ALL_SENDS} look`,
    ],
    ['a lost answer', { puts: [{ ...LOST, takes: true }] }, 'effective', 'intend PUT look'],
    ['a lost request', { puts: [LOST, YES] }, 'effective', 'intend PUT look intend after old PUT look'],
    ['two lost requests', { puts: [LOST] }, 'ignored', `intend PUT look intend after old PUT ${ALL_WAITS}`],
    [
      'a lost request that is not to be repeated',
      { puts: [LOST], write: { repeats: false } },
      'ignored',
      `intend PUT ${ALL_WAITS}`,
    ],
    [
      'a lost answer of which a part shows',
      { puts: [LOST], shows: ['part'] },
      'ignored',
      'intend PUT look 300 look',
    ],
    [
      'a lost answer to what no document shows',
      { puts: [LOST], shows: ['hidden'] },
      'unknown',
      'intend PUT look',
    ],
    [
      'a lost answer of a device that locks us out then',
      { puts: [LOST], shows: ['shut'] },
      'unknown',
      'intend PUT look',
    ],
    [
      'a lost answer of a device that is gone',
      { puts: [LOST], shows: ['cut'] },
      'unknown',
      `intend PUT ${ALL_WAITS} 300 look 900 look 2000 look 4000 look`,
    ],
    [
      'a web page instead of an answer',
      { puts: [PAGE, YES] },
      'effective',
      'intend PUT look intend after old PUT look',
    ],
    ['a device that never answers', { puts: [{ ...SILENT, takes: true }] }, 'effective', 'intend PUT look'],
    ['a redirect elsewhere', { puts: [ELSEWHERE] }, 'refused', `intend PUT ${ALL_WAITS}`],
    ['an account that is not let in', { puts: [SHUT] }, 'failed', 'intend PUT'],
    ['an account that is not let in any more', { puts: [SHUT], write: BEFORE }, 'unknown', 'intend PUT'],
    [
      'a lost request and an account that is not let in any more',
      { puts: [LOST, SHUT] },
      'unknown',
      'intend PUT look intend after old PUT',
    ],
    ['a device that is off', { puts: [YES], isOff: true }, 'failed', 'intend'],
    [
      'a device that is off, after an earlier attempt',
      { puts: [YES], isOff: true, write: BEFORE },
      'unknown',
      'intend',
    ],
  ])('with %s', async (_name, played, outcome, log) => {
    const done = await settled(played);

    expect([done.result.outcome, done.log]).toEqual([outcome, log]);
  });

  // Would catch: a write without a record after a power cut.
  it('is not sent where the intent could not be stored', async () => {
    const { result, log } = await settled({
      puts: [YES],
      write: { intend: () => Promise.reject(new Error('the disk is full')) },
    });

    expect(log).toBe('');
    expect(result).toMatchObject({ outcome: 'failed', error: { sent: false, operation: PUT.id } });
  });

  // Would catch: an interrupted program that waits for seconds, or sends once more.
  it('ends its waits and is not repeated once it is interrupted', async () => {
    const signal = AbortSignal.abort();

    expect((await settled({ puts: [BUSY, YES], write: { signal } })).log).toBe('intend PUT');
    expect((await settled({ puts: [LOST], write: { signal } })).log).toBe('intend PUT look');
  });

  // Would catch: a check other than the one that the answer asks for.
  it.each<['not' | 'once' | 'patiently', Shown, string]>([
    ['not', 'old', 'intend PUT'],
    ['once', 'cut', 'intend PUT look'],
    ['patiently', 'cut', `intend PUT ${ALL_WAITS}`],
    ['patiently', 'old', 'intend PUT look'],
  ])('is checked as its answer says: %s (%s)', async (way, shown, log) => {
    expect((await settled({ puts: [YES], shows: [shown], write: { looks: () => way } })).log).toBe(log);
  });

  it('says when it is sent and when the device is checked', async () => {
    const phases: string[] = [];

    await settled({ puts: [YES], write: { phase: (phase) => phases.push(phase) } });

    expect(phases).toEqual(['writing', 'verifying']);
  });
});

describe('an answer to a write', () => {
  const OK = '{"statusCode":1,"statusString":"OK","subStatusCode":"ok"}';
  const XML_OK =
    '<ResponseStatus version="2.0"><requestURL>/</requestURL><statusCode>1</statusCode><statusString>OK</statusString><subStatusCode>ok</subStatusCode></ResponseStatus>';
  const [JSON_PUT, XML_PUT] = [PUT.id, 'thermal.thermometryBasic.put'];
  const [COUNTED, SET_UP] = ['accessControl.eventTotal.query', 'accessControl.fingerprints.setUp'];
  const UNSPECIFIED = 'accessControl.localController.control.put';

  // Would catch: an answer that proves nothing called a success, or a success sent again.
  it.each<[string, string, number, string, string]>([
    ['a status', JSON_PUT, 200, OK, 'accepted'],
    ['a status', XML_PUT, 200, XML_OK, 'accepted'],
    ['nothing, where all of a status is optional', JSON_PUT, 200, '', 'accepted'],
    ['nothing, where a status is required', XML_PUT, 200, '', 'unknown'],
    ['half of a status', XML_PUT, 200, XML_OK.slice(0, 120), 'unknown'],
    ['its payload', COUNTED, 200, '{"AcsEventTotalNum":{"totalNum":3}}', 'accepted'],
    ['another payload', COUNTED, 200, '{"Other":{}}', 'unknown'],
    [
      'a status and a payload that is unreadable',
      COUNTED,
      200,
      `{"AcsEventTotalNum":3,${OK.slice(1)}`,
      'accepted',
    ],
    ['a payload that is a refusal', SET_UP, 200, '{"FingerPrintStatus":{"status":"failed"}}', 'refused'],
    ['a payload that is none', SET_UP, 200, '{"FingerPrintStatus":{"status":"success"}}', 'accepted'],
    ['a document that nobody specified', UNSPECIFIED, 200, '<Control version="2.0"/>', 'accepted'],
    ['a page instead of such a document', UNSPECIFIED, 200, '<html><body>Wait</body></html>', 'unknown'],
    [
      'that it was never activated',
      JSON_PUT,
      403,
      '{"statusCode":4,"statusString":"x","subStatusCode":"notActivated"}',
      'failed',
    ],
  ])('with %s (%s)', async (_name, id, http, text, outcome) => {
    const format = operation(id).format;
    const { result } = await settled({
      puts: [
        {
          answer: (response) =>
            void response.writeHead(http, { 'content-type': `application/${format}` }).end(text),
        },
      ],
      shows: ['hidden'],
      write: { operation: operation(id) },
    });

    expect(result.outcome).toBe(outcome);
  });
});

describe('what is said of a write', () => {
  // Would catch: "the device refused" where the connection broke, and the reverse.
  it.each<[string, Step, string]>([
    ['a yes', HOLLOW, 'ok'],
    ['a refusal', REFUSED, 'refusal'],
    ['a connection that broke', LOST, 'loss'],
    ['a web page', PAGE, 'unreadable'],
    ['silence', SILENT, 'timeout'],
    ['a redirect', ELSEWHERE, 'redirect'],
    ['an answer without end', ENDLESS, 'unreadable'],
  ])('that shows in part names what came before: %s', async (_name, step, after) => {
    const { result } = await settled({ puts: [step], shows: ['part'] });

    expect(result).toMatchObject({ outcome: 'ignored', after, shown: 'part' });
  });

  // Would catch: section after section sent to a device that has gone or keeps us out.
  it.each<[string, Played, string | undefined]>([
    ['it is gone at the check', { puts: [YES], shows: ['cut'] }, 'connection-lost'],
    ['it is gone after a lost answer', { puts: [LOST], shows: ['cut'] }, 'connection-lost'],
    ['it is off', { puts: [YES], isOff: true }, 'connection-refused'],
    ['it does not let the account in', { puts: [SHUT] }, 'sign-in-required'],
    ['it refuses', { puts: [REFUSED] }, undefined],
  ])('to a device that cannot be used any further: %s', async (_name, played, code) => {
    const { result } = await settled(played);

    expect(result.stop?.code).toBe(code);
    if (code !== undefined) expect(result.error).toMatchObject({ code, device: /^http/ });
  });
});
