import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Site } from '#simulator/index.ts';
import { ask, parsed, site, until, type Reply } from './helpers.ts';

const BASE = '/API/Intelligent/AIOpenPlatform';
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(resolve);
        }),
    ),
  );
});

/** A file server; what it was asked ends in `seen`. */
async function fileServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    handle(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const send = (started: Site, method: string, path: string, body?: unknown): Promise<Reply> =>
  ask(started, method, `${BASE}${path}?format=json`, body === undefined ? undefined : JSON.stringify(body));
const percent = async (started: Site, MPID: string): Promise<number> =>
  Number(
    parsed(await send(started, 'GET', `/algorithmModel/progress/${encodeURIComponent(MPID)}`))['percent'],
  );
const models = async (started: Site): Promise<string[]> =>
  (
    parsed(await send(started, 'GET', '/algorithmModel/management'))['AlgorithmModels'] as unknown as {
      MPID: string;
    }[]
  ).map((model) => model.MPID);
const engine = async (started: Site, id: number): Promise<{ status: number; MPID: string }> =>
  parsed(await send(started, 'GET', `/algorithmModel/engine/${id}`))['LoadingInfo'] as unknown as {
    status: number;
    MPID: string;
  };

describe('model packages', () => {
  it('are downloaded with progress, take effect after a restart and then load', async () => {
    const content = Buffer.alloc(300_000, 1);
    let finish = (): void => undefined;
    const files = await fileServer((_request, response) => {
      response.writeHead(200, { 'content-length': String(content.length) });
      response.write(content.subarray(0, 150_000));
      finish = () => response.end(content.subarray(150_000));
    });
    const started = await site({ kinds: ['ai'] });
    const MPID = 'site/a b é';

    const created = parsed(
      await send(started, 'POST', '/algorithmModel', {
        MPID,
        MPName: 'New',
        URL: `http://user:pa%40ss@${files.url}/m.bin`,
        engine: [2],
      }),
    );
    await until(
      () => percent(started, MPID),
      (value) => value >= 40,
    );
    const halfway = await percent(started, MPID);
    finish();
    await until(
      () => percent(started, MPID),
      (value) => value === 100,
    );
    const listedBefore = await models(started);
    const early = parsed(await send(started, 'PUT', '/algorithmModel/loading/2', { MPID }));
    await started.device(0).restart();

    expect(created['statusCode']).toBe(1);
    expect(halfway).toBeGreaterThan(0);
    expect(halfway).toBeLessThan(100);
    expect(files.seen[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('user:pa@ss').toString('base64')}`,
    );
    expect(listedBefore).not.toContain(MPID);
    expect(early['subStatusCode']).toBe('invalidOperation');
    expect(await models(started)).toContain(MPID);
    expect(await engine(started, 2)).toMatchObject({ status: 10, MPID });
    started.clock.advance(6000);
    expect(await engine(started, 2)).toMatchObject({ status: 1, MPID, MPName: 'New' });
    expect(JSON.stringify(started.device(0).state())).toContain(
      createHash('sha256').update(content).digest('hex'),
    );
    expect(JSON.stringify([started.device(0).state(), started.device(0).requests])).not.toContain('pa%40ss');
  });

  it('whose download fails may be sent again; others may not', async () => {
    let good = false;
    const files = await fileServer((_request, response) => {
      response.writeHead(good ? 200 : 404).end('x');
    });
    const started = await site({ kinds: ['ai'] });
    const body = { MPID: 'p', URL: `http://${files.url}/` };
    const stage = () => Promise.resolve(JSON.stringify(started.device(0).state().parts['models']));

    await send(started, 'POST', '/algorithmModel', body);
    await until(stage, (state) => state.includes('"stage":"failed"'));
    good = true;
    const again = parsed(await send(started, 'POST', '/algorithmModel', body));
    await until(
      () => percent(started, 'p'),
      (value) => value === 100,
    );
    const twice = parsed(await send(started, 'POST', '/algorithmModel', body));

    expect([again['statusCode'], twice['subStatusCode']]).toEqual([1, 'alreadyExist']);
  });

  it('lose a download that a restart interrupts', async () => {
    const files = await fileServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
    });
    const started = await site({ kinds: ['ai'] });
    await send(started, 'POST', '/algorithmModel', { MPID: 'p', URL: `http://${files.url}/` });
    await until(
      () => percent(started, 'p'),
      (value) => value > 0,
    );

    await started.device(0).restart();

    expect(await percent(started, 'p')).toBe(0);
    expect(await models(started)).not.toContain('p');
  });

  it.each([
    ['a file URL', { MPID: 'p', URL: 'file:///etc/passwd' }],
    ['an engine it does not have', { MPID: 'p', URL: 'http://127.0.0.1:1/', engine: [3] }],
    ['no MPID', { URL: 'http://127.0.0.1:1/' }],
    ['an MPID too long', { MPID: 'x'.repeat(65), URL: 'http://127.0.0.1:1/' }],
    ['a URL too long', { MPID: 'p', URL: `http://x/${'y'.repeat(256)}` }],
  ])('are refused with %s', async (_name, body) => {
    const started = await site({ kinds: ['ai'] });

    expect(parsed(await send(started, 'POST', '/algorithmModel', body))['statusCode']).toBe(6);
  });

  // Would catch: an optional field demanded (1:2.3), or engines forgotten on the way.
  it('without a URL wait for one', async () => {
    const files = await fileServer((_request, response) => {
      response.end('content');
    });
    const started = await site({ kinds: ['ai'] });

    const announced = parsed(await send(started, 'POST', '/algorithmModel', { MPID: 'p', engine: [2] }));
    await started.device(0).restart();
    const before = await percent(started, 'p');
    const named = parsed(
      await send(started, 'PUT', '/algorithmModel/update', { MPID: 'p', URL: `http://${files.url}/` }),
    );
    await until(
      () => percent(started, 'p'),
      (value) => value === 100,
    );
    await started.device(0).restart();

    expect([announced['statusCode'], before, named['statusCode']]).toEqual([1, 0, 1]);
    expect(await engine(started, 2)).toMatchObject({ MPID: 'p' });
  });

  it('take space, and are deleted only when no engine has them', async () => {
    const started = await site({ kinds: ['ai'] });
    const MPID = 'delivered-safety-helmet';
    const space = parsed(await send(started, 'GET', '/algorithmModel/management/space'));

    const loaded = parsed(await send(started, 'DELETE', `/algorithmModel/management/space/${MPID}`));
    await send(started, 'DELETE', '/algorithmModel/unloading/1');
    const unloadedTwice = parsed(await send(started, 'DELETE', '/algorithmModel/unloading/1'));
    const deleted = parsed(await send(started, 'DELETE', `/algorithmModel/management/space/${MPID}`));

    expect(space).toEqual({ totalCapacity: 4096, surplusCapacity: 3916, MPNumbers: 1 });
    expect([loaded['subStatusCode'], unloadedTwice['subStatusCode'], deleted['statusCode']]).toEqual([
      'invalidOperation',
      'invalidOperation',
      1,
    ]);
    expect(parsed(await send(started, 'GET', '/algorithmModel/management/space'))).toEqual({
      totalCapacity: 4096,
      surplusCapacity: 4096,
      MPNumbers: 0,
    });
    expect((await engine(started, 1)).status).toBe(0);
  });

  it('change their name at once', async () => {
    const started = await site({ kinds: ['ai'] });

    await send(started, 'PUT', '/algorithmModel/update', {
      MPID: 'delivered-safety-helmet',
      MPName: 'Helmets',
    });
    const unknown = parsed(
      await send(started, 'PUT', '/algorithmModel/update', { MPID: 'none', MPName: 'x' }),
    );

    expect(await engine(started, 1)).toMatchObject({ MPName: 'Helmets' });
    expect(unknown['statusCode']).toBe(6);
  });

  it('an engine that is reset initializes for a while; a fourth engine does not exist', async () => {
    const started = await site({ kinds: ['ai'] });

    await send(started, 'PUT', '/algorithmModel/engine/1/reset');
    const during = await engine(started, 1);
    started.clock.advance(6000);

    expect(during.status).toBe(10);
    expect((await engine(started, 1)).status).toBe(1);
    expect((await send(started, 'GET', '/algorithmModel/engine/4')).http).toBe(404);
    expect(
      (
        parsed(await send(started, 'GET', '/algorithmModel/engines'))[
          'LoadingInfoList'
        ] as unknown as unknown[]
      ).length,
    ).toBe(2);
  });
});

