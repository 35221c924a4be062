import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MASK } from '#shared/exchange.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Client } from '#renderer/client/index.ts';
import { startTestServer, type TestServer } from './helpers/running-server.ts';

/** A device that answers what the test says, whatever it is asked. */
interface Scripted {
  http: number;
  text: string;
  headers: Record<string, string>;
  readonly received: { readonly method: string; readonly url: string; readonly body: string }[];
}

const device: Scripted = { http: 200, text: '', headers: {}, received: [] };
let running: TestServer;
let page: Client;
let server: Server;
let deviceId: string;

beforeAll(async () => {
  running = await startTestServer();
  page = await running.page();
  server = createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        body += chunk;
      })
      .on('end', () => {
        device.received.push({ method: request.method ?? '', url: request.url ?? '', body });
        response
          .writeHead(device.http, { 'content-type': 'application/xml', ...device.headers })
          .end(device.text);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  deviceId = (await page.api.devices.add({ address: `http://127.0.0.1:${port}` })).id;
});
afterAll(async () => {
  await running.close();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});
beforeEach(() => {
  Object.assign(device, { http: 200, text: '', headers: {} });
  device.received.length = 0;
});

async function failure(call: Promise<unknown>): Promise<FieldwrightError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FieldwrightError) return error;
  throw new Error(`Expected a FieldwrightError, got ${String(error)}`);
}

const PRINTS = JSON.stringify({
  FingerPrintInfo: {
    searchID: '1',
    status: 'OK',
    FingerPrintList: [
      { cardReaderNo: 1, fingerPrintID: 1, fingerType: 'normalFP', fingerData: 'QklPTUVUUklD' },
    ],
  },
});
const QUERY = { operation: 'accessControl.fingerprints.query', body: { searchID: '1', employeeNo: '7' } };

describe('what a device answers', () => {
  // Would catch: a password under a name of the device's own, shown because no definition knows it.
  test('crosses without the secrets among its own members', async () => {
    device.text =
      '<ThermometryMode><mode>AI</mode><vendorPassword>hunter22</vendorPassword><vendorAccess><user>root</user><url>http://a:hunter22@x/</url><level>3</level></vendorAccess></ThermometryMode>';
    const shown = await page.api.operations.call({
      deviceId,
      operation: 'thermal.thermometryMode.get',
      params: { channelID: '1' },
    });

    expect(shown.unlisted).toEqual([
      { path: 'vendorPassword', value: MASK },
      {
        path: 'vendorAccess',
        value: { user: MASK, url: expect.not.stringContaining('hunter22') as string, level: '3' },
      },
    ]);
  });

  test('crosses to a page without biometric data, and to the command line with it', async () => {
    device.text = PRINTS;
    const shown = await page.api.operations.call({ deviceId, ...QUERY, trace: true });
    const real = await running.engine.operations.call({ deviceId, ...QUERY }, new AbortController().signal);

    expect(JSON.stringify(shown)).not.toContain('QklPTUVUUklD');
    expect(shown.value).toMatchObject({ FingerPrintList: [{ cardReaderNo: 1, fingerData: MASK }] });
    expect(shown.exchange).toMatchObject({
      method: 'POST',
      url: '/API/AccessControl/FingerPrintUpload?format=json',
      http: 200,
      responseBody: PRINTS.replace('QklPTUVUUklD', MASK),
    });
    expect(JSON.stringify(real.value)).toContain('QklPTUVUUklD');
    expect(real).not.toHaveProperty('exchange');
  });

  test('does not give back what it was sent in secret, not even in its complaint', async () => {
    device.http = 400;
    device.text =
      '<ResponseStatus><statusCode>6</statusCode><statusString>no: s3cr3tcard</statusString><subStatusCode>badParameters</subStatusCode></ResponseStatus>';
    const answer = await page.api.operations.call({
      deviceId,
      operation: 'storage.unlock.put',
      body: { passwd: 's3cr3tcard' },
      trace: true,
    });

    expect(device.received.at(-1)?.body).toContain('s3cr3tcard');
    expect(answer).toMatchObject({ outcome: 'refused', error: { code: 'invalid-content' } });
    expect(JSON.stringify(answer)).not.toContain('s3cr3tcard');
    expect(answer.exchange?.requestBody).toContain(`<passwd>${MASK}</passwd>`);
  });

  test('keeps its outcome where a secret is an ordinary word', async () => {
    device.http = 400;
    device.text =
      '<ResponseStatus><statusCode>6</statusCode><subStatusCode>badParameters</subStatusCode></ResponseStatus>';
    const answer = await page.api.operations.call({
      deviceId,
      operation: 'storage.unlock.put',
      body: { passwd: 'refused' },
    });
    const other = await page.api.operations.call({
      deviceId,
      operation: 'storage.unlock.put',
      body: { passwd: 'invalid' },
    });

    expect([answer.outcome, other.error?.code]).toEqual(['refused', 'invalid-content']);
  });

  test('is redacted by its names where nothing describes it, in the body, the path and the headers', async () => {
    device.text = '{"user":"bob","password":"hunter22","next":"rtsp://a:hunter33@h/1"}';
    device.headers = { 'set-cookie': 'sid=hunter44', 'x-next': 'http://a:hunter55@h/' };
    const answer = await page.api.operations.request({
      deviceId,
      method: 'POST',
      path: '/API/x?format=json&token=hunter66',
      body: '{"key":"hunter77"}',
      trace: true,
    });

    expect(device.received.at(-1)).toMatchObject({
      url: '/API/x?format=json&token=hunter66',
      body: '{"key":"hunter77"}',
    });
    expect(JSON.stringify(answer)).not.toMatch(/hunter/);
    expect(answer.raw).toBe(`{"user":"${MASK}","password":"${MASK}","next":"rtsp://${MASK}@h/1"}`);
    expect(answer.exchange).toMatchObject({
      requestHeaders: { 'content-type': 'application/json' },
      url: `/API/x?format=json&token=${MASK}`,
    });
  });

  test('that cannot be read comes with the error (else: nobody sees what the device sent)', async () => {
    device.text = '<html><body>Router login, password=hunter22</body></html>';
    const error = await failure(
      page.api.operations.call({ deviceId, operation: 'system.capabilities.get', trace: true }),
    );

    expect(error.shape).toMatchObject({
      code: 'malformed-answer',
      exchange: {
        method: 'GET',
        http: 200,
        responseBody: `<html><body>Router login, password=${MASK}</body></html>`,
      },
    });
  });

  test('is bounded', async () => {
    device.text = `<DeviceCap>${'<a>1</a>'.repeat(60_000)}</DeviceCap>`;
    const answer = await page.api.operations.request({
      deviceId,
      method: 'GET',
      path: '/API/System/capabilities',
      trace: true,
    });

    expect(answer.exchange?.responseBody).toHaveLength(256 * 1024);
    expect(answer.exchange?.cut).toBe(true);
  });
});

