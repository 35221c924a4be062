import { afterEach, describe, expect, it } from 'vitest';
import { findRootNamespace } from '#engine/device/root-namespace.ts';
import { errorOf } from './directory.ts';
import { engineSite, never, type EngineSite } from './engine-site.ts';
import type { CallAnswer } from '#shared/model.ts';
import { startServer } from './hostile-server.ts';

let here: EngineSite | undefined;
afterEach(async () => {
  await here?.close();
  here = undefined;
});
async function start(
  options: Parameters<typeof engineSite>[0],
): Promise<EngineSite & { readonly id: string }> {
  here = await engineSite(options);
  return { ...here, id: here.ids[0] ?? '' };
}
const MODE = { operation: 'thermal.thermometryMode.put', params: { channelID: 1 } };

const STATUS = (code: number, sub: string, namespace: string): string =>
  `<ResponseStatus version="2.0"${namespace === '' ? '' : ` xmlns="${namespace}"`}><requestURL>/</requestURL><statusCode>${code}</statusCode><statusString>x</statusString><subStatusCode>${sub}</subStatusCode></ResponseStatus>`;

describe('call', () => {
  it.each([
    ['digest', '/API'],
    ['digest-sha256', '/Other/v2'],
    ['none', '/API'],
  ] as const)('reads and writes with %s below %s', async (auth, prefix) => {
    const { engine, id } = await start({ kinds: ['thermal'], auth, prefix });

    const written = await engine.operations.call({ deviceId: id, ...MODE, body: { mode: 'expert' } }, never);
    const read = await engine.operations.call(
      { deviceId: id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 } },
      never,
    );

    expect(written).toMatchObject({ outcome: 'ok', status: { http: 200, statusCode: 1 } });
    expect(read).toMatchObject({ outcome: 'ok', value: { mode: 'expert' } });
  });

  // Would catch: a document in a namespace the device does not know as its own.
  it('writes with the root attributes the device itself uses', async () => {
    const { engine, site, id } = await start({ kinds: ['thermal'], namespace: 'urn:made-up:7' });

    await engine.operations.call({ deviceId: id, ...MODE, body: { mode: 'expert' } }, never);

    expect(site.device(0).requests.find((request) => request.method === 'PUT')?.body).toMatch(
      /^<\?xml[^>]+>\s*<ThermometryMode[^>]* xmlns="urn:made-up:7"/,
    );
  });

  // Would catch: a document without any namespace, because the device gives its root a prefix.
  it('and in the namespace of a root with a prefix', async () => {
    const { engine } = await start({ kinds: ['thermal'] });
    const own =
      '<n:ThermometryMode version="1.5" xmlns="urn:other" xmlns:n="urn:own"><n:mode>AI</n:mode></n:ThermometryMode>';
    const server = await startServer((request, response) =>
      response.end(
        request.method === 'GET' ? (server.requests.find(({ method }) => method === 'PUT')?.body ?? own) : '',
      ),
    );
    const device = engine.devices.addTransient({ url: server.url });

    await engine.operations
      .call({ deviceId: device.id, ...MODE, body: { mode: 'expert' } }, never)
      .finally(() => server.close());

    const put = server.requests.find(({ method }) => method === 'PUT');
    expect(put?.body).toMatch(/<ThermometryMode version="1.5" xmlns="urn:own">/);
  });

  // Would catch: a namespace of the profile, or none, for a device that refuses to show the document which is written.
  it('in the namespace of any document, where the device does not show its own', async () => {
    const { engine } = await start({ kinds: ['thermal'] });
    const server = await startServer((request, response) => {
      if (request.method === 'GET' && !request.url?.includes('/System/capabilities')) {
        response.writeHead(403);
        return response.end(STATUS(4, 'notSupport', ''));
      }
      return response.end(
        request.method === 'GET' ? '<DeviceCap xmlns="urn:own" version="2.0"/>' : STATUS(1, 'ok', 'urn:own'),
      );
    });
    const device = engine.devices.addTransient({ url: server.url });

    await engine.operations
      .call({ deviceId: device.id, ...MODE, body: { mode: 'expert' } }, never)
      .finally(() => server.close());

    expect(server.requests.find(({ method }) => method === 'PUT')?.body).toContain('xmlns="urn:own"');
  });

  // Would catch: "does not accept this content" alone, where the namespace is what the device minds.
  it.each([
    ['nothing', '', 'device.namespace-unseen', { sent: 'urn:profile' }],
    ['only its refusal', 'urn:own', 'device.namespace-other', { sent: 'urn:profile', shown: 'urn:own' }],
  ])('says that the namespace may be why, of a device that shows %s', async (_, own, id, values) => {
    const { engine } = await start({ kinds: ['thermal'] });
    const server = await startServer((request, response) => {
      response.writeHead(request.method === 'GET' ? 404 : 400);
      response.end(request.method === 'GET' ? '' : STATUS(6, 'badXmlContent', own));
    });
    const device = engine.devices.addTransient({ url: server.url, profile: { namespace: 'urn:profile' } });

    const answer = await engine.operations
      .call({ deviceId: device.id, ...MODE, body: { mode: 'expert' } }, never)
      .finally(() => server.close());

    expect(answer.error).toMatchObject({
      code: 'invalid-content',
      detail: { id, values, reason: 'x (badXmlContent)' },
    });
    expect(answer.error?.hint).toContain('urn:profile');
  });

  // Would catch: a namespace that is overlooked because something precedes the root.
  it.each([
    ['a declaration', '<?xml version="1.0"?>'],
    ['a comment', '<?xml version="1.0"?>\n<!-- made by <b> -->\n'],
    ['an instruction', '\ufeff<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?>'],
  ])('is found behind %s', (_what, before) => {
    expect(findRootNamespace(`${before}<A version="2.0" xmlns = 'urn:own'><b xmlns="urn:b"/></A>`)).toBe(
      'urn:own',
    );
    expect(findRootNamespace(`${before}<n:A xmlns="urn:other" xmlns:n="urn:own"/>`)).toBe('urn:own');
    expect(findRootNamespace(`${before}<A><b xmlns="urn:b"/></A>`)).toBeUndefined();
  });

  it('says nothing of it where the document had the namespace of the device', async () => {
    const { engine } = await start({ kinds: ['thermal'] });
    const server = await startServer((request, response) => {
      if (request.method === 'GET')
        return response.end(
          '<ThermometryMode version="2.0" xmlns="urn:own"><mode>AI</mode></ThermometryMode>',
        );
      response.writeHead(400);
      return response.end(STATUS(6, 'badXmlContent', 'urn:another'));
    });
    const device = engine.devices.addTransient({ url: server.url });

    const answer = await engine.operations
      .call({ deviceId: device.id, ...MODE, body: { mode: 'expert' } }, never)
      .finally(() => server.close());

    expect(answer.error?.detail?.id).toBe('device.content');
  });

  it('gives a refusal as an answer with the device’s reason', async () => {
    const { engine, id } = await start({ kinds: ['gate'] });

    const answer = await engine.operations.call(
      { deviceId: id, operation: 'thermal.capabilities.get' },
      never,
    );

    expect(answer).toMatchObject({
      outcome: 'refused',
      error: { code: 'not-supported', operation: 'thermal.capabilities.get' },
    });
  });

  it('decodes what a query answers', async () => {
    const { engine, id } = await start({ kinds: ['gate'] });

    const answer = await engine.operations.call(
      {
        deviceId: id,
        operation: 'accessControl.users.search',
        body: { searchID: 'a', searchResultPosition: 0, maxResults: 2 },
      },
      never,
    );

    expect(answer).toMatchObject({ outcome: 'ok', value: { searchID: 'a', numOfMatches: 2 } });
  });

  it('hands bytes through when raw', async () => {
    // The bytes are the test's own: they have no namespace.
    const { engine, site, id } = await start({ kinds: ['thermal'], strict: false });
    const body =
      '<?xml version="1.0"?>\r\n<ThermometryMode version="2.0"><mode>expert</mode></ThermometryMode>';

    const written = await engine.operations.call({ deviceId: id, ...MODE, raw: true, body }, never);
    const read = await engine.operations.call(
      { deviceId: id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 }, raw: true },
      never,
    );

    expect(written.raw).toContain('<ResponseStatus');
    expect(
      site.device(0).requests.find((request) => request.method === 'PUT' && request.http === 200)?.body,
    ).toBe(body);
    expect(read.raw).toContain('<mode>expert</mode>');
  });

  it('reaches what the specification names without showing it, raw only', async () => {
    const { engine, site, id } = await start({ kinds: ['gate'] });

    const refused = await errorOf(
      engine.operations.call({ deviceId: id, operation: 'token.check', body: {} }, never),
    );
    const raw = await engine.operations.request(
      { deviceId: id, method: 'post', path: '/API/System/Token/check', body: '<TokenInfo/>' },
      never,
    );

    expect(refused.code).toBe('not-allowed');
    expect(raw.raw).toBeTruthy();
    expect(site.device(0).requests.filter((request) => request.method === 'POST').length).toBeGreaterThan(0);
  });

  // Would catch: a mistake that only the device finds, after half the job is done.
  it.each<[string, object, string, string | undefined]>([
    ['an unknown operation', { operation: 'thermal.thermometryMod.put' }, 'unknown-operation', undefined],
    [
      'a missing parameter',
      { operation: MODE.operation, body: { mode: 'AI' } },
      'missing-parameter',
      'params.channelID',
    ],
    [
      'an unknown parameter',
      { ...MODE, params: { channelID: 1, x: 1 }, body: { mode: 'AI' } },
      'unknown-parameter',
      'params.x',
    ],
    ['a value out of its options', { ...MODE, body: { mode: 'turbo' } }, 'not-allowed', 'mode'],
    ['a missing field', { ...MODE, body: { thermometryROIEnabled: true } }, 'missing-field', 'mode'],
    ['an unknown field', { ...MODE, body: { mode: 'AI', moode: 1 } }, 'unknown-field', 'moode'],
    ['no body', { ...MODE }, 'missing-field', 'body'],
    ['a body where none is due', { operation: 'thermal.capabilities.get', body: {} }, 'not-allowed', 'body'],
    ['a raw body that is no text', { ...MODE, raw: true, body: {} }, 'usage', 'body'],
  ])('refuses %s before anything is sent', async (_name, request, code, path) => {
    const { engine, site, id } = await start({ kinds: ['thermal'] });

    const error = await errorOf(
      engine.operations.call({ deviceId: id, ...(request as { operation: string }) }, never),
    );

    expect([error.code, error.shape.path]).toEqual([code, path]);
    expect(error.shape.source).toBe('user');
    expect(site.device(0).requests).toHaveLength(0);
  });

  it('tells every mistake at once', async () => {
    const { engine, id } = await start({ kinds: ['gate'] });

    const error = await errorOf(
      engine.operations.call(
        {
          deviceId: id,
          operation: 'accessControl.hostConfig.put',
          body: { thermalUnit: 'kelvin', voicePromt: true },
        },
        never,
      ),
    );

    expect([error.shape, ...(error.shape.others ?? [])].map((issue) => issue.path).sort()).toEqual([
      'thermalUnit',
      'voicePromt',
    ]);
  });

  // Would catch: limits of this device that narrow forms and plans but let `call` through.
  it('refuses what this device does not take, before sending it', async () => {
    const { engine, site, id } = await start({ kinds: ['thermal'] });

    const error = await errorOf(
      engine.operations.call({ deviceId: id, ...MODE, body: { mode: 'AI' } }, never),
    );

    expect(error.shape).toMatchObject({
      code: 'not-allowed',
      path: 'mode',
      operation: 'thermal.thermometryMode.put',
    });
    expect(site.device(0).requests.filter((request) => request.method === 'PUT')).toEqual([]);
  });

  it('sends a stream password readable only with consent', async () => {
    const { engine, site, id } = await start({ kinds: ['ai'] });
    const body = {
      taskID: 't1',
      engine: 1,
      pollingTime: 5,
      Stream: {
        streamType: 'realTime',
        streamSourceType: 'URL',
        StreamSourceList: [
          {
            cameraIndexCode: 'c1',
            URL: { URLMode: 'RTSP', URL: 'rtsp://10.0.0.9/1', userName: 'viewer', password: 'stream-pw' },
          },
        ],
      },
    };
    const request = { deviceId: id, operation: 'aiPlatform.picturePollingTasks.create', body };

    const error = await errorOf(engine.operations.call(request, never));
    const before = site.device(0).requests.length;
    await engine.operations.call({ ...request, allowPlainFields: true }, never);

    expect([error.code, error.shape.path]).toEqual([
      'consent-needed',
      'Stream.StreamSourceList[0].URL.userName',
    ]);
    expect(before).toBe(0);
    expect(site.device(0).requests.length).toBeGreaterThan(0);
  });
});

