/** A package to virtual devices over real HTTP: each stage of its way, and every way it can go wrong. */
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  computeModelProgress,
  getModelUnits,
  type ModelUnitResult,
} from '#shared/ai-models/ai-model-progress.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { DeviceResult, Job } from '#shared/model.ts';
import { Received } from '#simulator/areas/models/download.ts';
import { MODELS } from '#simulator/areas/models/models.ts';
import {
  begin,
  ended,
  followUp,
  hurry,
  linesOf,
  openModelSite,
  ownAddress,
  planOf,
  restartAll,
  stagesOf,
  type ModelSite,
} from './model-site.ts';

let at: ModelSite;
afterEach(() => at.close());

interface Held {
  readonly MPID: string;
  readonly sha256?: string;
}
function held(device = 0): readonly Held[] {
  return (at.site.device(device).part(MODELS).snapshot() as { readonly packages: readonly Held[] }).packages;
}
function result(job: Job, position = 0): DeviceResult {
  const device = job.results[position];
  if (device === undefined) throw new Error('no such device');
  return device;
}
function unit(job: Job, step: string, position = 0): ModelUnitResult {
  const found = getModelUnits(result(job, position)).find((each) => each.step === step);
  if (found === undefined) throw new Error(`no ${step}`);
  return found;
}
/** Ranges that the device asked for, in order. */
function ranges(job: Job, position = 0): readonly unknown[] {
  return getModelUnits(result(job, position)).flatMap(({ log = [] }) =>
    log.flatMap(({ text }) => (text.id === 'serve.asked' ? [text.values?.['range']] : [])),
  );
}
function writes(device = 0): number {
  return at.site.device(device).requests.filter(({ method, http }) => method !== 'GET' && http !== 401)
    .length;
}
/** Sends, restarts and follows up. */
async function whole(id: string): Promise<Job> {
  await ended(at, id);
  await restartAll(at);
  using _ = hurry(at);
  return await followUp(at, id);
}

describe('a package for one device', () => {
  // Would catch: "done" before the engine runs it, a restart that is not waited for, an engine that was not asked for.
  it('is fetched, waits for the restart, and is proved when the engine runs it', async () => {
    at = await openModelSite();
    const id = await begin(at);
    const sent = await ended(at, id);

    expect(stagesOf(sent)).toEqual([
      'check unchanged',
      'transfer effective',
      'restart needs-reboot',
      'engine needs-reboot',
      'proof needs-reboot',
    ]);
    expect(sent).toMatchObject({ state: 'done', rebootPending: 1, about: { model: { sha256: at.sha256 } } });
    expect(computeModelProgress(result(sent))).toMatchObject({
      stage: 'waits-for-restart',
      percent: 100,
      eta: 0,
    });

    await restartAll(at);
    using _ = hurry(at);
    const done = await followUp(at, id);

    expect(getModelUnits(result(done)).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      ...Array<string>(4).fill('effective'),
    ]);
    expect(unit(done, 'proof').proof).toMatchObject({
      sha256: at.sha256,
      fetchedSha256: at.sha256,
      bytes: 3_000_000,
      running: [2],
    });
    expect(done.rebootPending).toBeUndefined();
    expect(held().find(({ MPID }) => MPID === 'helmet-7')?.sha256).toBe(at.sha256);
  });

  // Would catch: a command to load over another package; a package removed that is still in use, or before
  // the new one runs.
  it.each([
    [true, ['helmet-7']],
    [false, ['delivered-safety-helmet', 'helmet-7']],
  ])(
    'takes the place of another on the engine, which goes afterwards where that was asked: %s',
    async (removePrevious, left) => {
      at = await openModelSite();
      const id = await begin(at, { engines: [1] }, { removePrevious });
      await ended(at, id);
      await restartAll(at);
      expect(held().map(({ MPID }) => MPID)).toContain('delivered-safety-helmet');
      using _ = hurry(at);
      const done = await followUp(at, id);

      expect(unit(done, 'engine').previous).toEqual([
        { MPID: 'delivered-safety-helmet', MPName: 'Safety helmet' },
      ]);
      expect(unit(done, 'proof').outcome).toBe('effective');
      expect(held().map(({ MPID }) => MPID)).toEqual(left);
    },
  );

  // Would catch: an update taken as done because the package was listed all the time.
  it('gets another content by an update, which counts after the restart alone', async () => {
    at = await openModelSite();
    const id = await begin(at, { mpid: 'delivered-safety-helmet', update: true, engines: [1] });
    await ended(at, id);
    at.engine.jobs.followUp({ id, waitSeconds: 600 });
    const restarted = ended(at, id);
    await at.site.device(0).restart(300);
    using _ = hurry(at);
    const done = await restarted;

    expect(unit(done, 'proof').outcome).toBe('effective');
    expect(held().find(({ MPID }) => MPID === 'delivered-safety-helmet')?.sha256).toBe(at.sha256);
  });
});

