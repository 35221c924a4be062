import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useAccess } from '#renderer/common/access/access.store.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { useApply } from '#renderer/features/apply/apply.store.ts';
import { useTemplateChoice } from '#renderer/features/apply/template/template-choice.store.ts';
import { useJob } from '#renderer/common/jobs/run/job.store.ts';
import { useKeptSecrets } from '#renderer/common/jobs/secrets/kept-secrets.store.ts';
import { useSite } from '#renderer/features/site/site.store.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Job, Plan, TemplateCheck, TemplateEntry } from '#shared/model.ts';
import { useFakeClient } from './fake-client.ts';
import { device, deviceResult, planDevice } from './samples.ts';

const entry: TemplateEntry = { id: 't1', source: 'bundled', name: 'Lobby', text: 'name: Lobby' };
const goodCheck: TemplateCheck = {
  ok: true,
  errors: [],
  warnings: [],
  summary: {
    name: 'Lobby',
    kinds: [],
    sections: [],
    variables: [
      { name: 'lock', type: 'secret', required: true },
      { name: 'distance', type: 'integer', default: 2, required: false },
    ],
  },
};
const plan: Plan = {
  fieldwright: 'plan/1',
  id: 'p1',
  createdAt: '2026-01-01T00:00:00Z',
  template: { name: 'Lobby', hash: 'h', text: entry.text },
  devices: [planDevice('1'), planDevice('2', { state: 'failed' })],
  groups: [],
  counts: { changes: 1, unchanged: 0, unsupported: 0, adjusted: 0, blocked: 0, failed: 1 },
};

beforeEach(() => {
  setActivePinia(createPinia());
});

describe('devices', () => {
  it('no longer counts a removed device as chosen', () => {
    const client = useFakeClient({});
    const devices = useDevices();
    devices.start();
    devices.start();
    const stream = client.stream('devices.watch');
    stream.emit({ type: 'all', devices: [device('1'), device('2')] });
    devices.choose(['1', '2']);

    stream.emit({ type: 'removed', id: '2' });
    stream.emit({ type: 'all', devices: [device('1')] });

    expect([...devices.chosen]).toEqual(['1']);
    expect(client.streams, 'it follows once, however often it is started').toHaveLength(1);
  });

  // Would catch: of devices added in parts and chosen at once only those still selected that had arrived first.
  it('keeps the choice of what was added and has not arrived yet', () => {
    const client = useFakeClient({});
    const devices = useDevices();
    devices.start();
    const stream = client.stream('devices.watch');
    stream.emit({ type: 'all', devices: [device('1')] });

    devices.choose(['1', '2']);
    stream.emit({ type: 'all', devices: [device('1')] });
    stream.emit({ type: 'all', devices: [device('1'), device('2')] });

    expect([...devices.chosen]).toEqual(['1', '2']);
  });
});

