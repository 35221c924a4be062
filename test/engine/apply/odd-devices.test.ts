/** Writes to devices that answer in ways no simulator would: what is reported must be what is known. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Job } from '#shared/model.ts';
import { BASIC, applyPlan, makePlan, openSite, template, type TestSite } from '../site-engine.ts';
import { OK, startOddDevice, type OddAnswer, type OddDevice, type OddRequest } from '../odd-device.ts';

let at: TestSite;
let device: OddDevice;
afterEach(async () => {
  await device.close();
});

const basic = (distance: number, interval: number): string =>
  `<ThermometryBasicParam version="2.0" xmlns="urn:x"><distance>${distance}</distance><alarmInterval>${interval}</alarmInterval></ThermometryBasicParam>`;
const MODE_2 = 'set: thermal.thermometryMode\nparams: { channelID: 1 }\nvalue: { mode: expert }';
const mode = '<ThermometryMode><mode>normal</mode></ThermometryMode>';

/** GETs are answered with what `held` says; PUTs as the test says. */
async function run(
  text: string,
  put: (request: OddRequest, count: number) => OddAnswer,
  get: (request: OddRequest, puts: number) => OddAnswer,
): Promise<Job> {
  let puts = 0;
  device = await startOddDevice((request, count) => {
    if (request.method === 'GET') return get(request, puts);
    puts += 1;
    return put(request, count);
  });
  at = await openSite();
  const { id } = at.engine.devices.addTransient({ url: device.url, name: 'odd' });
  return applyPlan(at.engine, await makePlan({ engine: at.engine, ids: [id] }, text));
}
const held =
  (distance: number, interval: number) =>
  ({ path }: OddRequest): OddAnswer => {
    if (path.includes('capabilities')) return { http: 404, text: '' };
    return { text: path.includes('thermometryMode') ? mode : basic(distance, interval) };
  };
const first = (job: Job) => job.results[0]?.units[0];

