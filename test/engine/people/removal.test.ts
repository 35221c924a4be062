/** People are removed together with their fingerprints, and the receipt says no more than what was seen. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { FINGERPRINTS } from '#simulator/areas/people/fingerprint-readers.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { startSite } from '#simulator/index.ts';
import { startWriteProxy } from '#test/helpers/write-cases.ts';
import { openSite, type TestSite, waitForEnd } from '../site-engine.ts';
import { carriedOut } from './people-work.ts';

let at: TestSite;

const QUERY = 'accessControl.fingerprints.query';
const SET_UP = 'accessControl.fingerprints.setUp';
const prints = (device = 0) => at.site.device(device).part(FINGERPRINTS);

interface Receipt {
  readonly complete: boolean;
  readonly devices: readonly {
    readonly people: readonly {
      readonly employeeNo: string;
      readonly result: string;
      readonly fingerprints: { readonly result: string; readonly removed: number; readonly reason?: string };
    }[];
  }[];
}
function receiptOf(id: string): Receipt {
  return JSON.parse(at.engine.people.receipt({ id }).text) as Receipt;
}

/** Ids of the lines that people read of the receipt. */
function linesOf(id: string): readonly string[] {
  return at.engine.people.removed({ id }).devices.flatMap(({ lines }) => lines.map(({ says }) => says.id));
}