describe('a connection that ends before the answer', () => {
  // Would catch: repeating a read with the nonce count already used, which the device takes for a wrong sign-in.
  it('repeats a read with a new signature and keeps the sign-in', async () => {
    const { engine, site, id } = await start({ kinds: ['thermal'] });
    const read = { deviceId: id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 } };
    await engine.operations.call(read, never);
    site.device(0).setFault('reset', 1, { method: 'GET' });

    const lost = [
      await errorOf(engine.operations.call(read, never)),
      await errorOf(engine.operations.call(read, never)),
    ];
    site.device(0).clearFaults();
    const after = await engine.operations.call(read, never);

    expect(lost.map((error) => error.code)).toEqual(['connection-lost', 'connection-lost']);
    expect(after.outcome).toBe('ok');
    expect(engine.devices.list()[0]?.signIn).toBe('ok');
  });
});

describe('consent', () => {
  // Would catch: asking for consent where the specification puts the sign-in inside the address (part 1, 5).
  it('is not asked for the address of a model package', async () => {
    const { engine, id } = await start({ kinds: ['ai'] });
    const body = { MPID: 'face-1', URL: 'http://user:secret@127.0.0.1:9/none.bin' };

    const answer = await engine.operations.call(
      { deviceId: id, operation: 'aiPlatform.models.create', body },
      never,
    );

    expect(answer.outcome).toBe('ok');
  });
});

