/** Answers that say neither yes nor no, refusals that say something else, and restarts: what flows make of them. */
import { expect, it } from 'vitest';
import { STORAGE_CARD } from '#simulator/areas/storage-card.ts';
import type { FaultScope } from '#simulator/faults.ts';
import type { Asked } from '#shared/flows.ts';
import type { Check, SealedDocument } from '#shared/report-document.ts';
import { WRITE_CASES } from '#test/helpers/write-cases.ts';
import { openWriteBench } from '../write-bench.ts';
import { openSite, watchToEnd, type TestSite } from '../site-engine.ts';
import { ANSWERS as GATE, endWatch, prepareGate, work } from './gate-walk.ts';
import { exportedSecrets, follow } from './run-flow.ts';

const SIGN = { sign: { name: 'A. Installer' } };
const TOKEN = { 'hand-over': { to: 'Integrator', given: true }, ...SIGN };
const LOCK = {
  password: { original: 'Old-1', kept: true, understood: true },
  prove: { try: true, wait: false },
  ...SIGN,
};
const SET = 'token.secretKey.set';
const UNLOCK = 'storage.unlock.put';

let site: TestSite;

type Fault = readonly [kind: string, scope: FaultScope];
type At = (asked: Asked) => boolean | 'answered' | Promise<boolean | 'answered'>;

/** Goes through a flow to its end, or until `at` says so. */
async function go(at: TestSite, flow: string, answers: Parameters<typeof follow>[2], look: At = () => false) {
  const { engine, ids } = at;
  const { jobId } = engine.flows.begin({ flow, deviceIds: ids });
  const { asked } = await follow(engine, jobId, answers, look);
  return { jobId, asked };
}

function outcomesOf({ engine }: TestSite, jobId: string): readonly unknown[] {
  return engine.jobs.show({ id: jobId }).results[0]?.units.map(({ outcome }) => outcome) ?? [];
}

async function keysOf({ engine }: TestSite): Promise<readonly { state: string; value: string }[]> {
  return (await exportedSecrets(engine)) as unknown as readonly { state: string; value: string }[];
}

function sentTo(at: TestSite, operation: string): number {
  return at.site.device(0).requests.filter((one) => one.operation === operation && one.http !== 401).length;
}

function checkOf(record: SealedDocument | undefined, id: string): Check | undefined {
  return record?.document.sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.block === 'checklist' ? block.items : []))
    .find(({ label }) => typeof label === 'object' && 'id' in label && label.id === id);
}

// Would catch: a web page, or half a status, taken for a yes: the key in force is lost, and the record says that the device
// took the new one.
it.each<[string, Fault]>([
  ['a web page', ['html', { operation: SET }]],
  ['a web page, after it took the key', ['html', { operation: SET, done: true }]],
  ['a status that breaks off', ['cut-status', { operation: SET }]],
  ['nothing', ['empty', { operation: SET }]],
])(
  'keeps the token key in force, and the new one, where the device answers %s',
  async (_what, [kind, scope]) => {
    site = await openSite({ kinds: ['counter'] });
    const { engine } = site;
    const device = site.site.device(0);
    await go(site, 'token-key', TOKEN);
    const [first] = await keysOf(site);
    device.setFault(kind, 1, scope);

    const { jobId } = await go(site, 'token-key', TOKEN);

    expect(outcomesOf(site, jobId)[2]).toBe('unknown');
    expect(engine.jobs.show({ id: jobId })).toMatchObject({ state: 'failed', resumable: true });
    const [record] = engine.flows.recordsOf({ jobId });
    expect(JSON.stringify(record)).toContain('flow-token-which');
    expect(JSON.stringify(record)).not.toContain('flow-token-not-readable');
    const both = await keysOf(site);
    expect(both.map(({ state }) => state)).toEqual(['current', 'pending']);
    expect(both[0]?.value).toBe(first?.value);
    // Would catch: a flow that can never be finished, or whose end was not signed.
    device.clearFaults();
    engine.jobs.resume({ id: jobId });
    const { asked } = await follow(engine, jobId, TOKEN);
    expect(asked).toEqual(['send.key', 'sign.sign']);
    expect(engine.jobs.show({ id: jobId }).state).toBe('done');
    expect(await keysOf(site)).toMatchObject([
      { state: 'current', value: both[1]?.value },
      { state: 'former', value: first?.value },
    ]);
    const [later] = engine.flows.recordsOf({ jobId });
    expect(JSON.stringify(later)).not.toContain('flow-token-which');
    expect(later?.previous).toEqual({ id: record?.document.id, sha256: record?.sha256 });
  },
);