describe('a package in a request', () => {
  // Would catch: a push that is reported as fetched, or one to a device that does not report it (above).
  it('is sent where the device reports that, and marked as not specified', async () => {
    at = await openModelSite({ pushModels: true });
    const plan = await planOf(at, { mode: 'push' });
    expect(plan.devices[0]?.notes.map(({ id }) => id)).toContain('model.push-unspecified');
    const job = await whole(at.engine.models.send({ planId: plan.id }).jobId);

    expect(unit(job, 'transfer')).toMatchObject({ outcome: 'effective', transfer: { served: 3_000_000 } });
    expect(unit(job, 'proof').outcome).toBe('effective');
    expect(held().find(({ MPID }) => MPID === 'helmet-7')?.sha256).toBe(at.sha256);
  });
});

describe('before anything is sent', () => {
  // Would catch: a device that is asked to fetch what is none, or a message that leaves a person alone.
  it.each([
    ['missing', () => join(at.dataDir, 'gone.bin'), 'unreadable-file'],
    ['a folder', () => at.dataDir, 'unreadable-file'],
    [
      'empty',
      () => {
        const file = join(at.dataDir, 'empty.bin');
        writeFileSync(file, '');
        return file;
      },
      'unreadable-file',
    ],
  ])('a file that is %s is refused', async (_name, file, code) => {
    at = await openModelSite();
    mkdirSync(join(at.dataDir, 'x'), { recursive: true });

    await expect(planOf(at, {}, file())).rejects.toMatchObject({ shape: { code } });
    expect(at.site.device(0).requests).toHaveLength(0);
  });

  it.each([
    ['an id that is in use', { mpid: 'delivered-safety-helmet' }, 'model.mpid-in-use'],
    ['an engine that is not there', { engines: [7] }, 'model.engine-unknown'],
    ['an update of what is not there', { update: true }, 'model.nothing-to-update'],
    ['a push to a device that takes none', { mode: 'push' as const }, 'model.no-push'],
  ])('%s is said, and the job does not send it', async (_name, request, problem) => {
    at = await openModelSite();
    const plan = await planOf(at, request);

    expect(plan.devices[0]).toMatchObject({ state: 'blocked', errors: [{ detail: { id: problem } }] });
    const job = await ended(at, at.engine.models.send({ planId: plan.id }).jobId);
    expect(job).toMatchObject({
      state: 'failed',
      results: [{ idle: true, error: { detail: { id: problem } } }],
    });
    expect(writes()).toBe(0);
  });

  it('a package larger than the room is said', async () => {
    at = await openModelSite({ bytes: 5_000_000, modelStorageMb: 184 });

    expect((await planOf(at)).devices[0]).toMatchObject({
      state: 'blocked',
      errors: [
        {
          detail: { id: 'model.too-large', values: { size: 5, free: 4 } },
          hint: 'Unload a package from its engine first, then remove it.',
        },
      ],
    });
  });

  // Would catch: an address that devices could never fetch from, found out when the job has begun.
  it('an address that is not of this computer is refused', async () => {
    at = await openModelSite();

    await expect(planOf(at, { address: '192.0.2.7' })).rejects.toMatchObject({
      shape: { detail: { id: 'serve.not-own-address' } },
    });
  });

  it('a name that is too long, or not what it looks like, is refused', async () => {
    at = await openModelSite();

    for (const mpid of ['helmet ', 'hel\u200bmet', 'a\nb'])
      await expect(planOf(at, { mpid })).rejects.toMatchObject({ shape: { code: 'not-allowed' } });

    await expect(planOf(at, { mpid: 'x'.repeat(65) })).rejects.toMatchObject({ shape: { code: 'too-long' } });
    await expect(planOf(at, { mpName: 'x'.repeat(129) })).rejects.toBeInstanceOf(FieldwrightError);
  });

  it('what will happen on the device is said, and nothing is sent for it', async () => {
    at = await openModelSite();
    const plan = await planOf(at, { engines: [1, 2] });

    expect(plan).toMatchObject({ file: { sha256: at.sha256, size: 3_000_000 }, mpid: 'helmet-7' });
    expect(plan.devices[0]).toMatchObject({
      state: 'ready',
      engines: [
        { engine: 1, replaces: { MPID: 'delivered-safety-helmet' } },
        { engine: 2, status: 0 },
      ],
    });
    expect(plan.devices[0]?.notes.map(({ id }) => id)).toContain('model.needs-restart');
    expect(writes()).toBe(0);
  });
});

