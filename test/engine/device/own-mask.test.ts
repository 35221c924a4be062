/** A device that repeats what it was signed in with, in every spelling and everywhere it may speak. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOwnMask } from '#engine/device/sign-in/own-mask.ts';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { MASK } from '#shared/exchange.ts';
import { toErrorShape } from '#shared/errors.ts';
import { digestDevice } from './digest-device.ts';
import { startServer } from './hostile-server.ts';

const PASSWORD = 'S3cret & <Gate> "Ö"';
const never = new AbortController().signal;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');
const HA1 = hash('md5', `admin:device, one:${PASSWORD}`);
const xml = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
/** Every way in which it can be read. */
const SPELLINGS = [
  PASSWORD,
  xml(PASSWORD),
  JSON.stringify(PASSWORD).slice(1, -1),
  encodeURIComponent(PASSWORD),
  base64(PASSWORD),
  base64(`admin:${PASSWORD}`),
  Buffer.from(PASSWORD).toString('hex'),
  hash('md5', PASSWORD),
  HA1,
];
const ECHO = SPELLINGS.map(xml).join(' | ');

/** Shows it in a setting, in what is none of the specification, in statuses and in pages. */
function echoing(request: { readonly method?: string | undefined; readonly url?: string | undefined }): {
  readonly http: number;
  readonly body: string;
} {
  const url = request.url ?? '';
  if (url.includes('thermometryMode') && request.method === 'GET') {
    return {
      http: 200,
      body: `<ThermometryMode version="1.0"><mode>${xml(PASSWORD)}</mode><hint>${xml(PASSWORD)}</hint><thermometryROIEnabled>false</thermometryROIEnabled></ThermometryMode>`,
    };
  }
  if (url.includes('GateStatus')) return { http: 200, body: `<html>${ECHO}</html>` };
  return {
    http: 400,
    body: `<ResponseStatus><statusCode>4</statusCode><statusString>${ECHO}</statusString><subStatusCode>badParameters</subStatusCode><errorMsg>${ECHO}</errorMsg></ResponseStatus>`,
  };
}

async function place(password = PASSWORD, answer = echoing) {
  const { handler } = digestDevice({
    password,
    answer: (request, response) => {
      const { http, body } = answer(request);
      response
        .writeHead(http, { 'content-type': 'application/xml', 'x-hint': base64(`admin:${password}`) })
        .end(body);
    },
  });
  const server = await startServer(handler);
  const dataDir = mkdtempSync(join(tmpdir(), 'fieldwright-own-mask-'));
  // The last to run: Windows removes no folder in which a file is open.
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await createEngine({
    dataDir,
    resourcesDir: dataDir,
    face: 'cli',
    version: '0',
    protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
  });
  onTestFinished(() => engine.close());
  onTestFinished(() => server.close());
  const { id } = engine.devices.add({ address: server.url });
  engine.credentials.save({ label: 'x', userName: 'admin', password, deviceIds: [id] });
  return { engine, id, server };
}

const TEMPLATE =
  'fieldwright: template/1\nname: Mode\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: expert }\n';