describe('picture polling tasks', () => {
  const TASK = {
    taskID: 't/1',
    engine: 1,
    channel: [1, 2],
    pollingTime: 5,
    EventTrigger: [{ notificationMethod: 'center' }],
    vendor: 7,
  };
  const tasks = async (started: Site): Promise<Record<string, unknown>[]> =>
    parsed(await send(started, 'GET', '/picturePollingAnalysisTask'))['Tasks'] as unknown as Record<
      string,
      unknown
    >[];
  const UPDATE = '/picturePollingAnalysisTask/t%2F1';

  it('are created, listed and deleted', async () => {
    const started = await site({ kinds: ['ai'] });

    const created = parsed(await send(started, 'POST', '/picturePollingAnalysisTask', TASK));
    const twice = parsed(await send(started, 'POST', '/picturePollingAnalysisTask', TASK));
    const listed = await tasks(started);
    const unload = parsed(await send(started, 'DELETE', '/algorithmModel/unloading/1'));
    const deleted = parsed(await send(started, 'DELETE', UPDATE));

    expect([
      created['statusCode'],
      twice['subStatusCode'],
      unload['subStatusCode'],
      deleted['statusCode'],
    ]).toEqual([1, 'alreadyExist', 'invalidOperation', 1]);
    expect(listed).toEqual([TASK]);
    expect(await tasks(started)).toEqual([]);
  });

  it('keep their linkages when an update leaves them out, and lose them when it sends none', async () => {
    const started = await site({ kinds: ['ai'] });
    await send(started, 'POST', '/picturePollingAnalysisTask', TASK);

    await send(started, 'PUT', UPDATE, { channel: [3], pollingTime: 9 });
    const kept = (await tasks(started))[0];
    await send(started, 'PUT', UPDATE, { channel: [3], pollingTime: 9, EventTrigger: [] });
    const emptied = (await tasks(started))[0];

    expect(kept).toEqual({
      taskID: 't/1',
      engine: 1,
      channel: [3],
      pollingTime: 9,
      EventTrigger: [{ notificationMethod: 'center' }],
    });
    expect(emptied).toEqual({ taskID: 't/1', engine: 1, channel: [3], pollingTime: 9 });
  });

  it.each([
    [
      'channel and Stream',
      { ...TASK, Stream: { streamType: 'realTime', streamSourceType: 'URL', StreamSourceList: [] } },
    ],
    ['a channel it does not have', { ...TASK, channel: [5] }],
    ['an engine it does not have', { ...TASK, engine: 9 }],
    ['pollingTime 0', { ...TASK, pollingTime: 0 }],
    ['a period that is no time', { ...TASK, TimeRange: [{ week: 1, beginTime: '8:00', endTime: '25:00' }] }],
  ])('are refused with %s', async (_name, body) => {
    const started = await site({ kinds: ['ai'] });

    expect(parsed(await send(started, 'POST', '/picturePollingAnalysisTask', body))['statusCode']).toBe(6);
  });

  it.each<[name: string, body: object]>([
    [
      'nine periods a day: eight is the default',
      {
        ...TASK,
        TimeRange: Array.from({ length: 9 }, (_, index) => ({
          week: 1,
          beginTime: `0${index}:00`,
          endTime: `0${index}:30`,
        })),
      },
    ],
    ['a period past midnight', { ...TASK, TimeRange: [{ week: 1, beginTime: '22:00', endTime: '06:00' }] }],
    [
      'an empty stream address',
      {
        ...TASK,
        channel: undefined,
        Stream: {
          streamType: 'realTime',
          streamSourceType: 'URL',
          StreamSourceList: [{ cameraIndexCode: 'c', URL: { URL: '' } }],
        },
      },
    ],
    [
      'a stream without its address',
      {
        ...TASK,
        channel: undefined,
        Stream: {
          streamType: 'realTime',
          streamSourceType: 'URL',
          StreamSourceList: [{ cameraIndexCode: 'c' }],
        },
      },
    ],
  ])('are taken with %s', async (_name, body) => {
    const started = await site({ kinds: ['ai'] });

    expect(parsed(await send(started, 'POST', '/picturePollingAnalysisTask', body))['statusCode']).toBe(1);
  });

  it('are not updated by a body that names task or engine', async () => {
    const started = await site({ kinds: ['ai'] });
    await send(started, 'POST', '/picturePollingAnalysisTask', TASK);

    const reply = parsed(await send(started, 'PUT', UPDATE, { engine: 2, channel: [1], pollingTime: 5 }));

    expect(reply['statusCode']).toBe(6);
    expect(await tasks(started)).toEqual([TASK]);
  });

  it('never give a password back', async () => {
    const started = await site({ kinds: ['ai'] });
    const { channel: _channel, ...rest } = TASK;

    const created = await send(started, 'POST', '/picturePollingAnalysisTask', {
      ...rest,
      Stream: {
        streamType: 'realTime',
        streamSourceType: 'URL',
        StreamSourceList: [
          {
            cameraIndexCode: 'c',
            URL: { URL: 'rtsp://192.0.2.1/1', userName: 'u', password: 'stream secret' },
          },
        ],
      },
    });

    expect(created.http).toBe(200);
    expect(JSON.stringify([await tasks(started), started.device(0).state()])).not.toContain('stream secret');
  });
});
