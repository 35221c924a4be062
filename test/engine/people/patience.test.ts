/** Behaviour of a terminal a moment after it said yes, and the cost of waiting for it. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '#engine/device/transport/patient-read.ts';
import { startWriteProxy, WRITE_CASES, type WriteCase } from '#test/helpers/write-cases.ts';
import { startSite } from '#simulator/index.ts';
import { openSite, type TestSite } from '../site-engine.ts';
import { carriedOut, fileOf, outcomes, people } from './people-work.ts';

let at: TestSite;

const SET_UP = 'accessControl.users.setUp';
const SEARCH = 'accessControl.users.search';
const asked = (operation: string) =>
  at.site.device(0).requests.filter((request) => request.operation === operation).length;

describe('a terminal that ignores everybody', () => {
  // Would catch: a patience for each batch, so that a thousand people cost minutes.
  it('costs the one patience once, and each look only those who are still missing', async () => {
    at = await openSite({ kinds: ['gate'] });
    at.site.device(0).setFault('ignored', 1, { operation: SET_UP, times: 40 });

    const { rows } = await carriedOut(at, fileOf(people(120)));

    expect(outcomes(rows)).toEqual({ done: 80, ignored: 40 });
    expect(at.delays).toEqual(PATIENCE_MS);
    // Two questions of the view, four batches looked at while planned, written and proved, and the late ones in four more looks.
    expect(asked(SEARCH)).toBeLessThanOrEqual(3 * 2 + 3 * 4 + 4 * 2);
  });
});

describe('an account that may not set up people', () => {
  // Would catch: hundreds of refused requests, which a terminal may count as failed sign-ins; or a device that is given up.
  it('refuses everybody after the first answers, and goes on with the device', async () => {
    at = await openSite({ kinds: ['gate'] });
    const site = await startSite({ devices: 1, kinds: ['gate'], auth: 'none' });
    const proxy = await startWriteProxy({
      target: site.device(0).url,
      isWrite: ({ path }) => path.includes('/UserInfo/SetUp'),
      format: 'json',
    });
    onTestFinished(() => proxy.close());
    onTestFinished(() => site.close());
    proxy.play(WRITE_CASES.find(({ answer }) => answer === 'permission') as WriteCase);
    const { id } = at.engine.devices.addTransient({ url: proxy.url, name: 'gate' });

    const { rows, job } = await carriedOut({ ...at, ids: [id] }, fileOf(people(100)));

    expect(outcomes(rows)).toEqual({ refused: 100 });
    expect(rows.every(({ error }) => error?.code === 'no-permission')).toBe(true);
    expect(proxy.sends()).toBeLessThan(10);
    expect(job).toMatchObject({ state: 'failed', resumable: false });
    expect(job.results[0]?.error).toBeUndefined();
  });
});