describe('what a device repeats of its sign-in', () => {
  // Would catch: a password on the screen, in an export or in the journal because the device wrote it into its answer.
  it('is masked in answers, errors, traces, plans, jobs, exports and captured templates', async () => {
    const { engine, id } = await place();
    const told: unknown[] = [];
    const keep = async (work: Promise<unknown>) => {
      told.push(await work.catch((error: unknown) => [toErrorShape(error), String(error)]));
    };
    const all = async <T>(stream: AsyncIterable<T>) => {
      const items: T[] = [];
      for await (const item of stream) items.push(item);
      return items;
    };

    await keep(engine.devices.test({ ids: [id] }, never));
    await keep(
      engine.operations.call(
        { deviceId: id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 }, trace: true },
        never,
      ),
    );
    await keep(
      engine.operations.call(
        { deviceId: id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 }, raw: true },
        never,
      ),
    );
    await keep(engine.operations.call({ deviceId: id, operation: 'gate.status.get', trace: true }, never));
    await keep(
      engine.operations.call({ deviceId: id, operation: 'system.capabilities.get', trace: true }, never),
    );
    await keep(
      engine.operations.request({ deviceId: id, method: 'GET', path: '/API/x', trace: true }, never),
    );
    await keep(engine.operations.capabilities({ deviceId: id, probe: true }, never));
    await keep(
      all(
        engine.templates.capture(
          { deviceId: id, sections: [{ set: 'thermal.thermometryMode', params: { channelID: 1 } }] },
          never,
        ),
      ),
    );
    const planned = await all(engine.plans.create({ templateText: TEMPLATE, deviceIds: [id] }, never));
    const plan = planned.find((event) => event.type === 'plan')?.plan;
    if (plan === undefined) throw new Error('There is no plan.');
    const { jobId } = engine.jobs.start({ plan });
    for await (const event of engine.jobs.watch({ id: jobId }, never))
      if (event.type === 'job' && event.job.state !== 'running') break;
    told.push(
      planned,
      engine.plans.exportFile({ planId: plan.id }),
      engine.jobs.show({ id: jobId }),
      engine.devices.list(),
      engine.jobs.export({ query: {}, format: 'json' }),
      engine.jobs.export({ query: {}, format: 'csv' }),
    );

    const text = JSON.stringify(told);
    expect(plan.devices[0]?.sections[0]?.changes[0]).toMatchObject({ from: MASK, to: 'expert' });
    for (const spelling of SPELLINGS) expect(text).not.toContain(JSON.stringify(spelling).slice(1, -1));
    expect(text.split(MASK).length).toBeGreaterThan(20);
  });

  // Would catch: asterisks written to the device in the place of what it showed.
  it('is written back as it came, where it belongs to the document', async () => {
    const { engine, id, server } = await place();
    const planned: unknown[] = [];

    for await (const event of engine.plans.create({ templateText: TEMPLATE, deviceIds: [id] }, never))
      if (event.type === 'plan') planned.push(engine.jobs.start({ plan: event.plan }).jobId);
    for await (const event of engine.jobs.watch({ id: String(planned[0]) }, never))
      if (event.type === 'job' && event.job.state !== 'running') break;

    const sent = server.requests.find(({ method, body }) => method === 'PUT' && body !== '')?.body;
    expect(sent).toContain(`<mode>expert</mode><hint>${xml(PASSWORD)}</hint>`);
  });

  it('cannot be sent as its mask', async () => {
    const { engine, id } = await place();

    const refused = await engine.operations
      .request({ deviceId: id, method: 'PUT', path: '/API/x', body: `<A>${MASK}</A>` }, never)
      .catch((error: unknown) => toErrorShape(error).code);

    expect(refused).toBe('not-allowed');
  });
});

describe('a short or ordinary password', () => {
  // Would catch: a document full of asterisks, without any of its "admin", because a password is one letter
  // or a word.
  it.each(['1', '80', 'admin', 'normal', 'channelID'])(
    'garbles nothing (%s), and its sign-in as a whole is masked all the same',
    async (password) => {
      const document =
        '<ThermometryMode version="1.0"><mode>normal</mode><note>admin of 180 at port 80, channelID 1</note></ThermometryMode>';
      const { engine, id } = await place(password, () => ({ http: 200, body: document }));

      const { raw } = await engine.operations.request({ deviceId: id, method: 'GET', path: '/API/x' }, never);
      const whole = createOwnMask(
        { userName: 'admin', password },
        [],
      )(`${base64(`admin:${password}`)} admin:${password}`);

      expect(raw).toBe(document);
      expect(whole).not.toContain(base64(`admin:${password}`));
      expect(whole).not.toContain(`admin:${password}`);
    },
  );

  it.each([
    [
      'gate7',
      'The password gate7 is wrong; gate70 and agate7 are none',
      `The password ${MASK} is wrong; gate70 and agate7 are none`,
    ],
    ['12345', 'at 12345, not 123456', `at ${MASK}, not 123456`],
    ['Harbour-77', 'xHarbour-77x', `x${MASK}x`],
  ])('of few letters is masked where it stands alone (%s)', (password, text, shown) => {
    expect(createOwnMask({ userName: 'admin', password }, [])(text)).toBe(shown);
  });
});