describe('what a page sends', () => {
  test('is refused where it holds a mask, and nothing is sent (else: the dots become the password)', async () => {
    const error = await failure(
      page.api.operations.call({ deviceId, operation: 'storage.unlock.put', body: { passwd: MASK } }),
    );
    const raw = await failure(
      page.api.operations.request({ deviceId, method: 'PUT', path: '/API/x', body: `<a>${MASK}</a>` }),
    );

    expect(error.shape).toMatchObject({
      code: 'not-allowed',
      path: 'passwd',
      operation: 'storage.unlock.put',
    });
    expect(raw.code).toBe('not-allowed');
    expect(device.received).toEqual([]);
  });

  test('is checked before sending, and the complaint holds no secret', async () => {
    const error = await failure(
      page.api.operations.call({
        deviceId,
        operation: 'storage.unlock.put',
        body: { passwd: 'much-too-long-a-password' },
      }),
    );

    expect(error.shape).toMatchObject({ path: 'passwd', source: 'user' });
    expect(JSON.stringify(error.shape)).not.toContain('much-too');
    expect(device.received).toEqual([]);
  });

  test('stays below the prefix', async () => {
    const error = await failure(
      page.api.operations.request({ deviceId, method: 'GET', path: '/API/../admin' }),
    );

    expect(error.code).toBe('not-allowed');
    expect(device.received).toEqual([]);
  });
});

test('a request that got no answer is told with what was sent', async () => {
  const nobody = await page.api.devices.add({ address: 'http://127.0.0.1:9' });
  const error = await failure(
    page.api.operations.call({ deviceId: nobody.id, operation: 'system.capabilities.get', trace: true }),
  );

  expect(error.shape).toMatchObject({
    code: 'connection-refused',
    exchange: { method: 'GET', url: '/API/System/capabilities?type=all', responseBody: '' },
  });
  expect(error.shape.exchange).not.toHaveProperty('http');
});

describe('what destroys', () => {
  // Would catch: a script in the page, or a screen that forgot to ask, that removes data without agreement.
  test.each([
    [
      'by an operation',
      (confirmed?: boolean) =>
        page.api.operations.call({
          deviceId,
          operation: 'accessControl.localController.deleteAll',
          ...(confirmed !== undefined && { confirmed }),
        }),
    ],
    [
      'by a request',
      (confirmed?: boolean) =>
        page.api.operations.request({
          deviceId,
          method: 'DELETE',
          path: '/API/AccessControl/localController',
          ...(confirmed !== undefined && { confirmed }),
        }),
    ],
    [
      'by a change of an engine',
      (confirmed?: boolean) =>
        page.api.models.unload({ deviceId, engine: 1, ...(confirmed !== undefined && { confirmed }) }),
    ],
  ])('%s is refused without a confirmation, and nothing is sent', async (_how, send) => {
    const refused = await failure(send());
    const denied = await failure(send(false));

    expect([refused.code, denied.code]).toEqual(['confirmation-needed', 'confirmation-needed']);
    expect(device.received).toEqual([]);
    expect(await page.api.jobs.search({ text: 'Remove all' })).toMatchObject({ jobs: [] });
  });
});