describe('a removal', () => {
  // Would catch: a receipt that calls a person removed whose template is still on the terminal.
  it('removes the fingerprints by their own deletion before the person, and says how many', async () => {
    at = await openSite({ kinds: ['gate'] });
    for (const finger of [1, 4, 7]) prints().present('1010', finger, [1]);

    const { plan, job } = await carriedOut(at, { kind: 'remove', employeeNos: ['1010', '1011'] });

    expect(plan.devices[0]?.notes.map(({ id }) => id)).toEqual(['people-prints-go']);
    const writes = at.site
      .device(0)
      .requests.filter(({ operation, applied }) => applied && operation?.endsWith('setUp') === true)
      .map(({ operation }) => operation);
    expect(writes.filter((operation) => operation === SET_UP)).toHaveLength(3);
    expect(receiptOf(job.id)).toMatchObject({
      complete: true,
      devices: [
        {
          people: [
            { employeeNo: '1010', result: 'gone', fingerprints: { result: 'gone', removed: 3 } },
            { employeeNo: '1011', result: 'gone', fingerprints: { result: 'gone', removed: 0 } },
          ],
        },
      ],
    });
    expect(linesOf(job.id)).toEqual(['people-receipt-gone', 'people-receipt-prints-gone']);
    expect(job.state).toBe('done');
  });

  // Would catch: "absent" for a person who was deleted by another program and whose fingerprints remained.
  it('removes fingerprints of somebody who is not on the terminal any more', async () => {
    at = await openSite({ kinds: ['gate'] });
    prints().present('1010', 2, [1]);
    at.site.device(0).part(PEOPLE).remove('1010');

    const { plan, job } = await carriedOut(at, { kind: 'remove', employeeNos: ['1010', '9999'] });

    expect(plan.devices[0]?.counts).toEqual({ removed: 1, absent: 1 });
    expect(receiptOf(job.id)).toMatchObject({
      complete: true,
      devices: [
        {
          people: [
            { result: 'gone', fingerprints: { result: 'gone', removed: 1 } },
            { result: 'absent', fingerprints: { result: 'gone', removed: 0 } },
          ],
        },
      ],
    });
  });

  // Would catch: "complete" if fingerprints could not be asked for.
  it('says that nobody looked where the terminal does not show fingerprints readably', async () => {
    at = await openSite({ kinds: ['gate'] });
    prints().present('1010', 1, [1]);
    at.site.device(0).setFault('html', 1, { operation: QUERY });

    const { job, rows } = await carriedOut(at, { kind: 'remove', employeeNos: ['1010'] });

    expect(receiptOf(job.id)).toMatchObject({
      complete: false,
      devices: [{ people: [{ result: 'gone', fingerprints: { result: 'not-looked-at' } }] }],
    });
    expect(rows).toMatchObject([{ outcome: 'refused', error: { detail: { id: 'people-prints-unseen' } } }]);
    expect(linesOf(job.id)).toContain('people-receipt-prints-not-looked-at');
    expect(job.state).toBe('failed');
  });

  // Would catch: "not looked at" for fingerprints that were deleted with the person, because the check was
  // not repeated.
  it('asks again for fingerprints when the person is gone: on some terminals they go with the person', async () => {
    at = await openSite({ kinds: ['gate'] });
    prints().present('1010', 1, [1]);
    at.site.device(0).setFault('fingers-leave');
    at.site.device(0).setFault('html', 1, { operation: QUERY, times: 6 });

    const { job } = await carriedOut(at, { kind: 'remove', employeeNos: ['1010'] });

    expect(receiptOf(job.id)).toMatchObject({
      complete: true,
      devices: [{ people: [{ result: 'gone', fingerprints: { result: 'gone', removed: 0 } }] }],
    });
    expect(job.state).toBe('done');
  });

  // Would catch: a terminal without fingerprints on which no removal ever ends well, or is called complete unseen.
  it('ends well on a terminal without fingerprints, and does not call it complete', async () => {
    at = await openSite({ kinds: ['gate'] });
    at.site.device(0).setFault('counts-hidden');
    at.site.device(0).setFault('refused', 1, { operation: QUERY, sub: 'notSupport' });

    const { job, rows, plan } = await carriedOut(at, { kind: 'remove', employeeNos: ['1010', '9999'] });

    expect(plan.devices[0]?.notes.map(({ id }) => id)).toEqual(['people-prints-go-uncounted']);
    expect(rows.map(({ outcome, plan: meant }) => outcome ?? meant)).toEqual(['accepted', 'absent']);
    expect(job.state).toBe('done');
    expect(receiptOf(job.id)).toMatchObject({
      complete: false,
      devices: [
        {
          people: [
            { result: 'gone', fingerprints: { result: 'not-looked-at' } },
            { result: 'absent', fingerprints: { result: 'not-looked-at' } },
          ],
        },
      ],
    });
  });

  // Would catch: a hundred requests to a path that the account may not use.
  it('asks an account without the right to fingerprints once, and says so of everybody', async () => {
    at = await openSite({ kinds: ['gate'] });
    at.site.device(0).setFault('counts-hidden');
    at.site.device(0).setFault('forbidden', 1, { operation: QUERY });
    const numbers = Array.from({ length: 8 }, (_, nth) => String(1004 + nth));

    const { job, rows } = await carriedOut(at, { kind: 'remove', employeeNos: numbers });

    expect(rows.map(({ outcome }) => outcome)).toEqual(numbers.map(() => 'refused'));
    expect(rows[0]?.error?.code).toBe('no-permission');
    expect(linesOf(job.id)).toEqual(['people-receipt-gone', 'people-receipt-prints-not-looked-at']);
    const asked = at.site.device(0).requests.filter(({ operation }) => operation === QUERY).length;
    expect(asked).toBeLessThan(2 * numbers.length);
    expect(job.results[0]?.error).toBeUndefined();
  });

  // Would catch: work that was cut off between the fingerprints and the person, and forgets what it did or to prove it.
  it('goes on with the person where it was cut off after the fingerprints', async () => {
    at = await openSite({ kinds: ['gate'] });
    const { engine } = at;
    const site = await startSite({ devices: 1, kinds: ['gate'], auth: 'none' });
    onTestFinished(() => site.close());
    site.device(0).part(FINGERPRINTS).present('1010', 1, [1]);
    let isCut = false;
    const proxy = await startWriteProxy({
      target: site.device(0).url,
      isWrite({ path }) {
        // The fingerprints are deleted by the time the person is to be deleted.
        if (path.includes('/UserInfo/SetUp') && !isCut) void site.device(0).unplug();
        isCut ||= path.includes('/UserInfo/SetUp');
        return false;
      },
      format: 'json',
    });
    onTestFinished(() => proxy.close());
    const { id } = engine.devices.addTransient({ url: proxy.url, name: 'gate' });
    const begun = await carriedOut({ engine, ids: [id] }, { kind: 'remove', employeeNos: ['1010'] });
    const before = receiptOf(begun.job.id);
    await site.device(0).plugIn();

    engine.jobs.resume({ id: begun.job.id });
    const job = await waitForEnd(engine, begun.job.id);

    expect(begun.job.resumable).toBe(true);
    expect(before).toMatchObject({
      complete: false,
      devices: [{ people: [{ result: 'open', fingerprints: { result: 'gone', removed: 1 } }] }],
    });
    expect(job.state).toBe('done');
    expect(receiptOf(job.id)).toMatchObject({
      complete: true,
      devices: [{ people: [{ result: 'gone', fingerprints: { result: 'gone', removed: 1 } }] }],
    });
  });
});