/** Sends a request to a device that answers `text` to everything. */
async function answered(
  text: string,
  request: Parameters<EngineSite['engine']['operations']['call']>[0] extends infer Request
    ? Omit<Request, 'deviceId'>
    : never,
): Promise<CallAnswer> {
  const { engine } = await start({ kinds: ['thermal'] });
  const server = await startServer((_request, response) => response.end(text));
  const device = engine.devices.addTransient({ url: server.url });
  return engine.operations.call({ deviceId: device.id, ...request }, never).finally(() => server.close());
}

describe('what a device sends beside the value', () => {
  const GET_MODE = { operation: 'thermal.thermometryMode.get', params: { channelID: 1 } };

  // Would catch: "it is kept as it is" said of a member that is then nowhere to be seen.
  it('is shown with its path and what it holds (XML)', async () => {
    const answer = await answered(
      `<ThermometryMode><mode>AI</mode><vendorHint a="1"> A &amp; B </vendorHint><vendorRule><id>007</id><Row>1</Row><Row><deep>2</deep></Row></vendorRule><twice>1</twice><twice>2</twice></ThermometryMode>`,
      GET_MODE,
    );

    expect(answer.value).toEqual({ mode: 'AI' });
    expect(answer.unlisted).toEqual([
      { path: 'vendorHint', value: 'A & B' },
      { path: 'vendorRule', value: { id: '007', Row: ['1', { deep: '2' }] } },
      { path: 'twice', value: ['1', '2'] },
    ]);
  });

  it('is shown with its path and what it holds (JSON, in lists too)', async () => {
    const answer = await answered(
      '{"UserInfoSearch":{"searchID":"a","responseStatusStrg":"OK","numOfMatches":1,"totalMatches":1,"UserInfo":[{"employeeNo":"7","vendor":{"x":[1,true]},"__proto__":"p"}]},"beside":null}',
      {
        operation: 'accessControl.users.search',
        body: { searchID: 'a', searchResultPosition: 0, maxResults: 2 },
      },
    );

    expect(answer.unlisted).toEqual([
      { path: 'beside', value: null },
      { path: 'UserInfo[0].vendor', value: { x: [1, true] } },
      { path: 'UserInfo[0].__proto__', value: 'p' },
    ]);
  });

  it('says nothing where there is nothing', async () => {
    expect(await answered('<ThermometryMode><mode>AI</mode></ThermometryMode>', GET_MODE)).not.toHaveProperty(
      'unlisted',
    );
  });

  // Would catch: a capability document of which only the present values are shown.
  it('is what each field takes, of a capability document', async () => {
    const { limits, value } = await answered(
      '<ChannelControllerCfg><openAndCloseSpeed min="1" max="10" def="5">4</openAndCloseSpeed><workMode opt="a,b"/><Rows size="3"/><vendorSpeed min="2"/></ChannelControllerCfg>',
      { operation: 'gate.channelController.capabilities.get' },
    );

    expect(value).toMatchObject({ openAndCloseSpeed: 4 });
    expect(limits?.map(({ operation: _operation, label: _label, ...limit }) => limit)).toEqual([
      { path: 'openAndCloseSpeed', min: 1, max: 10, default: '5' },
      expect.objectContaining({ path: 'workMode', options: ['a', 'b'] }),
      { path: 'Rows', size: 3, unlisted: true },
      { path: 'vendorSpeed', min: 2, unlisted: true },
    ]);
  });
});

