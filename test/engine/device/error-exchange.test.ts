import { describe, expect, it, onTestFinished } from 'vitest';
import { findOperation } from '#protocol/index.ts';
import { MASK } from '#shared/exchange.ts';
import { digestDevice, TELLS_ATTEMPTS } from './digest-device.ts';
import { errorOf, oneDevice, type OneDevice } from './directory.ts';
import { startRawServer, startServer, type Handler } from './hostile-server.ts';

const PASSWORD = 'correct horse & <battery>';
const never = new AbortController().signal;

async function site(handler: Handler): Promise<OneDevice> {
  const server = await startServer(handler);
  const device = oneDevice(server.url, { password: PASSWORD, profile: { auth: 'basic' } });
  onTestFinished(() => server.close());
  onTestFinished(() => device.clients.close());
  return device;
}
function operation(id: string) {
  const found = findOperation(id);
  if (found === undefined) throw new Error(id);
  return found;
}

describe('an error that came of an exchange shows it', () => {
  it('a document that cannot be read: request and answer', async () => {
    const device = await site((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', server: 'web' })
        .end('<html><body>Router</body></html>'),
    );

    const error = await errorOf(
      device.clients.get('d-1').read(operation('system.capabilities.get'), {}, { signal: never }),
    );

    expect(error.shape).toMatchObject({
      code: 'malformed-answer',
      exchange: {
        method: 'GET',
        url: expect.stringContaining('/API/System/capabilities'),
        http: 200,
        responseHeaders: { server: 'web' },
        responseBody: '<html><body>Router</body></html>',
      },
    });
  });

  it('a lost connection: the request alone, not the answer to an earlier part of it', async () => {
    const server = await startRawServer((socket) => {
      let received = '';
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        if (/^authorization:/im.test(received)) socket.resetAndDestroy();
        else if (received.includes('</A>'))
          socket.write(
            `HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: ${TELLS_ATTEMPTS.length}\r\n\r\n${TELLS_ATTEMPTS}`,
          );
      });
    });
    const device = oneDevice(server.url, { password: PASSWORD, profile: { auth: 'basic' } });
    onTestFinished(() => server.close());
    onTestFinished(() => device.clients.close());

    const { code, shape } = await errorOf(device.put('/API/x', '<A><passwd>hidden-1</passwd></A>'));

    expect(code).toBe('connection-lost');
    expect(shape.exchange).toEqual({
      method: 'PUT',
      url: '/API/x',
      requestHeaders: { 'content-type': 'application/xml' },
      requestBody: `<A><passwd>${MASK}</passwd></A>`,
      responseBody: '',
      ms: expect.any(Number),
    });
  });

  it('a refused sign-in: what the device answered to it, kept with the device', async () => {
    const { handler } = digestDevice({
      password: 'another one',
      refusalBody: '<userCheck><statusValue>401</statusValue><retryLoginTime>3</retryLoginTime></userCheck>',
    });
    const device = await site(handler);

    const error = await errorOf(
      device.clients.get('d-1').read(operation('system.capabilities.get'), {}, { signal: never }),
    );

    expect(error.shape.exchange).toMatchObject({
      method: 'GET',
      url: expect.stringContaining('/API/System/capabilities'),
      http: 401,
      responseBody: expect.stringContaining('<retryLoginTime>3'),
    });
    expect(
      device.observations.findLast((observation) => observation.type === 'failed')?.error.shape.exchange,
    ).toEqual(error.shape.exchange);
  });

  // Would catch: a PIN under an unknown name, typed into a raw request, ending in the database.
  it('a raw request: told to who made it, kept nowhere', async () => {
    const device = await site((request) => request.socket.destroy());

    const error = await errorOf(device.put('/API/x', '<A><unheardOf>4711</unheardOf></A>'));

    expect(error.shape.exchange?.requestBody).toContain('4711');
    expect(JSON.stringify(device.observations)).not.toContain('4711');
  });

  // Would catch: the password of a storage card in the journal, because the device quotes it in its refusal.
  it('a refusal that quotes what was sent: its words without the secret, in the status too', async () => {
    const device = await site((_request, response) =>
      response
        .writeHead(400, { 'content-type': 'application/xml' })
        .end(
          '<ResponseStatus><statusCode>6</statusCode><subStatusCode>bad passwd Ab3dEfGh9</subStatusCode></ResponseStatus>',
        ),
    );

    const { status } = await device.clients
      .get('d-1')
      .write(operation('storage.rwLock.put'), {}, '<RWLock><passwd>Ab3dEfGh9</passwd></RWLock>', {
        signal: never,
      });

    expect(status.report).toMatchObject({ subStatusCode: `bad passwd ${MASK}` });
    expect(JSON.stringify(status)).not.toContain('Ab3dEfGh9');
  });

  // Would catch: an address that is masked because it is in the header of the sign-in as well.
  it('the address of a request that was signed in with Digest, however long it is', async () => {
    const { handler } = digestDevice({
      password: PASSWORD,
      answer: (_request, response) => response.writeHead(403).end(),
    });
    const device = await site(handler);

    const { exchange } = await device.clients
      .get('d-1')
      .write(operation('storage.rwLock.put'), {}, '<RWLock/>', { signal: never });

    expect(exchange().url).toBe('/API/Smart/storageDetection/rwlock');
  });

  it('nothing where nothing was tried', async () => {
    const { handler } = digestDevice({ password: 'another one' });
    const device = await site(handler);
    await errorOf(device.get('/API/1'));

    expect((await errorOf(device.get('/API/2'))).shape).not.toHaveProperty('exchange');
  });
});

