/**
 * Devices whose answer to a write differs from its effect: their state afterwards decides the outcome, on
 * resuming and on undoing too.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { ApplyOptions, Job } from '#shared/model.ts';
import { BASIC, applyPlan, makePlan, openSite, template, type TestSite, waitForEnd } from '../site-engine.ts';
import { OK, startOddDevice, type OddAnswer, type OddDevice } from '../odd-device.ts';

let at: TestSite;
let device: OddDevice;
afterEach(async () => {
  await device.close();
});

const BEFORE =
  '<ThermometryBasicParam version="2.0" xmlns="urn:x"><distance>5</distance><alarmInterval>10</alarmInterval></ThermometryBasicParam>';
const REFUSAL: OddAnswer = {
  http: 400,
  text: '<ResponseStatus><statusCode>6</statusCode><statusString>Invalid XML Content</statusString><subStatusCode>badXmlContent</subStatusCode></ResponseStatus>',
};
const CUT: OddAnswer = { cut: true };

/** Document of the device, and the number of further requests that it does not answer. */
interface Held {
  document: string;
  away: number;
  reads: number;
}
type OnPut = (held: Held, sent: string, nth: number) => OddAnswer;

const held: Held = { document: BEFORE, away: 0, reads: 0 };
let id: string;

async function apply(
  onPut: OnPut,
  onGet: (held: Held) => OddAnswer = ({ document }) => ({ text: document }),
): Promise<Job> {
  Object.assign(held, { document: BEFORE, away: 0, reads: 0 });
  let puts = 0;
  device = await startOddDevice(({ method, path, body }) => {
    if (held.away > 0) {
      held.away -= 1;
      return CUT;
    }
    if (method === 'PUT') return onPut(held, body, (puts += 1));
    if (path.includes('capabilities')) return { http: 404, text: '' };
    held.reads += 1;
    return onGet(held);
  });
  at = await openSite();
  id = at.engine.devices.addTransient({ url: device.url, name: 'odd' }).id;
  return applyPlan(at.engine, await makePlan({ engine: at.engine, ids: [id] }, template(BASIC)));
}

async function ended(jobId: string): Promise<Job> {
  return waitForEnd(at.engine, jobId);
}
const undone = (jobId: string, options: ApplyOptions = {}): Promise<Job> =>
  ended(at.engine.jobs.undo({ id: jobId, options }).jobId);
const resumed = (jobId: string): Promise<Job> => ended(at.engine.jobs.resume({ id: jobId }).jobId);
const puts = (): number => device.requests.filter(({ method }) => method === 'PUT').length;
const take: OnPut = (state, sent) => {
  state.document = sent;
  return { text: OK };
};

describe('a device that refuses', () => {
  // Would catch: a value that is on the device, reported as refused, and not removed by an undo.
  it('and takes it all the same is effective, with its answer kept, and is taken back', async () => {
    const job = await apply((state, sent, nth) =>
      nth === 1 ? { ...take(state, sent, nth), ...REFUSAL } : take(state, sent, nth),
    );

    expect(job.results[0]?.units[0]).toMatchObject({
      outcome: 'effective',
      status: { http: 400, statusCode: 6 },
    });
    expect(await undone(job.id)).toMatchObject({ state: 'done', counts: { effective: 1 } });
    expect(held.document).toBe(BEFORE);
  });

  it('and takes a part of it says which part is missing, and is taken back', async () => {
    const job = await apply((state, sent, nth) => {
      state.document = nth === 1 ? BEFORE.replace('>5<', '>3<') : sent;
      return nth === 1 ? REFUSAL : { text: OK };
    });

    expect(job.results[0]?.units[0]).toMatchObject({
      outcome: 'ignored',
      error: {
        path: 'alarmInterval',
        message: expect.stringMatching(/refused the write, but it took only a part/) as string,
      },
    });
    await undone(job.id);
    expect(held.document).toBe(BEFORE);
  });

  it('and takes nothing has refused, and there is nothing to take back', async () => {
    const job = await apply(() => REFUSAL);

    expect(job.results[0]?.units[0]).toMatchObject({
      outcome: 'refused',
      error: { code: 'invalid-content' },
    });
    expect(() => at.engine.jobs.undo({ id: job.id })).toThrow(
      expect.objectContaining({ shape: expect.objectContaining({ code: 'not-allowed' }) }),
    );
  });
});

