/** Every way a write can end, against a device that behaves so over real HTTP. */
import { describe, expect, it } from 'vitest';
import {
  BASIC,
  HOST,
  MODE,
  applyPlan,
  makePlan,
  openSite,
  template,
  writes,
  type TestSite,
} from '../site-engine.ts';

let at: TestSite;

const ONLY = { times: 1, method: 'PUT' };
const PUT = 'thermal.thermometryBasic.put';

async function applied(
  text = template(BASIC),
  fault: (site: TestSite['site']) => void = () => undefined,
  options: Parameters<typeof openSite>[0] = {},
) {
  at = await openSite(options);
  const plan = await makePlan(at, text);
  fault(at.site);
  const job = await applyPlan(at.engine, plan);
  return { job, device: job.results[0], section: job.results[0]?.units[0] };
}

describe('effective', () => {
  it('where the read-back shows every wanted field; what no list names stayed as it was', async () => {
    const { job, device } = await applied();

    expect(device).toMatchObject({
      state: 'done',
      units: [
        {
          outcome: 'effective',
          status: { http: 200, statusCode: 1 },
          changes: [
            { path: 'distance', from: 5, to: 3 },
            { path: 'alarmInterval', from: 10, to: 20 },
          ],
        },
      ],
    });
    expect(job).toMatchObject({
      state: 'done',
      kind: 'apply',
      by: 'installer',
      resumable: false,
      counts: { effective: 1 },
    });
    const documents = at.site.device(0).state();
    expect(JSON.stringify(documents)).toContain('<distance>3</distance>');
    expect(JSON.stringify(documents)).toContain('lensCoating code=\\"007\\">1.50<');
  });

  it('a second time changes nothing and says so', async () => {
    await applied();
    const sent = writes(at).length;

    const plan = await makePlan(at, template(BASIC));
    const again = await applyPlan(at.engine, plan);

    expect(plan.counts).toMatchObject({ unchanged: 1, changes: 0 });
    expect(again).toMatchObject({ state: 'done', counts: { unchanged: 1 } });
    expect(writes(at)).toHaveLength(sent);
  });

  it('works for the JSON family', async () => {
    const { section } = await applied(template(HOST), undefined, { kinds: ['gate'] });

    expect(section).toMatchObject({
      outcome: 'effective',
      changes: [{ path: 'voicePrompt', from: false, to: true }],
    });
  });

  it('after a device was busy: the same request again, with growing patience', async () => {
    const { section } = await applied(undefined, (site) =>
      site.device(0).setFault('busy', 1, { ...ONLY, times: 3 }),
    );

    expect(section?.outcome).toBe('effective');
    expect(writes(at).filter(({ applied: done }) => done)).toHaveLength(1);
    expect(at.delays).toEqual([300, 900, 2_000]);
  });

  it('where the connection was cut after the device took it: settled by reading, not sent twice', async () => {
    const { section } = await applied(undefined, (site) => site.device(0).setFault('reset-after', 1, ONLY));

    expect(section?.outcome).toBe('effective');
    expect(writes(at)).toHaveLength(1);
  });

  it('where the connection was cut before the device took it: sent once more', async () => {
    const { section } = await applied(undefined, (site) => site.device(0).setFault('reset', 1, ONLY));

    expect(section?.outcome).toBe('effective');
    expect(writes(at).map(({ applied: done }) => done)).toEqual([false, true]);
  });

  it.each(['malformed', 'empty'])('where the answer is %s but the device took it', async (fault) => {
    const { section } = await applied(undefined, (site) => site.device(0).setFault(fault, 1, ONLY));

    expect(section?.outcome).toBe('effective');
    expect(writes(at)).toHaveLength(1);
  });
});

describe('not effective', () => {
  it('ignored: the device says OK and shows the old value', async () => {
    const { job, device, section } = await applied(undefined, (site) =>
      site.device(0).setFault('ignored', 1, ONLY),
    );

    expect(section).toMatchObject({
      outcome: 'ignored',
      status: { statusCode: 1 },
      error: { code: 'refused', source: 'app', path: 'distance', operation: PUT },
    });
    expect(section?.error?.message).toMatch(/said OK.*distance, alarmInterval/);
    expect(device?.state).toBe('failed');
    expect(job.state).toBe('failed');
    expect(writes(at)).toHaveLength(1);
  });

  it('ignored: the connection is cut every time and the device never takes it', async () => {
    const { section } = await applied(undefined, (site) =>
      site.device(0).setFault('reset', 1, { method: 'PUT' }),
    );

    expect(section).toMatchObject({ outcome: 'ignored', error: { code: 'refused' } });
    expect(section?.error?.message).toContain('connection was lost');
    expect(writes(at)).toHaveLength(2);
  });

  it('needs-reboot: accepted, and no failure', async () => {
    const { job, section } = await applied(undefined, (site) => site.device(0).setFault('reboot', 1, ONLY));

    expect(section).toMatchObject({ outcome: 'needs-reboot', status: { statusCode: 7 } });
    expect(job.state).toBe('done');
  });

  it('refused: busy for good', async () => {
    const { section } = await applied(undefined, (site) =>
      site.device(0).setFault('busy', 1, { method: 'PUT' }),
    );

    expect(section).toMatchObject({
      outcome: 'refused',
      error: { code: 'device-busy', status: { statusCode: 2 } },
    });
  });

  it('failed: the sign-in is refused in the middle; nothing more is sent to that device', async () => {
    const { device, job } = await applied(template(BASIC, MODE), (site) =>
      site.device(0).setFault('unauthorized', 1, { method: 'PUT', lasting: true }),
    );

    expect(device).toMatchObject({
      state: 'failed',
      error: { code: 'sign-in-failed' },
      units: [{ outcome: 'failed' }, { outcome: 'pending' }],
    });
    expect(job.resumable).toBe(true);
  });

  it('blocked and unsupported sections send nothing; an optional one is skipped', async () => {
    const { device } = await applied(
      template(
        MODE.replace('expert', 'AI'),
        HOST,
        `set: accessControl.eventOptimization\noptional: true\nvalue: { enable: true }`,
        BASIC,
      ),
    );

    expect(device?.units.map(({ outcome }) => outcome)).toEqual([
      'blocked',
      'failed',
      'skipped',
      'effective',
    ]);
    expect(device?.units[1]?.error?.code).toBe('not-supported');
    expect(writes(at).map(({ operation }) => operation)).toEqual([PUT]);
  });

  it("one device's trouble never stops another", async () => {
    at = await openSite({ devices: 3 });
    const plan = await makePlan(at, template(BASIC));
    await at.site.device(0).close();
    at.site.device(1).setFault('ignored');

    const job = await applyPlan(at.engine, plan);

    expect(job.results.map(({ state, units }) => [state, units[0]?.outcome])).toEqual([
      ['failed', 'pending'],
      ['failed', 'ignored'],
      ['done', 'effective'],
    ]);
    expect(job.results[0]?.error?.code).toBe('connection-refused');
    expect(job).toMatchObject({ state: 'failed', resumable: true });
  });
});

// Would catch: "has changed since the plan was made" of a device that only refuses to be read.
it('a device that refuses to be read after the plan shows its refusal as the reason, and gets nothing', async () => {
  const { section } = await applied(undefined, (site) =>
    site.device(0).setFault('refused', 1, { method: 'GET' }),
  );

  expect(section).toMatchObject({ outcome: 'failed', error: { source: 'device' } });
  expect(section?.error?.code).not.toBe('plan-outdated');
  expect(writes(at)).toEqual([]);
});