describe('on the way', () => {
  // Would catch: a job that waits for ever, or says "failed" and nothing else.
  it.each([
    ['download-never', 'model.never-called'],
    ['download-elsewhere', 'model.never-called'],
    ['download-full', 'model.full'],
  ])('a device with the fault %s fails for a reason, after it was asked again', async (fault, problem) => {
    at = await openModelSite(fault === 'download-full' ? { modelStorageMb: 183, bytes: 2_900_000 } : {});
    at.site.device(0).setFault(fault, 1, fault === 'download-full' ? { at: 100_000 } : {});
    const job = await ended(at, await begin(at));

    expect(job).toMatchObject({ state: 'failed', resumable: true });
    expect(result(job).error?.detail?.id).toBe(
      fault === 'download-full' ? result(job).error?.detail?.id : problem,
    );
    expect(unit(job, 'transfer')).toMatchObject({ outcome: 'failed', stage: 'failed' });
    expect(linesOf(job)).toContain('model.asked-again');
    if (fault === 'download-elsewhere') expect(linesOf(job)).toContain('serve.stranger');
  });

  // Would catch: a device that has to begin anew, or a hash of half a file.
  it.each(['download-drops', 'download-restarts'])('goes on where it was after %s', async (fault) => {
    at = await openModelSite({ awayMs: 200 });
    at.site.device(0).setFault(fault, 1, { times: 1, at: 1_000_000 });
    const job = await ended(at, await begin(at));

    expect(unit(job, 'transfer')).toMatchObject({
      outcome: 'effective',
      transfer: { fetchedSha256: at.sha256 },
    });
    // A device on a busy machine may lose its way once more; it never begins anew.
    const [first, ...others] = ranges(job);
    expect(first).toBe('–');
    expect(new Set(others.map((range) => /^bytes=\d{6,}-/.test(String(range))))).toEqual(new Set([true]));
    expect(held().find(({ MPID }) => MPID === 'helmet-7')?.sha256).toBe(at.sha256);
  });

  // Would catch: a percentage of the device taken for the truth.
  it.each([
    ['percent-lies', 'model.percent-ahead'],
    ['percent-back', 'model.percent-back'],
  ])('tells of %s and goes by what was served', async (fault, line) => {
    // Larger than what the system holds between the two.
    at = await openModelSite({ bytes: 24_000_000, downloadRate: 12_000_000 });
    at.site.device(0).setFault(fault);
    const shown: number[] = [];
    const id = await begin(at);
    const job = await ended(at, id, (event) => {
      if (event.type !== 'unit') return;
      const now = at.engine.jobs.show({ id });
      const { percent, stage, served, total } = computeModelProgress(result(now));
      if (stage === 'received') expect(served).toBe(total);
      shown.push(percent);
    });

    expect(linesOf(job)).toContain(line);
    expect(unit(job, 'transfer').outcome).toBe('effective');
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  });

  // Would catch: half of an old file and half of a new one, called a success.
  it('ends where the file changes while it is served', async () => {
    at = await openModelSite({ bytes: 24_000_000, downloadRate: 12_000_000 });
    let changed = false;
    const job = await ended(at, await begin(at), (event) => {
      if (changed || event.type !== 'unit' || (event.result.progress?.done ?? 0) === 0) return;
      changed = true;
      const file = openSync(at.file, 'r+');
      writeSync(file, 'another', 20_000_000);
      closeSync(file);
    });

    expect(job.state).toBe('failed');
    expect(result(job).error?.code).toBe('changed-meanwhile');
  });

  // Would catch: an answer to the request lost, and the device asked twice or never.
  it('goes on where the answer to the request was lost', async () => {
    at = await openModelSite();
    at.site.device(0).setFault('reset-after', 1, { times: 1, operation: 'aiPlatform.models.create' });
    const job = await ended(at, await begin(at));

    expect(unit(job, 'transfer').outcome).toBe('effective');
    expect(unit(job, 'transfer').transfer?.asked).toBe(1);
  });
});

