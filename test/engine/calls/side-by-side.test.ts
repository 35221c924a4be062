/** Single calls beside other work on the same device, and what is kept of them. */
import { afterEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorOf } from '../device/directory.ts';
import { makePlan, MODE, openSite, template, type TestSite } from '../site-engine.ts';

const never = new AbortController().signal;
const OK =
  '<?xml version="1.0"?><ResponseStatus version="2.0"><requestURL>/</requestURL><statusCode>1</statusCode><statusString>OK</statusString><subStatusCode>ok</subStatusCode></ResponseStatus>';

let here: TestSite;
let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Makes a device with one document, whose answers to writes wait until they are released. */
async function slowDevice() {
  let shown = '<ThermometryMode version="2.0" xmlns="urn:x"><mode>normal</mode></ThermometryMode>';
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const writes: string[] = [];
  const arrived = Promise.withResolvers<void>();
  server = createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => {
        body += part;
      })
      .on('end', () => {
        if (request.url?.endsWith('/thermometryMode') !== true) {
          response.writeHead(404).end();
        } else if (request.method === 'GET') response.end(shown);
        else {
          writes.push(body);
          arrived.resolve();
          void free.then(() => {
            shown = body;
            response.end(OK);
          });
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, release, writes, arrived: arrived.promise };
}

const call = (deviceId: string, mode: string) => ({
  deviceId,
  operation: 'thermal.thermometryMode.put',
  params: { channelID: 1 },
  body: { mode },
});

describe('a call on a device that is busy', () => {
  // Would catch: a document that a person typed before, written over what a job is about to write or undo.
  it('with another kind of job is refused, and says which', async () => {
    here = await openSite();
    const { engine } = here;
    const device = await slowDevice();
    const { id } = engine.devices.addTransient({ url: device.url, name: 'slow' });
    const plan = await makePlan({ engine, ids: [id] }, template(MODE));
    const { jobId } = engine.jobs.start({ planId: plan.id });
    await device.arrived;

    const error = await errorOf(engine.operations.call(call(id, 'normal'), never));

    expect(error).toMatchObject({ code: 'not-available' });
    expect(error.message).toContain(jobId);
    expect(device.writes).toHaveLength(1);
    expect(engine.jobs.list()).toHaveLength(1);
    device.release();
    for await (const event of engine.jobs.watch({ id: jobId }, never)) if (event.type === 'end') break;
  });

  // Would catch: two scripts on one device of which the second fails for no reason that they know of.
  it('with another call waits for its turn', async () => {
    here = await openSite();
    const { engine } = here;
    const device = await slowDevice();
    const { id } = engine.devices.addTransient({ url: device.url, name: 'slow' });
    const first = engine.operations.call(call(id, 'expert'), never);
    await device.arrived;

    const second = engine.operations.call(call(id, 'normal'), never);
    await expect.poll(() => engine.jobs.list().map(({ state }) => state)).toContain('waiting');
    device.release();
    const answers = await Promise.all([first, second]);

    expect(answers.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect(device.writes).toHaveLength(2);
  });

  // Would catch: a call that is sent although its caller disconnected, or one that vanishes from the journal.
  it('that is called off while it is under way is settled all the same', async () => {
    here = await openSite();
    const { engine } = here;
    const device = await slowDevice();
    const { id } = engine.devices.addTransient({ url: device.url, name: 'slow' });
    const gone = new AbortController();
    const asked = engine.operations.call(call(id, 'expert'), gone.signal);
    await device.arrived;

    gone.abort();
    const error = await errorOf(asked);
    device.release();
    const [job] = engine.jobs.list();
    for await (const event of engine.jobs.watch({ id: job?.id ?? '' }, never))
      if (event.type === 'end') break;

    expect(error.code).toBe('cancelled');
    expect(engine.jobs.show({ id: job?.id ?? '' }).counts).toEqual({ effective: 1 });
  });
});

describe('what is kept of a call', () => {
  // Would catch: a password in the journal, in its errors, or in a file that is handed on.
  it.each([
    ['of an operation', { operation: 'storage.rwLock.put', body: { enabled: true, passwd: 'Hid3-me-9x' } }],
    [
      'raw',
      {
        operation: 'storage.rwLock.put',
        raw: true,
        body: '<RWLock version="2.0"><enabled>true</enabled><passwd>Hid3-me-9x</passwd></RWLock>',
      },
    ],
    ['of a path that nothing describes', { body: '<Own><password>Hid3-me-9x</password></Own>' }],
  ])('%s holds no secret in the clear', async (_what, request) => {
    here = await openSite({ kinds: ['thermal'] });
    const { engine, ids, stored } = here;
    const deviceId = ids[0] ?? '';

    const { raw: shown = '' } = await engine.operations.call(
      { deviceId, operation: 'storage.rwLock.get', raw: true },
      never,
    );
    const own = /xmlns="[^"]*"/.exec(shown)?.[0] ?? '';
    const inItsNamespace = (body: unknown): unknown =>
      typeof body === 'string' ? body.replace('<RWLock', `<RWLock ${own}`) : body;
    const answer =
      'operation' in request
        ? await engine.operations.call({ deviceId, ...request, body: inItsNamespace(request.body) }, never)
        : await engine.operations.request(
            { deviceId, method: 'PUT', path: '/API/Own/thing', body: request.body },
            never,
          );
    const history = engine.jobs.export({ format: 'json', query: {} }).text;

    expect(answer.job).toBeDefined();
    expect(JSON.stringify(engine.jobs.show({ id: answer.job ?? '' }))).not.toContain('Hid3-me-9x');
    expect(history).not.toContain('Hid3-me-9x');
    expect(stored()).not.toContain('Hid3-me-9x');
  });

  // Would catch: a change that history, search and hand-over do not name.
  it('is found in the history by its operation, with what it changed', async () => {
    here = await openSite({ kinds: ['thermal'] });
    const { engine, ids } = here;

    const { job } = await engine.operations.call(call(ids[0] ?? '', 'expert'), never);
    const found = engine.jobs.search({ text: 'thermometryMode' }).jobs;
    const { text } = engine.jobs.export({ format: 'json', query: { text: job ?? '' } });

    expect(found).toMatchObject([
      {
        id: job,
        kind: 'call',
        about: { call: { operation: 'thermal.thermometryMode.put', document: true } },
      },
    ]);
    expect(JSON.parse(text)).toMatchObject({
      rows: [{ kind: 'call', path: 'mode', from: 'normal', to: 'expert', outcome: 'effective' }],
    });
  });
});