it('keeps both keys where the answer is lost and the person leaves', async () => {
  site = await openSite({ kinds: ['counter'] });
  await go(site, 'token-key', TOKEN);
  const [first] = await keysOf(site);
  site.site.device(0).setFault('reset-after', 1, { operation: SET });

  const { jobId } = await go(site, 'token-key', TOKEN);

  expect(site.engine.jobs.show({ id: jobId }).state).toBe('failed');
  expect(await keysOf(site)).toMatchObject([
    { state: 'current', value: first?.value },
    { state: 'pending', value: expect.any(String) as string },
  ]);
});

// Would catch: a key that a restart brings into force and that can never be finished, is sent with every resume, or counts
// before the restart.
it('sees a token key through the restart that it needs, and sends it once', async () => {
  site = await openSite({ kinds: ['counter'] });
  const { engine, ids } = site;
  const device = site.site.device(0);
  await go(site, 'token-key', TOKEN);
  const before = sentTo(site, SET);
  device.setFault('reboot', 1, { operation: SET, times: 1 });

  const left = await go(site, 'token-key', TOKEN, ({ key }) => key === 'restart');
  engine.jobs.cancel({ id: left.jobId });
  await follow(engine, left.jobId, TOKEN);
  expect((await keysOf(site)).map(({ state }) => state)).toEqual(['current', 'pending']);
  expect(outcomesOf(site, left.jobId)[2]).toBe('pending');

  engine.jobs.resume({ id: left.jobId });
  const { asked } = await follow(engine, left.jobId, TOKEN, async ({ key, wants }) => {
    if (key !== 'restart') return false;
    expect(wants).toBe('watch');
    await device.unplug();
    for await (const view of engine.flows.watch({ jobId: left.jobId }, new AbortController().signal))
      if (JSON.stringify(view.asked?.text).includes('flow-restart-waits')) break;
    await device.plugIn();
    return false;
  });

  expect(asked.slice(0, 2)).toEqual(['send.restart', 'hand-over.hand-over']);
  expect(sentTo(site, SET)).toBe(before + 1);
  expect((await keysOf(site)).map(({ state }) => state)).toEqual(['current', 'former']);
  expect(outcomesOf(site, left.jobId)[2]).toBe('accepted');
  const [record] = engine.flows.recordsOf({ jobId: left.jobId });
  expect(JSON.stringify(record)).toContain('flow-restart-seen');
  expect(ids).toHaveLength(1);
});

// Would catch: an unseen restart reported as if it had been watched; a script that can never go on.
it('takes the word of whoever goes on after the restart, and says so', async () => {
  site = await openSite({ kinds: ['counter'] });
  const { engine } = site;
  site.site.device(0).setFault('reboot', 1, { operation: SET, times: 1 });
  const { jobId } = await go(site, 'token-key', TOKEN, (asked) => {
    if (asked.key === 'restart') endWatch(site?.engine ?? engine, jobIdOf(engine), asked);
    return asked.key === 'restarted' || (asked.key === 'restart' && 'answered');
  });
  expect(site.engine.jobs.show({ id: jobId }).state).toBe('running');
  engine.jobs.cancel({ id: jobId });
  await watchToEnd(engine, jobId);

  engine.jobs.resume({ id: jobId });
  await follow(engine, jobId, TOKEN, (asked) => {
    if (asked.key !== 'restart') return false;
    endWatch(engine, jobId, asked);
    return 'answered';
  });

  expect(engine.jobs.show({ id: jobId }).state).toBe('done');
  expect(sentTo(site, SET)).toBe(1);
  expect(JSON.stringify(engine.flows.recordsOf({ jobId }))).toContain('flow-restart-attested');
});