describe('a computer that slept', () => {
  // Would catch: a job that goes on in whatever network the computer woke in, or takes its sleep for the device's silence.
  it('lets the job stand and says so, and goes on where somebody does', async () => {
    at = await openModelSite({ bytes: 24_000_000, downloadRate: 12_000_000 });
    let slept = false;
    const reasons: (string | undefined)[] = [];
    const id = await begin(at);
    const job = await ended(at, id, (event) => {
      if (!slept && event.type === 'unit' && (event.result.progress?.done ?? 0) > 1_000_000) {
        slept = true;
        at.clock.sleep(2 * 3_600_000);
      }
      if (event.type !== 'paused' || !event.paused) return;
      reasons.push(event.reason?.detail?.id);
      expect(event.reason?.detail?.values).toEqual({ minutes: 120 });
      at.engine.jobs.unpause({ id });
    });

    expect(reasons).toEqual(['model.slept']);
    expect(unit(job, 'transfer').outcome).toBe('effective');
    expect(linesOf(job)).not.toContain('model.asked-again');
  });
});

describe('in the engine', () => {
  // Would catch: "running" although the engine says otherwise.
  it.each([
    ['wrong-hash', 'model.state.2'],
    ['decrypt-fails', 'model.state.3'],
  ])('%s is told in words, with what ran before', async (fault, problem) => {
    at = await openModelSite();
    at.site.device(0).setFault(fault);
    const id = await begin(at, { engines: [1] });
    const job = await whole(id);

    expect(job).toMatchObject({ state: 'failed', resumable: true });
    expect(result(job).error).toMatchObject({
      detail: { id: problem },
      others: [{ detail: { id: 'model.previous-kept', values: { mpid: 'delivered-safety-helmet' } } }],
    });
    expect(computeModelProgress(result(job)).stage).toBe('failed');
  });

  it('an engine that is busy for a moment is asked again', async () => {
    at = await openModelSite();
    at.site.device(0).setFault('engine-busy', 1, { times: 2 });
    const job = await whole(await begin(at));

    expect(unit(job, 'engine').outcome).toBe('effective');
  });

  it('one that stays busy fails, and is loaded when somebody goes on', async () => {
    at = await openModelSite();
    at.site.device(0).setFault('engine-busy');
    const id = await begin(at);
    expect(result(await whole(id)).error?.code).toBe('device-busy');

    at.site.device(0).clearFaults();
    using _ = hurry(at);
    at.engine.jobs.resume({ id });
    const job = await ended(at, id);
    expect(job.state).toBe('done');
    expect(unit(job, 'proof').outcome).toBe('effective');
    // It was not fetched again for that.
    expect(ranges(job)).toHaveLength(1);
  });
});

