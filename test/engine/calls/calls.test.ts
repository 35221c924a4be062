/** A single call that may change a device is a job: journalled before it is sent, looked at after it, taken back. */
import { afterEach, describe, expect, it } from 'vitest';
import { engineSite, never, type EngineSite } from '../device/engine-site.ts';
import { errorOf } from '../device/directory.ts';
import type { CallAnswer, Job } from '#shared/model.ts';

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

function jobOf({ engine }: Pick<EngineSite, 'engine'>, { job }: CallAnswer): Job {
  return engine.jobs.show({ id: job ?? 'none' });
}

const MODE = { operation: 'thermal.thermometryMode.put', params: { channelID: 1 } };

describe('a call that may change a device', () => {
  // Would catch: a change of a device that no journal names (README: "a journal of every write").
  it('is a job with its operation, who and what became of it', async () => {
    const site = await start({ kinds: ['thermal'] });

    const answer = await site.engine.operations.call(
      { deviceId: site.id, ...MODE, body: { mode: 'expert' } },
      never,
    );

    const job = jobOf(site, answer);
    expect(answer.outcome).toBe('ok');
    expect(job).toMatchObject({
      kind: 'call',
      title: 'Temperature measuring mode',
      by: 'tester',
      state: 'done',
      results: [
        {
          deviceId: site.id,
          units: [
            {
              set: 'thermal.thermometryMode',
              params: { channelID: 1 },
              outcome: 'effective',
              changes: [{ path: 'mode', from: 'normal', to: 'expert' }],
            },
          ],
        },
      ],
    });
  });

  // Would catch: a read that costs a row in the journal.
  it('and a read is none, nor is a search that goes with POST', async () => {
    const { engine, id } = await start({ kinds: ['gate'] });

    const read = await engine.operations.call(
      { deviceId: id, operation: 'accessControl.users.count' },
      never,
    );
    const search = await engine.operations.call(
      {
        deviceId: id,
        operation: 'accessControl.users.search',
        body: { searchID: 'a', searchResultPosition: 0, maxResults: 2 },
      },
      never,
    );
    const raw = await engine.operations.request(
      {
        deviceId: id,
        method: 'POST',
        path: '/API/AccessControl/UserInfo/Search?format=json',
        body: '{"UserInfoSearchCond":{"searchID":"a","searchResultPosition":0,"maxResults":2}}',
      },
      never,
    );

    expect([read.job, search.job, raw.job]).toEqual([undefined, undefined, undefined]);
    expect(engine.jobs.list()).toEqual([]);
  });

  // Would catch: a console PUT that cannot be undone, although the document before was read.
  it('is taken back byte for byte where a document was replaced', async () => {
    const site = await start({ kinds: ['thermal'] });
    const raw = {
      deviceId: site.id,
      operation: 'thermal.thermometryMode.get',
      params: { channelID: 1 },
      raw: true,
    };
    const before = await site.engine.operations.call(raw, never);
    const answer = await site.engine.operations.call(
      { deviceId: site.id, ...MODE, body: { mode: 'expert' } },
      never,
    );
    const changed = await site.engine.operations.call(raw, never);

    const { jobId } = site.engine.jobs.undo({ id: answer.job ?? '' });
    for await (const event of site.engine.jobs.watch({ id: jobId }, never)) if (event.type === 'end') break;
    const after = await site.engine.operations.call(raw, never);

    expect(changed.raw).not.toBe(before.raw);
    expect(after.raw).toBe(before.raw);
    expect(site.engine.jobs.show({ id: jobId })).toMatchObject({
      kind: 'undo',
      undoOf: answer.job,
      results: [{ units: [{ outcome: 'effective', note: 'put-back-exactly' }] }],
    });
  });

  // Would catch: a raw PUT of a known document that is no job, or cannot be taken back.
  it('also raw, and also a request to the path of an operation', async () => {
    const site = await start({ kinds: ['thermal'] });
    const shown = await site.engine.operations.call(
      { deviceId: site.id, operation: 'thermal.thermometryMode.get', params: { channelID: 1 }, raw: true },
      never,
    );
    const own = /xmlns="[^"]*"/.exec(shown.raw ?? '')?.[0] ?? '';
    const body = (mode: string) =>
      `<?xml version="1.0"?>\r\n<ThermometryMode version="2.0" ${own}><mode>${mode}</mode></ThermometryMode>`;

    const raw = await site.engine.operations.call(
      { deviceId: site.id, ...MODE, raw: true, body: body('expert') },
      never,
    );
    const request = await site.engine.operations.request(
      {
        deviceId: site.id,
        method: 'put',
        path: '/API/Thermal/channels/1/thermometryMode',
        body: body('normal'),
      },
      never,
    );

    expect(raw.raw).toContain('ResponseStatus');
    for (const answer of [raw, request]) {
      const [unit] = jobOf(site, answer).results[0]?.units ?? [];
      expect(unit).toMatchObject({ set: 'thermal.thermometryMode', outcome: 'effective' });
      expect(site.engine.jobs.undoPreview({ id: answer.job ?? '' }).possible).toBe(1);
    }
  });

  // Would catch: "ok" for a refused request because the device goes on showing what it showed before.
  it('that changes nothing is what the device answers', async () => {
    const site = await start({ kinds: ['thermal'] });

    const same = await site.engine.operations.call(
      { deviceId: site.id, ...MODE, body: { mode: 'normal' } },
      never,
    );

    expect(same.outcome).toBe('ok');
    expect(jobOf(site, same).results[0]?.units[0]?.outcome).toBe('accepted');
  });

  // Would catch: a deletion of everything by a slip, from a script or from a page.
  it.each([
    ['all controllers', { operation: 'accessControl.localController.deleteAll' }, 'gate'],
    ['a count', { operation: 'peopleCounting.count.reset', params: { channelID: 1 } }, 'counter'],
    ['an engine', { operation: 'aiPlatform.engine.reset', params: { engineID: 1 } }, 'ai'],
    [
      'a person',
      { operation: 'accessControl.users.setUp', body: { employeeNo: '7', deleteUser: true } },
      'gate',
    ],
  ] as const)('that takes %s away is refused without a confirmation', async (_what, call, kind) => {
    const { engine, site, id } = await start({ kinds: [kind] });

    const error = await errorOf(engine.operations.call({ deviceId: id, ...call }, never));

    expect(error.code).toBe('confirmation-needed');
    expect(site.device(0).requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(engine.jobs.list()).toEqual([]);
  });

  // Would catch: a way around the question by a raw request.
  it.each([
    ['DELETE', '/API/AccessControl/localController', undefined],
    ['DELETE', '/API/Anything/else', undefined],
    [
      'PUT',
      '/API/AccessControl/UserInfo/SetUp?format=json',
      '{"UserInfo":{"employeeNo":"7","deleteUser":true}}',
    ],
  ])('nor by a raw %s %s', async (method, path, body) => {
    const { engine, site, id } = await start({ kinds: ['gate'] });

    const error = await errorOf(
      engine.operations.request({ deviceId: id, method, path, ...(body !== undefined && { body }) }, never),
    );

    expect(error.code).toBe('confirmation-needed');
    expect(site.device(0).requests.filter((request) => request.method !== 'GET')).toEqual([]);
  });

  it('goes out once it is confirmed', async () => {
    const site = await start({ kinds: ['gate'] });

    const answer = await site.engine.operations.call(
      { deviceId: site.id, operation: 'accessControl.localController.deleteAll', confirmed: true },
      never,
    );

    expect(answer.outcome).toBe('ok');
    expect(jobOf(site, answer)).toMatchObject({
      title: 'Remove all local controllers',
      results: [{ units: [{ outcome: 'accepted' }] }],
    });
  });
});