function jobIdOf({ jobs }: TestSite['engine']): string {
  return jobs.list()[0]?.id ?? '';
}

// Would catch: a card that counts as locked, and its password as proved, before the restart that locks it.
it('proves the password of a card only after the restart that the lock needs', async () => {
  site = await openSite({ kinds: ['recorder'] });
  const { engine } = site;
  const device = site.site.device(0);
  device.setFault('reboot', 1, { operation: 'storage.rwLock.put', times: 1 });

  const { jobId } = await go(
    site,
    'storage-lock',
    { ...LOCK, prove: { wait: false } },
    (asked) => asked.key === 'restart',
  );

  expect(outcomesOf(site, jobId).slice(2, 4)).toEqual(['pending', 'pending']);
  expect(sentTo(site, UNLOCK)).toBe(0);
  expect((await keysOf(site)).map(({ state }) => state)).toEqual(['pending']);
  engine.jobs.cancel({ id: jobId });
});

// Would catch: a refusal for any other reason taken for the proof that a password no longer opens the card.
it.each(
  WRITE_CASES.filter(({ answer, effect }) => effect === 'kept' && answer !== 'content' && answer !== 'yes'),
)('does not prove that the former password fails by $name', async (one) => {
  const { engine, id, card, play } = await openRecorder();
  card.lock('Old-1');
  const { jobId } = engine.flows.begin({ flow: 'storage-lock', deviceIds: [id] });

  await follow(engine, jobId, LOCK, (asked) => {
    if (asked.step === 'prove' && asked.key === 'former' && asked.wants === 'confirm') play(one);
    if (asked.wants !== 'trouble') return false;
    // The step is tried again: it is not sent twice.
    engine.flows.answer({ jobId, token: asked.token, answer: { kind: 'values', values: {} } });
    return 'answered';
  });

  const [record] = engine.flows.recordsOf({ jobId });
  // Busy twice, it looks at the third one and refuses it.
  const isRefused = one.answer === 'busy' && one.times !== undefined;
  expect(checkOf(record, 'flow-lock-former-fails')).toMatchObject(
    isRefused
      ? { result: 'done', proof: 'function-tested' }
      : { result: 'skipped', reason: expect.anything() as unknown },
  );
  expect(checkOf(record, 'flow-lock-new-opens')).toMatchObject({ result: 'done', proof: 'function-tested' });
  expect(JSON.stringify(record)).not.toContain('"reason":""');
});

/** Opens a recorder behind a proxy that treats attempts to unlock its card as configured. */
async function openRecorder() {
  const at = await openWriteBench('recorder', {
    isWrite: ({ method, path }) => method === 'PUT' && path.endsWith('/unlock'),
    format: 'xml',
  });
  return { ...at, card: at.site.device(0).part(STORAGE_CARD), play: at.proxy.play };
}

it('proves it by the refusal of the password, and forgets the former one then', async () => {
  site = await openSite({ kinds: ['recorder'] });
  site.site.device(0).part(STORAGE_CARD).lock('Old-1');

  const { jobId } = await go(site, 'storage-lock', LOCK);

  const [record] = site.engine.flows.recordsOf({ jobId });
  expect(checkOf(record, 'flow-lock-former-fails')).toMatchObject({
    result: 'done',
    proof: 'function-tested',
  });
  expect((await keysOf(site)).map(({ state }) => state)).toEqual(['current']);
});