describe('apply', () => {
  async function ready() {
    const client = useFakeClient({
      'templates.list': () => [entry],
      'templates.check': () => goodCheck,
      'jobs.start': () => ({ jobId: 'j1' }),
    });
    const devices = useDevices();
    const apply = useApply();
    const choice = useTemplateChoice();
    devices.start();
    client.stream('devices.watch').emit({ type: 'all', devices: [device('1'), device('2')] });
    await choice.load();
    choice.choose(entry);
    await vi.waitFor(() => {
      expect(choice.check?.ok).toBe(true);
    });
    choice.raw = { ...choice.raw, lock: 'pass' };
    devices.choose(['1', '2']);
    return { client, devices, apply, choice };
  }

  it('plans with typed values, secrets apart, and starts with what is applicable', async () => {
    const { client, apply } = await ready();

    apply.makePlan();
    client.stream('plans.create').emit({ type: 'plan', plan });
    client.stream('plans.create').options.onEnd?.();
    await apply.start({ canary: 1 });

    expect(client.stream('plans.create').input).toEqual({
      templateText: entry.text,
      deviceIds: ['1', '2'],
      values: { distance: 2 },
      secrets: { lock: 'pass' },
    });
    expect(
      client.stream('plans.create').options.restart,
      'a lost connection must not plan by itself again',
    ).toBe(false);
    expect(client.calls.at(-1)).toEqual({
      name: 'jobs.start',
      input: { planId: 'p1', deviceIds: ['1'], secrets: { lock: 'pass' }, options: { canary: 1 } },
    });
    expect(apply.jobId).toBe('j1');
  });

  it('forgets the plan when devices or values change, so that nothing else is applied than what was seen', async () => {
    const { client, devices, apply } = await ready();
    apply.makePlan();
    client.stream('plans.create').emit({ type: 'plan', plan });
    client.stream('plans.create').options.onEnd?.();
    expect(apply.plan?.id).toBe('p1');

    devices.choose(['1']);

    expect(apply.plan).toBeUndefined();
    expect(apply.step).toBe('devices');
    expect(await apply.start({})).toBeUndefined();
    expect(client.calls.some(({ name }) => name === 'jobs.start')).toBe(false);
  });

  it('does not take the plan of a request that was given up', async () => {
    const { client, apply } = await ready();
    apply.makePlan();
    const first = client.stream('plans.create');

    apply.cancelPlan();
    first.emit({ type: 'plan', plan });

    expect(first.ended).toBe(true);
    expect(apply.plan).toBeUndefined();
  });

  it('starts a job once, however often the button is pressed', async () => {
    const { client, apply } = await ready();
    apply.makePlan();
    client.stream('plans.create').emit({ type: 'plan', plan });
    client.stream('plans.create').options.onEnd?.();

    await Promise.all([apply.start({}), apply.start({}), apply.start({})]);

    expect(client.calls.filter(({ name }) => name === 'jobs.start')).toHaveLength(1);
  });

  it('does not take a file of values with a wrong row, and asks for no value that every row gives', async () => {
    const { choice } = await ready();
    choice.raw = { ...choice.raw, distance: '' };
    expect(choice.isReady).toBe(false);
    useFakeClient({
      'plans.readValues': ({ fileName }: { fileName: string }) => ({
        devices: [{ deviceId: '1', name: '1', row: 2, values: { distance: '3' } }],
        errors:
          fileName === 'wrong.csv' ? [{ code: 'out-of-range', source: 'user', message: 'no', line: 2 }] : [],
      }),
    });

    await choice.takeValues({ name: 'wrong.csv', base64: '' });
    expect(choice.isReady).toBe(false);
    await choice.takeValues({ name: 'right.csv', base64: '' });

    expect(choice.isReady).toBe(true);
    expect(choice.valuesByDevice).toEqual({ 1: { distance: '3' } });
  });

  it('starts a plan from elsewhere with secrets given for it, and keeps it when devices are chosen meanwhile', async () => {
    const { client, apply, devices } = await ready();
    apply.takePlan(plan, { kind: 'file', title: 'reviewed.json' });
    await vi.waitFor(() => {
      expect(apply.asked.map(({ name }) => name)).toEqual(['lock']);
    });
    expect(apply.hasSecrets).toBe(false);

    devices.choose(['2']);
    apply.secrets = { lock: 'given' };
    await apply.start({});

    expect(client.calls.at(-1)).toEqual({
      name: 'jobs.start',
      input: { planId: 'p1', deviceIds: ['1'], secrets: { lock: 'given' }, options: {} },
    });
  });

  it('puts a typed secret that is to be kept into the vault as the job starts, and starts none where the vault cannot take it', async () => {
    const { client, apply } = await ready();
    const kept = useKeptSecrets();
    kept.keep('lock', true);
    kept.keep('another', true);
    apply.makePlan();
    client.stream('plans.create').emit({ type: 'plan', plan });
    client.stream('plans.create').options.onEnd?.();
    expect(client.calls.some(({ name }) => name === 'secrets.save')).toBe(false);

    expect(await apply.start({}), 'the test gave no answer for secrets.save').toBeUndefined();
    expect(client.calls.some(({ name }) => name === 'jobs.start')).toBe(false);
    expect(kept.names.has('lock')).toBe(true);
    const open = useFakeClient({
      'secrets.save': ({ name }: { name: string }) => ({ name, changedAt: '' }),
      'jobs.start': () => ({ jobId: 'j1' }),
    });
    await apply.start({});

    expect(open.calls).toEqual([
      { name: 'secrets.save', input: { name: 'lock', value: 'pass' } },
      {
        name: 'jobs.start',
        input: { planId: 'p1', deviceIds: ['1'], secrets: { lock: 'pass' }, options: {} },
      },
    ]);
    expect([...kept.names]).toEqual(['another']);
  });

  it('retries at once where the vault has every secret, and lets another be typed where that gave no plan', async () => {
    const { apply } = await ready();
    const client = useFakeClient({
      'plans.retryPreview': () => ({
        devices: [],
        secrets: [{ name: 'lock', type: 'secret', required: true, saved: true }],
      }),
    });

    await apply.retry('j1');
    expect(client.stream('plans.retry').input).toEqual({ jobId: 'j1', secrets: {} });
    client
      .stream('plans.retry')
      .fail(new FieldwrightError({ code: 'vault-damaged', source: 'app', message: 'no' }));
    apply.planAgain();

    await vi.waitFor(() => {
      expect(apply.retrying).toBeDefined();
    });
    expect(apply.asked.map(({ name }) => name)).toEqual(['lock']);
    expect(apply.hasSecrets).toBe(true);
  });

  it('shows the answer to the newest text only', async () => {
    const answers = new Map<string, (check: TemplateCheck) => void>();
    useFakeClient({
      'templates.list': () => [entry],
      'templates.check': ({ text }: { text: string }) =>
        new Promise<TemplateCheck>((resolve) => answers.set(text, resolve)),
    });
    const choice = useTemplateChoice();
    choice.takeFile('a', 'name: first');
    await vi.waitFor(() => {
      expect(answers.has('name: first')).toBe(true);
    });
    choice.takeFile('b', 'name: second');
    await vi.waitFor(() => {
      expect(answers.has('name: second')).toBe(true);
    });

    answers.get('name: second')?.(goodCheck);
    await vi.waitFor(() => {
      expect(choice.check?.ok).toBe(true);
    });
    answers.get('name: first')?.({ ok: false, errors: [], warnings: [] });
    await Promise.resolve();

    expect(choice.check?.ok).toBe(true);
  });
});