describe('answers that are none', () => {
  it.each<[string, string, string]>([
    ['an HTML page', '<!DOCTYPE html><html><body>Welcome</body></html>', 'malformed-answer'],
    ['nothing', '', 'malformed-answer'],
    ['another document', '<DeviceCap/>', 'malformed-answer'],
    ['half a document', '<ThermometryMode><mode>AI</mo', 'malformed-answer'],
    [
      'an entity bomb',
      '<!DOCTYPE a [<!ENTITY b "c">]><ThermometryMode><mode>&b;</mode></ThermometryMode>',
      'malformed-answer',
    ],
    ['JSON where XML is due', '{"mode":"AI"}', 'malformed-answer'],
    ['depth', '<a>'.repeat(10_000), 'answer-too-large'],
  ])('%s is a typed error that names operation and device', async (_name, text, code) => {
    const { engine } = await start({ kinds: ['thermal'] });
    const server = await startServer((_request, response) => response.end(text));
    const device = engine.devices.addTransient({ url: server.url });

    const error = await errorOf(
      engine.operations.call(
        { deviceId: device.id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 } },
        never,
      ),
    ).finally(() => server.close());

    expect(error.code).toBe(code);
    expect(error.shape).toMatchObject({ operation: 'thermal.thermometryMode.get', device: server.url });
  });
});