// Would catch: a card whose password is unknown, because the change was answered by a web page.
it('keeps both passwords of a card whose change nobody can find out about', async () => {
  site = await openSite({ kinds: ['recorder'] });
  const { engine } = site;
  const device = site.site.device(0);
  await go(site, 'storage-lock', { ...LOCK, prove: { wait: false } });
  const [first] = await keysOf(site);
  device.setFault('html', 1, { path: 'storageDetection', method: 'PUT' });

  const { jobId } = await go(site, 'storage-lock', LOCK);

  expect(outcomesOf(site, jobId).slice(2, 4)).toEqual(['unknown', 'unknown']);
  expect(await keysOf(site)).toMatchObject([{ state: 'current', value: first?.value }, { state: 'pending' }]);
  const [record] = engine.flows.recordsOf({ jobId });
  expect(JSON.stringify(record)).toContain('flow-lock-which');
  device.clearFaults();
  engine.jobs.resume({ id: jobId });
  await follow(engine, jobId, LOCK);
  expect(engine.jobs.show({ id: jobId }).state).toBe('done');
  const [current] = await keysOf(site);
  expect(device.part(STORAGE_CARD).isPassword(current?.value)).toBe(true);
});

/** Goes through a gate with a person who works at it. */
async function goThroughGate(
  at: TestSite,
  answers: Readonly<Record<string, object>>,
  look: (asked: Asked) => void = () => undefined,
) {
  prepareGate(at);
  let jobId = '';
  const answered = await go(
    at,
    'gate',
    { ...GATE, ...answers } as Parameters<typeof follow>[2],
    async (asked) => {
      jobId = jobIdOf(at.engine);
      if (asked.wants === 'trouble') throw new Error(`${asked.step}: ${asked.error?.message ?? ''}`);
      look(asked);
      await work(at, asked, { giveUp: (watch) => endWatch(at.engine, jobId, watch) });
      return false;
    },
  );
  return answered;
}

// Would catch: an announcement that is accepted by a web page.
it('does not know whether a gate took its announcement where it answers with a web page', async () => {
  site = await openSite({ kinds: ['gate'] });
  site.site.device(0).setFault('html', 1, { operation: 'accessControl.controllerAudio.put' });
  const audio = { ...GATE.audio, number: 2, audioName: 'Welcome', playCondition: 'CompleteAuth' };

  const { jobId } = await goThroughGate(site, { audio });

  expect(outcomesOf(site, jobId)[6]).toBe('unknown');
  expect(JSON.stringify(site.engine.flows.recordsOf({ jobId }))).toContain('flow-write-unknown');
});

// Would catch: a scripted flow that one busy poll ends.
it('asks a busy gate again, whatever it reads', async () => {
  site = await openSite({ kinds: ['gate'] });
  const device = site.site.device(0);
  const { jobId } = await goThroughGate(site, {}, () =>
    device.setFault('busy', 1, { method: 'GET', times: 2 }),
  );

  expect(site.engine.jobs.show({ id: jobId }).state).toBe('done');
});

// Would catch: a gate reported as having no host configuration and no controllers, because it had trouble of
// its own.
it('says why a gate shows nothing, and never that it has nothing, where it refuses for a reason of its own', async () => {
  site = await openSite({ kinds: ['gate'] });
  const device = site.site.device(0);
  device.setFault('refused', 1, { operation: 'accessControl.hostConfig.get', sub: 'internalError' });

  const { jobId } = await goThroughGate(site, {});

  const [record] = site.engine.flows.recordsOf({ jobId });
  const checks = record?.document.sections
    .slice(1)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.block === 'checklist' ? block.items : []))
    .filter(({ label, result }) => result === 'skipped' && JSON.stringify(label).includes('flow-gate-host'));
  expect(checks).toMatchObject([{ reason: { id: 'device.own-error' } }]);
});
