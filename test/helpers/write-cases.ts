/**
 * One table of what devices do with a write, for every kind of write alike: settings, people, fingerprints, steps of guided
 * flows, model packages and single calls. A proxy before a device of the virtual site plays each case.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UnitOutcome } from '#shared/model.ts';

/** Answer to a write. `pass`: the device's own answer. */
type CaseAnswer =
  'pass' | 'yes' | 'html' | 'cut' | 'lost' | 'restart' | 'busy' | 'error' | 'content' | 'permission';

export interface WriteCase {
  readonly name: string;
  readonly answer: CaseAnswer;
  /** `taken`: the device does what the write says; `kept`: it stays as it is; `late`: it does so when it is looked at for the second time. */
  readonly effect: 'taken' | 'kept' | 'late';
  /** Number of writes treated so; the others pass. Absent: all. */
  readonly times?: number;
  /** Outcome of a write that the device shows afterwards. */
  readonly visible: UnitOutcome;
  /** Outcome of a write that the device never shows. */
  readonly hidden: UnitOutcome;
  /** Requests that reach the device's address, where the write shows and may be repeated. */
  readonly sends: number;
}

export const WRITE_CASES: readonly WriteCase[] = [
  {
    name: 'a readable yes',
    answer: 'pass',
    effect: 'taken',
    visible: 'effective',
    hidden: 'accepted',
    sends: 1,
  },
  {
    name: 'a yes that shows a moment later',
    answer: 'yes',
    effect: 'late',
    visible: 'effective',
    hidden: 'accepted',
    sends: 1,
  },
  {
    name: 'a yes that never shows',
    answer: 'yes',
    effect: 'kept',
    visible: 'ignored',
    hidden: 'accepted',
    sends: 1,
  },
  {
    name: 'a web page with 200, taken',
    answer: 'html',
    effect: 'taken',
    visible: 'effective',
    hidden: 'unknown',
    sends: 1,
  },
  {
    name: 'a web page with 200, not taken',
    answer: 'html',
    effect: 'kept',
    visible: 'ignored',
    hidden: 'unknown',
    sends: 2,
  },
  {
    name: 'a status that breaks off, taken',
    answer: 'cut',
    effect: 'taken',
    visible: 'effective',
    hidden: 'unknown',
    sends: 1,
  },
  {
    name: 'a status that breaks off, not taken',
    answer: 'cut',
    effect: 'kept',
    visible: 'ignored',
    hidden: 'unknown',
    sends: 2,
  },
  {
    name: 'a lost answer, taken',
    answer: 'lost',
    effect: 'taken',
    visible: 'effective',
    hidden: 'unknown',
    sends: 1,
  },
  {
    name: 'a lost request',
    answer: 'lost',
    effect: 'kept',
    times: 1,
    visible: 'effective',
    hidden: 'unknown',
    sends: 2,
  },
  {
    name: 'a restart that is required first (7)',
    answer: 'restart',
    effect: 'kept',
    visible: 'needs-reboot',
    hidden: 'needs-reboot',
    sends: 1,
  },
  {
    name: 'a device that is busy twice (2)',
    answer: 'busy',
    effect: 'kept',
    times: 2,
    visible: 'effective',
    hidden: 'accepted',
    sends: 3,
  },
  {
    name: 'a device that stays busy (2)',
    answer: 'busy',
    effect: 'kept',
    visible: 'refused',
    hidden: 'refused',
    sends: 5,
  },
  {
    name: 'an error of the device (3)',
    answer: 'error',
    effect: 'kept',
    visible: 'refused',
    hidden: 'refused',
    sends: 1,
  },
  {
    name: 'refused content (6)',
    answer: 'content',
    effect: 'kept',
    visible: 'refused',
    hidden: 'refused',
    sends: 1,
  },
  {
    name: 'refused content (6) that is taken all the same',
    answer: 'content',
    effect: 'taken',
    visible: 'effective',
    hidden: 'refused',
    sends: 1,
  },
  {
    name: 'an account without the right (403)',
    answer: 'permission',
    effect: 'kept',
    visible: 'refused',
    hidden: 'refused',
    sends: 1,
  },
];

export interface WriteProxyOptions {
  /** Address of a device of the virtual site that wants no sign-in (`auth: 'none'`). */
  readonly target: string;
  /** Returns true if a request is the write that the case is about. */
  readonly isWrite: (request: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
  }) => boolean;
  readonly format: 'xml' | 'json';
  /** Body of a yes, where that is no plain status. */
  readonly yes?: string;
}