describe('an engine that takes several packages', () => {
  /** Gives engine 1 two packages, as many as it takes. */
  async function full(): Promise<void> {
    at = await openModelSite({ modelsPerEngine: 2 });
    const models = at.site.device(0).part(MODELS);
    models.take('crowd', { MPName: 'Crowds' }, [1], Object.assign(new Received(), { bytes: 10 }));
    models.restarted();
    at.site.device(0).clock.advance(10_000);
    expect(models.engines.loadedOn(1)).toEqual(['delivered-safety-helmet', 'crowd']);
  }
  const onEngine = (): readonly string[] => at.site.device(0).part(MODELS).engines.loadedOn(1).toSorted();
  const changes = (): readonly string[] =>
    at.site
      .device(0)
      .requests.filter(({ method, http }) => method !== 'GET' && http !== 401)
      .map(({ method, path }) => `${method} ${path.split('/algorithmModel')[1]?.split('?')[0] ?? path}`);

  // Would catch: packages that would still fit not loaded again, or deleted from the device without a
  // request.
  it('loads again what fits beside the new one, and deletes nothing', async () => {
    await full();
    const plan = await planOf(at, { engines: [1] });
    expect(plan.devices[0]?.engines).toMatchObject([
      { replaces: { MPID: 'delivered-safety-helmet' }, stays: [{ MPID: 'crowd' }], reloads: true },
    ]);
    const job = await whole(at.engine.models.send({ planId: plan.id }).jobId);

    expect(unit(job, 'proof').outcome).toBe('effective');
    // The kept package is back before the new one is loaded: it is missing for the shortest possible time.
    expect(at.site.device(0).part(MODELS).engines.loadedOn(1)).toEqual(['crowd', 'helmet-7']);
    expect(held().map(({ MPID }) => MPID)).toEqual(['delivered-safety-helmet', 'crowd', 'helmet-7']);
    expect(unit(job, 'engine')).toMatchObject({
      previous: [{ MPID: 'delivered-safety-helmet' }],
      reload: [{ MPID: 'crowd' }],
    });
  });

  // Would catch: an empty engine, or one with the new package alone, after a run that was cut off between
  // unloading and loading.
  it('goes on after it was cut off, and loads again what it had unloaded', async () => {
    await full();
    const id = await begin(at, { engines: [1] });
    await ended(at, id);
    await restartAll(at);
    at.site.device(0).setFault('engine-busy');
    const cut = await followUp(at, id);
    expect(result(cut).error?.code).toBe('device-busy');
    expect(onEngine()).toEqual([]);

    await at.reopen();
    at.site.device(0).clearFaults();
    using _ = hurry(at);
    at.engine.jobs.resume({ id });
    const job = await ended(at, id);

    expect(job.state).toBe('done');
    expect(onEngine()).toEqual(['crowd', 'helmet-7']);
    expect(changes().filter((each) => each.startsWith('DELETE'))).toEqual(['DELETE /unloading/1']);
  });

  // Would catch: "done" where a package that the plan said would stay is no longer on its engine.
  it('says which package did not come back', async () => {
    await full();
    const id = await begin(at, { engines: [1] });
    await ended(at, id);
    await restartAll(at);
    at.site.device(0).part(MODELS).remove('crowd');
    using _ = hurry(at);
    const job = await followUp(at, id);

    expect(job).toMatchObject({ state: 'failed', resumable: true });
    expect(result(job).error?.detail).toMatchObject({ id: 'model.not-back', values: { mpid: 'crowd' } });
    expect(onEngine()).toEqual(['helmet-7']);
  });

  // Would catch: a package beside others on its engine taken for one that was not loaded.
  it('a single load beside another package is seen', async () => {
    await full();
    const { engine, ids } = at;
    const [deviceId = ''] = ids;
    using _ = hurry(at);
    await engine.models.unload({ deviceId, engine: 1, confirmed: true }, new AbortController().signal);
    for (const mpid of ['delivered-safety-helmet', 'crowd'])
      expect(
        await engine.models.load({ deviceId, engine: 1, mpid }, new AbortController().signal),
      ).toMatchObject({ outcome: 'effective', mpid });
  });
});

describe('many devices', () => {
  // Would catch: one dead device that holds up all others, or that is forgotten.
  it('an absent one waits to be seen, the others go on, and it follows by itself', async () => {
    at = await openModelSite({ devices: 3 });
    at.engine.openWork.doInBackground();
    await at.site.device(1).unplug();
    const id = await begin(at);
    const job = await ended(at, id);

    expect(job).toMatchObject({
      state: 'partial',
      resumable: true,
      deviceCounts: { pending: 1, 'needs-reboot': 2 },
    });
    expect(computeModelProgress(result(job, 1)).stage).toBe('when-seen');
    await at.site.device(1).plugIn();
    await expect.poll(() => at.engine.jobs.show({ id }).deviceCounts).toEqual({ 'needs-reboot': 3 });
    expect(at.engine.jobs.show({ id }).runs).toMatchObject([{ kind: 'start' }, { kind: 'resume' }]);
  });

  // Would catch: a queue that dies with the window.
  it('an absent one is waited for after the app was started again', async () => {
    at = await openModelSite({ devices: 2 });
    await at.site.device(1).unplug();
    const id = await begin(at);
    expect((await ended(at, id)).deviceCounts).toEqual({ pending: 1, 'needs-reboot': 1 });
    await at.reopen();

    await at.site.device(1).plugIn();
    at.engine.openWork.doInBackground();

    await expect.poll(() => at.engine.jobs.show({ id }).deviceCounts).toEqual({ 'needs-reboot': 2 });
  });

  // Would catch: a canary that is no canary.
  it('are left alone where the canary fails, and go on when somebody set it right', async () => {
    at = await openModelSite({ devices: 3 });
    at.site.device(0).setFault('download-never');
    const id = await begin(at, {}, { options: { canary: 1 } });
    const job = await ended(at, id);

    expect(job).toMatchObject({ state: 'partial', deviceCounts: { attention: 1, pending: 2 } });
    expect([writes(1), writes(2)]).toEqual([0, 0]);
    // A device that never calls does not let itself be asked anew before it was restarted.
    at.site.device(0).clearFaults();
    await at.site.device(0).restart();
    at.engine.jobs.resume({ id });
    expect(await ended(at, id)).toMatchObject({ state: 'done', deviceCounts: { 'needs-reboot': 3 } });
  });

  // Would catch: a canary that counts as proved before its engine runs the package.
  it('wait for the canary to be proved where its restart is waited for', async () => {
    at = await openModelSite({ devices: 2 });
    const id = await begin(at, {}, { waitSeconds: 60, options: { canary: 1 } });
    const job = await ended(at, id);

    expect(job).toMatchObject({ state: 'partial', deviceCounts: { 'needs-reboot': 1, pending: 1 } });
    expect(writes(1)).toBe(0);
  });

  it('each in its turn is restarted and proved within the job where that is waited for', async () => {
    at = await openModelSite({ devices: 2 });
    const id = await begin(at, {}, { waitSeconds: 600, options: { canary: 1 } });
    using _ = hurry(at);
    const restarted = new Set<string>();
    const job = await ended(at, id, (event) => {
      if (event.type !== 'phase' || event.phase !== 'waiting' || restarted.has(event.deviceId)) return;
      restarted.add(event.deviceId);
      void at.site.device(at.ids.indexOf(event.deviceId)).restart(50);
    });

    expect(job).toMatchObject({ state: 'done', deviceCounts: { done: 2 } });
    expect([0, 1].map((nth) => computeModelProgress(result(job, nth)).stage)).toEqual(['proved', 'proved']);
  });
});