describe('job', () => {
  const job: Job = {
    id: 'j1',
    kind: 'apply',
    state: 'running',
    createdAt: '2026-01-01T00:00:00Z',
    by: 'me',
    title: 't',
    about: { template: { name: 't', hash: 'h' } },
    devices: 1,
    deviceCounts: {},
    counts: {},
    resumable: false,
    results: [deviceResult('1', { state: 'pending' })],
  };

  it('follows one job at a time and shows nothing of the one before', async () => {
    const client = useFakeClient({});
    const store = useJob();
    store.watch('j1');
    const first = client.stream('jobs.watch');
    first.emit({ type: 'job', job });

    store.watch('j2');
    first.emit({ type: 'end', job: { ...job, state: 'done' } });
    client.stream('jobs.watch').emit({ type: 'job', job: { ...job, id: 'j2' } });

    expect(first.ended).toBe(true);
    await vi.waitFor(() => {
      expect(store.summary?.id).toBe('j2');
    });
    expect(store.isRunning, 'what was under way for the first is not taken for the second').toBe(true);
  });

  it('does not show how a job ended before while it goes on under its id', async () => {
    const client = useFakeClient({});
    const store = useJob();
    store.watch('j1');
    const first = client.stream('jobs.watch');
    first.emit({ type: 'end', job: { ...job, state: 'cancelled', resumable: true } });
    first.options.onEnd?.();
    await vi.waitFor(() => {
      expect(store.summary?.state).toBe('cancelled');
    });

    store.watch('j1');
    expect(store.summary).toBeUndefined();
    client.stream('jobs.watch').emit({ type: 'job', job });

    await vi.waitFor(() => {
      expect(store.summary?.state).toBe('running');
    });
  });

  // Would catch: a job that the command line runs stops on the screen for good, with a button that cannot
  // cancel it.
  it('looks again at a job on which another program works, until it ends', async () => {
    vi.useFakeTimers();
    try {
      const client = useFakeClient({});
      const store = useJob();
      store.watch('j1');
      client.stream('jobs.watch').emit({ type: 'job', job });
      client.stream('jobs.watch').options.onEnd?.();
      await vi.advanceTimersByTimeAsync(10_000);
      client.stream('jobs.watch').emit({ type: 'end', job: { ...job, state: 'done' } });
      client.stream('jobs.watch').options.onEnd?.();
      await vi.advanceTimersByTimeAsync(10_000);

      expect(client.streams).toHaveLength(2);
      expect(store.summary?.state).toBe('done');
    } finally {
      vi.useRealTimers();
    }
  });

  // Would catch: a second window offers to finish what the first one finished long ago.
  it('finds out that an ended job was resumed elsewhere, and shows what it knows meanwhile', async () => {
    const client = useFakeClient({});
    const store = useJob();
    store.watch('j1');
    const first = client.stream('jobs.watch');
    store.lookAgain();
    first.emit({ type: 'end', job: { ...job, state: 'partial', resumable: true } });
    first.options.onEnd?.();
    await vi.waitFor(() => {
      expect(store.summary?.state).toBe('partial');
    });

    store.lookAgain();
    expect(store.summary?.state).toBe('partial');
    client.stream('jobs.watch').emit({ type: 'end', job: { ...job, state: 'done' } });

    await vi.waitFor(() => {
      expect(store.summary?.state).toBe('done');
    });
    expect(client.streams, 'one that is under way is not asked again').toHaveLength(2);
  });

  it('says why a job cannot be shown', () => {
    const client = useFakeClient({});
    const store = useJob();
    store.watch('gone');

    client
      .stream('jobs.watch')
      .fail(new FieldwrightError({ code: 'not-found', source: 'user', message: 'no' }));

    expect(store.problem?.code).toBe('not-found');
  });
});