describe('a device', () => {
  it('that takes only a part is told apart from one that takes nothing', async () => {
    const job = await run(
      template(BASIC),
      () => ({ text: OK }),
      (request, puts) => held(puts > 0 ? 3 : 5, 10)(request),
    );

    expect(first(job)).toMatchObject({ outcome: 'ignored', error: { path: 'alarmInterval' } });
    expect(first(job)?.error?.message).toMatch(/took only a part.*alarmInterval/);
  });

  it('that takes it a moment later is effective', async () => {
    let looks = 0;
    const job = await run(
      template(BASIC),
      () => ({ text: OK }),
      (request, puts) => {
        looks += puts;
        return held(looks > 1 ? 3 : 5, looks > 1 ? 20 : 10)(request);
      },
    );

    expect(first(job)?.outcome).toBe('effective');
    expect(at.delays).toEqual([300]);
  });

  it('that vanishes after the write leaves the outcome unknown, and the rest pending', async () => {
    const job = await run(
      template(BASIC, MODE_2),
      () => ({ cut: true }),
      (request, puts) => (puts > 0 ? { cut: true } : held(5, 10)(request)),
    );

    expect(job.results[0]).toMatchObject({
      state: 'failed',
      error: { code: 'connection-lost' },
      units: [{ outcome: 'unknown', error: { code: 'connection-lost' } }, { outcome: 'pending' }],
    });
    expect(job).toMatchObject({ state: 'failed', resumable: true, counts: { unknown: 1, pending: 1 } });
    expect(device.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('that says OK and cannot be read afterwards has accepted', async () => {
    const job = await run(
      template(BASIC),
      () => ({ text: OK }),
      (request, puts) => (puts > 0 ? { http: 403, text: '' } : held(5, 10)(request)),
    );

    expect(first(job)?.outcome).toBe('accepted');
  });

  it('that refuses says why, and its other sections go on', async () => {
    const refusal =
      '<ResponseStatus><statusCode>6</statusCode><statusString>Invalid XML Content</statusString><subStatusCode>badXmlContent</subStatusCode></ResponseStatus>';
    const job = await run(
      template(BASIC, MODE_2),
      ({ path }) => ({ text: path.includes('thermometryMode') ? OK : refusal }),
      (request, puts) =>
        puts > 1 && request.path.includes('thermometryMode')
          ? { text: mode.replace('normal', 'expert') }
          : held(5, 10)(request),
    );

    expect(job.results[0]).toMatchObject({
      state: 'failed',
      units: [
        {
          outcome: 'refused',
          status: { http: 200, statusCode: 6, subStatusCode: 'badXmlContent' },
          error: { code: 'invalid-content', operation: 'thermal.thermometryBasic.put' },
        },
        { outcome: 'effective' },
      ],
    });
  });

  // Would catch: a write that is sent again, and called a lost connection, where the device clearly answered.
  it('that redirects a write is asked once and has refused', async () => {
    const job = await run(
      template(BASIC),
      ({ path }) => ({ http: 307, text: '', headers: { location: `${path}?again=1` } }),
      held(5, 10),
    );

    expect(first(job)).toMatchObject({
      outcome: 'refused',
      error: { code: 'refused', message: expect.stringContaining('redirects a write') as string },
    });
    expect(device.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  // Would catch: UTF-8 bytes sent under a declaration that calls them something else, so that names become garbage on the device.
  it('that writes in another character set gets its own back', async () => {
    const own = (declared: string, distance: number): Buffer =>
      Buffer.concat([
        Buffer.from(`<?xml version="1.0" encoding="${declared}"?>\r\n<ThermometryBasicParam><name>`),
        Buffer.from([0xc9, 0xe8, 0xb1, 0xb8]),
        Buffer.from(
          `</name><distance>${distance}</distance><alarmInterval>20</alarmInterval></ThermometryBasicParam>`,
        ),
      ]);
    const job = await run(
      template(BASIC),
      () => ({ text: OK }),
      (_request, puts) => ({ text: own('GB2312', puts > 0 ? 3 : 5) }),
    );

    expect(device.requests.find(({ method }) => method === 'PUT')?.bytes).toEqual(own('GB2312', 3));
    expect(first(job)?.outcome).toBe('effective');
  });

  // Would catch: replacement characters written over what the device holds, because UTF-16 has half a
  // character.
  it('whose document cannot be read to the byte gets nothing', async () => {
    const own = Buffer.concat([
      Buffer.from('\ufeff<ThermometryBasicParam><name>', 'utf16le'),
      Buffer.from([0x00, 0xd8]),
      Buffer.from('</name><distance>5</distance></ThermometryBasicParam>', 'utf16le'),
    ]);
    const job = await run(
      template(BASIC),
      () => ({ text: OK }),
      () => ({ text: own }),
    );

    expect(first(job)).toMatchObject({
      outcome: 'blocked',
      error: {
        code: 'malformed-answer',
        message: expect.stringContaining('not valid in its character set') as string,
      },
    });
    expect(device.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('gets its own document back, root, namespace and unknown parts included', async () => {
    const own =
      '<?xml version="1.0" ?>\r\n<ThermometryBasicParam xmlns="http://vendor/ver10" version="1.0">\r\n<unknown a="1">007</unknown>\r\n<distance>5</distance>\r\n<alarmInterval>20</alarmInterval>\r\n</ThermometryBasicParam>\r\n';
    await run(
      template(BASIC),
      () => ({ text: OK }),
      (_request, puts) => ({ text: puts > 0 ? own.replace('>5<', '>3<') : own }),
    );

    expect(device.requests.find(({ method }) => method === 'PUT')?.body).toBe(own.replace('>5<', '>3<'));
  });
});

describe('secrets', () => {
  const SECRET = 'hunter22';
  const lock = (enabled: boolean): string => `<RWLock version="2.0"><enabled>${enabled}</enabled></RWLock>`;
  const text = template('set: storage.rwLock\nvalue: { enabled: true, passwd: "${cardLock}" }').replace(
    'sections:',
    'variables:\n  cardLock: { type: secret }\nsections:',
  );

  /** The device repeats the password in its refusal, as careless firmware does. */
  it.each([
    ['taken', OK, 'accepted'],
    [
      'refused with the password repeated',
      `<ResponseStatus><statusCode>6</statusCode><statusString>bad ${SECRET}</statusString><subStatusCode>badXmlContent</subStatusCode></ResponseStatus>`,
      'refused',
    ],
  ])('%s: never in plan, events, errors or any byte of the data folder', async (_what, answer, outcome) => {
    let taken = false;
    device = await startOddDevice(({ method }) => {
      if (method !== 'PUT') return { text: lock(taken) };
      taken = outcome === 'accepted';
      return { text: answer };
    });
    at = await openSite();
    const { id } = at.engine.devices.addTransient({ url: device.url });
    const seen: unknown[] = [];
    for await (const event of at.engine.plans.create(
      { templateText: text, deviceIds: [id], secrets: { cardLock: SECRET } },
      new AbortController().signal,
    ))
      seen.push(event);
    const last = seen.at(-1) as { plan: Parameters<typeof applyPlan>[1] };

    const { jobId } = at.engine.jobs.start({ plan: last.plan });
    for await (const event of at.engine.jobs.watch({ id: jobId }, new AbortController().signal))
      seen.push(event);

    const job = at.engine.jobs.show({ id: jobId });
    expect(job.results[0]?.units[0]?.outcome).toBe(outcome);
    expect(device.requests.some(({ method, body }) => method === 'PUT' && body.includes(SECRET))).toBe(true);
    expect(JSON.stringify([seen, job, at.engine.jobs.list()])).not.toContain(SECRET);
    expect(at.stored()).not.toContain(SECRET);
    await at.engine.close();
    expect(at.stored()).not.toContain(SECRET);
  });

  it('are asked for again where the plan comes from a file, before anything is sent', async () => {
    device = await startOddDevice(() => ({ text: lock(false) }));
    at = await openSite();
    const { id } = at.engine.devices.addTransient({ url: device.url });
    const plan = await at.engine.plans.importFile(
      { text: JSON.stringify(await makePlan({ engine: at.engine, ids: [id] }, text)) },
      AbortSignal.timeout(60_000),
    );

    expect(() => at.engine.jobs.start({ plan })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'undefined-variable' }) }),
    );
    expect(() => at.engine.jobs.start({ plan, secrets: { cardLock: 'much-too-long-for-it' } })).toThrow(
      expect.objectContaining({
        shape: expect.not.objectContaining({ message: expect.stringContaining('much-too') }),
      }),
    );
    expect(device.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