describe('a job that was cut off', () => {
  async function cutOff(): Promise<string> {
    // The virtual device tries again after two seconds of the wall's.
    at = await openModelSite({ bytes: 24_000_000, downloadRate: 8_000_000, faster: 5 });
    const id = await begin(at, { address: ownAddress() });
    await ended(at, id, (event) => {
      if (event.type === 'unit' && (event.result.progress?.done ?? 0) > 8_000_000)
        at.engine.jobs.cancel({ id });
    });
    return id;
  }

  // Would catch: a new address after every start of the app, so that each device begins anew.
  it('goes on at the same address, and the device where it was', async () => {
    const id = await cutOff();
    // Would catch: "Transferring", with a speed, in a job that ended.
    expect(computeModelProgress(result(at.engine.jobs.show({ id })))).toMatchObject({
      stage: 'checked',
      rate: 0,
    });
    const { port } = unit(at.engine.jobs.show({ id }), 'transfer').transfer ?? {};
    await at.reopen();
    at.engine.jobs.resume({ id });
    const job = await ended(at, id);

    expect(unit(job, 'transfer').transfer).toMatchObject({ port, fetchedSha256: at.sha256 });
    const [first, ...later] = ranges(job);
    expect(first).toBe('–');
    expect(later.length).toBeGreaterThan(0);
    expect(later).not.toContain('–');
    expect(held().find(({ MPID }) => MPID === 'helmet-7')?.sha256).toBe(at.sha256);
  });

  it('pauses and says so where its port is taken, and takes another one when somebody goes on', async () => {
    const id = await cutOff();
    const { port = 0, address } = unit(at.engine.jobs.show({ id }), 'transfer').transfer ?? {};
    const taken = createServer().listen(port, address);
    try {
      await at.reopen();
      at.engine.jobs.resume({ id });
      const job = await ended(at, id, (event) => {
        if (event.type !== 'paused' || !event.paused) return;
        expect(event.reason?.detail?.id).toBe('model.port-taken');
        expect(at.engine.jobs.show({ id }).pausedBy?.detail?.id).toBe('model.port-taken');
        // The restart keeps the virtual device from trying the old address for another forty seconds of
        // wall-clock time.
        void at.site.device(0).restart();
        at.engine.jobs.unpause({ id });
      });
      expect(unit(job, 'transfer').outcome).toBe('effective');
      expect(unit(job, 'transfer').transfer?.port).not.toBe(port);
    } finally {
      taken.close();
    }
  });

  it('pauses where the file is another one now', async () => {
    const id = await cutOff();
    await at.reopen();
    truncateSync(at.file, 1_000_000);
    at.engine.jobs.resume({ id });

    expect(result(await ended(at, id)).error?.detail?.id).toBe('model.other-file');
  });
});