describe('site', () => {
  it('tries a sign-in once per action and shows who is being tried', async () => {
    const client = useFakeClient({ 'credentials.list': () => [] });
    const site = useSite();
    const access = useAccess();

    const { signal } = new AbortController();
    const heard: unknown[] = [];
    const done = access.signIn(
      ['1', '2'],
      { kind: 'new', userName: 'a', password: 'b' },
      { signal, heard: (tests) => heard.push(...tests) },
    );
    const trying = [...site.testing];
    const test = { deviceId: '1', ok: true };
    client.stream('devices.signIn').emit({ type: 'device', test, done: 1, total: 2 });
    client.stream('devices.signIn').options.onEnd?.();
    await done;

    expect(site.testing.size).toBe(0);
    expect([trying, heard]).toEqual([['1', '2'], [test]]);
    expect(client.streams.map(({ name }) => name)).toEqual(['devices.signIn']);
    expect(client.calls.map(({ name }) => name)).toEqual(['credentials.list']);
  });

  it('shows a failed action instead of throwing it', async () => {
    useFakeClient({
      'devices.test': () => {
        throw new FieldwrightError({ code: 'vault-locked', source: 'user', message: 'no' });
      },
    });
    const site = useSite();

    await site.attempt(() => site.test(['1']));

    expect(site.problem?.code).toBe('vault-locked');
    expect(site.testing.size).toBe(0);
  });
});