describe('no secret can be read from it', () => {
  // Would catch: a hostile or careless device that repeats what it was sent into an error a colleague is mailed.
  it.each([
    ['the password, as text', (sent: string, secret: string) => `Wrong: ${secret} ${sent.length}`],
    [
      'the password, inside XML',
      (_sent: string, secret: string) =>
        `<A>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</A>`,
    ],
    ['the password, inside JSON', (_sent: string, secret: string) => JSON.stringify({ echo: secret })],
    ['the password, in base64', (_sent: string, secret: string) => Buffer.from(secret).toString('base64')],
    ['the whole header', (sent: string) => `You sent ${sent}`],
    ['the credentials of the header', (sent: string) => sent.replace('Basic ', '')],
  ])('a device that echoes %s', async (_what, echo) => {
    const device = await site((request, response) => {
      const sent = request.headers.authorization;
      if (sent === undefined) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      else
        response
          .writeHead(401, {
            'x-echo': encodeURIComponent(PASSWORD),
            'content-type': 'text/plain',
            'www-authenticate': 'Basic realm="x"',
          })
          .end(echo(sent, PASSWORD));
    });

    const text = JSON.stringify((await errorOf(device.get('/API/x?token=hidden-2'))).shape);

    for (const secret of [
      PASSWORD,
      JSON.stringify(PASSWORD).slice(1, -1),
      encodeURIComponent(PASSWORD),
      'correct horse &amp;',
      'hidden-2',
      Buffer.from(PASSWORD).toString('base64'),
      Buffer.from(`admin:${PASSWORD}`).toString('base64'),
    ])
      expect(text).not.toContain(secret);
    expect(text).toContain(MASK);
  });

  it('a device that echoes the signature of Digest', async () => {
    const { handler } = digestDevice({ password: 'another one' });
    let signature = '';
    const device = await site((request, response) => {
      signature = /response="([^"]+)"/.exec(request.headers.authorization ?? '')?.[1] ?? signature;
      const end = response.end.bind(response);
      response.end = ((_body: string) =>
        end(`refused ${signature} of ${request.headers.authorization ?? ''}`)) as typeof response.end;
      handler(request, response);
    });

    const text = JSON.stringify((await errorOf(device.get('/API/x'))).shape);

    expect(signature).toMatch(/^[0-9a-f]{32}$/);
    expect(text).not.toContain(signature);
    expect(text).not.toMatch(/cnonce=[^•]/);
  });

  it('fingerprints and passwords inside a document that is refused', async () => {
    const device = await site((_request, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"statusCode":6,"fingerData":"QklPTUVUUklD"}'),
    );
    const upload = operation('accessControl.users.setUp');

    const answer = await device.clients
      .get('d-1')
      .write(upload, {}, '{"UserInfo":{"password":"hidden-3","employeeNo":"7"}}', { signal: never });
    const text = JSON.stringify(answer.exchange());

    expect(text).toContain('employeeNo');
    expect(text).not.toContain('hidden-3');
    expect(text).not.toContain('QklPTUVUUklD');
  });
});

describe('it is small', () => {
  it('whatever the device sends', async () => {
    const flood = Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`x-${nth}`, 'h'.repeat(180)]));
    const device = await site((_request, response) =>
      response.writeHead(200, flood).end('x'.repeat(1_000_000)),
    );

    const { exchange } = (
      await errorOf(
        device.clients.get('d-1').read(operation('system.capabilities.get'), {}, { signal: never }),
      )
    ).shape;

    expect(exchange?.cut).toBe(true);
    expect(JSON.stringify(exchange).length).toBeLessThan(6_000);
  });
});