export interface WriteProxy {
  readonly url: string;
  /** Writes that came, whatever was done with them. */
  readonly sends: () => number;
  /** Treats later writes as this case says; undefined: all pass. */
  play(next: WriteCase | undefined): void;
  /** Changes later answers to requests whose path holds this text on their way. */
  rewrite(path: string, change: (body: string) => string): void;
  close(): Promise<void>;
}

interface Upstream {
  readonly http: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Starts a proxy that passes everything on to one device, but for the writes of a case. */
export async function startWriteProxy(options: WriteProxyOptions): Promise<WriteProxy> {
  let current: WriteCase | undefined;
  let [sends, left, looks] = [0, Infinity, 0];
  let late: (() => Promise<Upstream>) | undefined;
  let rewrite: { readonly path: string; readonly change: (body: string) => string } | undefined;
  const { port: targetPort, hostname } = new URL(options.target);

  const forward = (incoming: IncomingMessage, body: Buffer): Promise<Upstream> =>
    new Promise((resolve, reject) => {
      const { method, url: path } = incoming;
      const headers = { ...incoming.headers, host: `${hostname}:${targetPort}` };
      const sent = httpRequest(
        { host: hostname, port: targetPort, method, path, headers, agent: false },
        (got) => {
          const chunks: Buffer[] = [];
          got.on('data', (chunk: Buffer) => chunks.push(chunk));
          got.on('end', () =>
            resolve({ http: got.statusCode ?? 0, headers: got.headers, body: Buffer.concat(chunks) }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });

  const serve = async (incoming: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> => {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: body.toString('utf8') };
    const isWrite = options.isWrite(request);
    if (isWrite) sends += 1;
    const played = isWrite && left > 0 ? current : undefined;
    if (played === undefined) {
      if (!isWrite && late !== undefined && (looks += 1) === 2) {
        await late();
        late = undefined;
      }
      const upstream = await forward(incoming, body);
      const isChanged = rewrite !== undefined && request.path.includes(rewrite.path);
      const changed = isChanged
        ? Buffer.from(rewrite?.change(upstream.body.toString('utf8')) ?? '')
        : upstream.body;
      pass(response, { ...upstream, body: changed });
      return;
    }
    left -= 1;
    if (played.effect === 'late') [looks, late] = [0, () => forward(incoming, body)];
    const own = played.effect === 'taken' ? await forward(incoming, body) : undefined;
    if (played.answer === 'lost') incoming.socket.destroy();
    else if (played.answer === 'pass' && own !== undefined) pass(response, own);
    else say(response, played.answer, options);
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      serve(incoming, response, Buffer.concat(chunks)).catch(() => incoming.socket.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sends: () => sends,
    play(next) {
      current = next;
      [sends, looks, left, late] = [0, 0, next?.times ?? Infinity, undefined];
    },
    rewrite(path, change) {
      rewrite = { path, change };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function pass(response: ServerResponse, { http, headers, body }: Upstream): void {
  const { 'transfer-encoding': _chunked, connection: _hop, ...kept } = headers;
  response.writeHead(http, { ...kept, 'content-length': String(body.length) });
  response.end(body);
}

const STATUS = {
  yes: [200, 1, 'OK', 'ok'],
  restart: [200, 7, 'Reboot Required', 'rebootRequired'],
  busy: [503, 2, 'Device Busy', 'deviceBusy'],
  error: [500, 3, 'Device Error', 'deviceError'],
  content: [400, 6, 'Invalid Content', 'badParameters'],
  permission: [403, 4, 'Invalid Operation', 'lowPrivilege'],
} as const;

function say(
  response: ServerResponse,
  answer: Exclude<CaseAnswer, 'lost'>,
  options: WriteProxyOptions,
): void {
  const { format, yes } = options;
  if (answer === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!DOCTYPE html><html><head><title>Device</title></head><body>Please wait</body></html>');
    return;
  }
  const [http, code, text, sub] = STATUS[answer === 'pass' || answer === 'cut' ? 'yes' : answer];
  const whole =
    http === 200 && code === 1 && yes !== undefined
      ? yes
      : format === 'json'
        ? JSON.stringify({ statusCode: code, statusString: text, subStatusCode: sub })
        : `<?xml version="1.0" encoding="UTF-8"?><ResponseStatus version="2.0"><requestURL>/</requestURL><statusCode>${code}</statusCode><statusString>${text}</statusString><subStatusCode>${sub}</subStatusCode></ResponseStatus>`;
  response.writeHead(http, { 'content-type': `application/${format}` });
  response.end(answer === 'cut' ? whole.slice(0, Math.floor(whole.length / 2)) : whole);
}