describe('a device that says OK', () => {
  // Would catch: "accepted", a good end that nothing ever looks at again, where the power went before the device kept it.
  it('and dies before it kept it: unknown, settled by reading on resuming, and written again', async () => {
    const job = await apply((state, sent, nth) => {
      if (nth > 1) return take(state, sent, nth);
      state.away = 100;
      return { text: OK };
    });
    expect(job).toMatchObject({ resumable: true, counts: { unknown: 1 } });
    held.away = 0;

    expect(await resumed(job.id)).toMatchObject({ state: 'done', counts: { effective: 1 } });
    expect([held.document.includes('<distance>3<'), puts()]).toEqual([true, 2]);
  });

  it('and dies after it kept it: found by reading, and not written again', async () => {
    const job = await apply((state, sent, nth) => {
      state.away = 100;
      return take(state, sent, nth);
    });
    held.away = 0;

    expect((await resumed(job.id)).results[0]?.units[0]).toMatchObject({
      outcome: 'effective',
      note: 'settled-by-reading',
    });
    expect(puts()).toBe(1);
  });

  // Would catch: a device that is called one that ignores its settings because it needs five seconds for them.
  it('and takes it after five seconds is effective', async () => {
    let sentOnce = '';
    const job = await apply(
      (_state, sent) => {
        sentOnce = sent;
        return { text: OK };
      },
      ({ document, reads }) => ({ text: sentOnce !== '' && reads > 6 ? sentOnce : document }),
    );

    expect(job.counts).toEqual({ effective: 1 });
    expect(at.delays.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(5_000);
  });

  // Would catch: a value that came too late to be seen, and that an undo then leaves on the device.
  it('and takes it after everybody has gone is taken back as well', async () => {
    let late = '';
    const job = await apply((state, sent, nth) => {
      if (nth === 1) late = sent;
      return nth === 1 ? { text: OK } : take(state, sent, nth);
    });
    expect(job.counts).toEqual({ ignored: 1 });
    held.document = late;

    expect(await undone(job.id)).toMatchObject({ state: 'done', counts: { effective: 1 } });
    expect(held.document).toBe(BEFORE);
  });

  it('and never takes it has nothing to take back: an undo looks, and sends nothing', async () => {
    const job = await apply(() => ({ text: OK }));

    expect(await undone(job.id)).toMatchObject({ state: 'done', counts: { unchanged: 1 } });
    expect(puts()).toBe(1);
  });
});

describe('a write that was lost and sent again', () => {
  // Would catch: "failed, nothing was sent" where the first one was, so that an undo leaves alone what came of it.
  it('to a device that lets nobody in by then stays open, and is taken back when it turns out to have arrived', async () => {
    let first = '';
    const job = await apply((state, sent, nth) => {
      if (nth > 2) return take(state, sent, nth);
      first = sent;
      return nth === 1 ? CUT : { http: 401, text: '' };
    });
    expect(job.results[0]).toMatchObject({
      error: { code: 'sign-in-required' },
      units: [{ outcome: 'unknown' }],
    });
    held.document = first;
    at.engine.devices.addTransient({ url: device.url, name: 'odd', userName: 'admin', password: 'x' });

    expect((await resumed(job.id)).results[0]?.units[0]).toMatchObject({
      outcome: 'effective',
      note: 'settled-by-reading',
    });
    await undone(job.id);
    expect(held.document).toBe(BEFORE);
  });
});
