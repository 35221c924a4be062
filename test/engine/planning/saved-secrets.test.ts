/** Secrets of templates in the vault: used where nothing was given, and found nowhere. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPassphraseProtection } from '#engine/host/key-protection.ts';
import type { Engine } from '#engine/index.ts';
import type { Job, Plan } from '#shared/model.ts';
import { filesOf, spellingsOf, tracesIn } from '#test/helpers/traces-of.ts';
import {
  applyPlan,
  makePlan,
  never,
  openEngine,
  openSite,
  template,
  writes,
  type TestSite,
  waitForEnd,
  reopenEngine,
} from '../site-engine.ts';

const LOCK = template('set: storage.rwLock\nvalue: { enabled: true, passwd: "${cardLock}" }').replace(
  'sections:',
  'variables:\n  cardLock: { type: secret }\nsections:',
);
const [SAVED, OTHER] = ['Gr&n-7731', 'Blu<-9204'];

let at: TestSite;
beforeEach(async () => {
  at = await openSite();
});

/** How often the device was written to. */
function writesSent(): number {
  return writes(at).filter(({ applied }) => applied).length;
}

/** The card is locked with this password: it opens with it, and not with the other one. */
async function locksWith(
  engine: Engine,
  password: string,
  where: Pick<TestSite, 'ids'> = at,
): Promise<boolean> {
  const attempt = async (passwd: string): Promise<string> =>
    (
      await engine.operations.call(
        { deviceId: where.ids[0] ?? '', operation: 'storage.rwLock.put', body: { enabled: false, passwd } },
        never,
      )
    ).outcome;
  return (await attempt(password === SAVED ? OTHER : SAVED)) !== 'ok' && (await attempt(password)) === 'ok';
}

async function retried(engine: Engine, jobId: string): Promise<Plan> {
  for await (const event of engine.plans.retry({ jobId }, never))
    if (event.type === 'plan') return event.plan;
  throw new Error('no plan came');
}

async function resumed(engine: Engine, id: string): Promise<Job> {
  engine.jobs.resume({ id });
  return waitForEnd(engine, id);
}

const codeIs = (code: string): unknown =>
  expect.objectContaining({ shape: expect.objectContaining({ code }) });

describe('a secret in the vault', () => {
  it('is what the device gets where none was given, and stands nowhere in the data folder or an answer', async () => {
    at.engine.secrets.save({ name: 'cardLock', value: SAVED });
    const plan = await makePlan(at, LOCK);
    const job = await applyPlan(at.engine, plan);

    expect(job).toMatchObject({ state: 'done', results: [{ units: [{ set: 'storage.rwLock' }] }] });
    const answers = JSON.stringify([
      plan,
      job,
      at.engine.secrets.list(),
      at.engine.plans.exportFile({ planId: plan.id }),
      at.engine.jobs.export({ query: {}, format: 'json' }),
      at.engine.templates.check({ text: LOCK }),
    ]);
    const sources = new Map([...filesOf(at.dataDir), ['answers', Buffer.from(answers)]]);
    expect(tracesIn(sources, spellingsOf(SAVED))).toEqual([]);
    expect(answers).toContain('cardLock');
    expect(await locksWith(at.engine, SAVED)).toBe(true);
  });

  it('gives way to what was given, with the plan or at the start', async () => {
    at.engine.secrets.save({ name: 'cardLock', value: SAVED });
    await applyPlan(at.engine, await makePlan(at, LOCK, { secrets: { cardLock: OTHER } }));
    expect(await locksWith(at.engine, OTHER)).toBe(true);

    const fresh = await openSite();
    fresh.engine.secrets.save({ name: 'cardLock', value: SAVED });
    await applyPlan(fresh.engine, await makePlan(fresh, LOCK), {}, { secrets: { cardLock: OTHER } });
    expect(await locksWith(fresh.engine, OTHER, fresh)).toBe(true);
    await fresh.close();
  });

  it('is replaced under its name, listed without its value, and asked for again once it is removed', async () => {
    at.engine.secrets.save({ name: 'cardLock', value: OTHER });
    const { changedAt } = at.engine.secrets.save({ name: 'cardLock', value: SAVED });
    expect(at.engine.secrets.list()).toEqual([{ name: 'cardLock', changedAt }]);
    expect(at.engine.templates.check({ text: LOCK }).summary?.variables).toMatchObject([
      { name: 'cardLock', saved: true },
    ]);
    const plan = await makePlan(at, LOCK);

    expect([
      at.engine.secrets.remove({ name: 'cardLock' }),
      at.engine.secrets.remove({ name: 'cardLock' }),
    ]).toEqual([{ removed: true }, { removed: false }]);

    expect(at.engine.templates.check({ text: LOCK }).summary?.variables[0]).not.toHaveProperty('saved');
    // A plan made with it keeps none: what was removed is not used any more.
    expect(() => at.engine.jobs.start({ plan })).toThrow(codeIs('undefined-variable'));
    expect(writesSent()).toBe(0);
  });

  it.each(['', '1st', 'card lock', 'a'.repeat(65), 'x\n'])(
    'is not saved under %j, which no variable can be called',
    (name) => {
      expect(() => at.engine.secrets.save({ name, value: SAVED })).toThrow(codeIs('usage'));
      expect(at.engine.secrets.list()).toEqual([]);
    },
  );

  it('is never empty', () => {
    expect(() => at.engine.secrets.save({ name: 'cardLock', value: '' })).toThrow(codeIs('usage'));
  });

  // Would catch: a sealed value that opens under any name.
  it('opens under its own name alone', async () => {
    at.engine.secrets.save({ name: 'other', value: SAVED });
    at.engine.secrets.save({ name: 'cardLock', value: OTHER });
    const database = new DatabaseSync(join(at.dataDir, 'fieldwright.db'));
    database.exec(
      "UPDATE template_secrets SET secret = (SELECT secret FROM template_secrets WHERE name = 'other') WHERE name = 'cardLock'",
    );
    database.close();

    await expect(makePlan(at, LOCK)).rejects.toThrow(codeIs('vault-damaged'));
    await expect(makePlan(at, LOCK, { secrets: { cardLock: SAVED } })).resolves.toMatchObject({
      devices: [{ state: 'changes' }],
    });
  });
});

describe('jobs after a restart', () => {
  it('are resumed and retried with it, and their previews say that it need not be given', async () => {
    at.engine.secrets.save({ name: 'cardLock', value: SAVED });
    at.site.device(0).setFault('unauthorized', 1, { method: 'PUT', lasting: true });
    const failed = await applyPlan(at.engine, await makePlan(at, LOCK));
    at.site.device(0).setFault('unauthorized', 0);
    const engine = await reopenEngine(at);

    expect(engine.jobs.resumePreview({ id: failed.id }).secrets).toMatchObject([
      { name: 'cardLock', saved: true },
    ]);
    expect(engine.plans.retryPreview({ jobId: failed.id }).secrets).toMatchObject([
      { name: 'cardLock', saved: true },
    ]);
    // The device turned the sign-in away: a person says that it may be tried again.
    await engine.devices.test({ ids: [failed.results[0]?.deviceId ?? ''] }, never);
    const plan = await retried(engine, failed.id);
    expect(await resumed(engine, failed.id)).toMatchObject({ state: 'done' });
    expect(await locksWith(engine, SAVED)).toBe(true);
    expect(plan.devices).toMatchObject([{ state: 'changes' }]);
  });

  it('are not resumed with another one than they began with', async () => {
    at.engine.secrets.save({ name: 'cardLock', value: SAVED });
    at.site.device(0).setFault('unauthorized', 1, { method: 'PUT', lasting: true });
    const failed = await applyPlan(at.engine, await makePlan(at, LOCK));
    at.site.device(0).setFault('unauthorized', 0);
    const engine = await reopenEngine(at);
    engine.secrets.save({ name: 'cardLock', value: OTHER });

    expect(() => engine.jobs.resume({ id: failed.id })).toThrow(codeIs('not-allowed'));
    expect(writesSent()).toBe(0);
  });
});

describe('a locked vault', () => {
  it('has no secret to give: it is asked for as ever, and nothing can be saved', async () => {
    at.engine.secrets.save({ name: 'cardLock', value: SAVED });
    const engine = await reopenEngine(at, {
      protections: [createPassphraseProtection(() => 'another protection')],
    });
    expect(engine.info().vault.state).toBe('locked');

    expect(engine.secrets.list()).toMatchObject([{ name: 'cardLock' }]);
    expect(engine.templates.check({ text: LOCK }).summary?.variables[0]).not.toHaveProperty('saved');
    const plan = await makePlan({ engine, ids: at.ids }, LOCK);
    expect(() => engine.jobs.start({ plan })).toThrow(codeIs('undefined-variable'));
    expect(() => engine.secrets.save({ name: 'cardLock', value: OTHER })).toThrow(codeIs('vault-locked'));
    expect(writesSent()).toBe(0);
  });
});

describe('a plan file', () => {
  // Would catch: a file that sends what the vault has under a likely name to an address of its own.
  it('for devices that nobody here added gets no secret from the vault', async () => {
    const plan = await makePlan(at, LOCK);
    const { text } = at.engine.plans.exportFile({ planId: plan.id });
    await at.engine.close();
    const engine = await openEngine(at.dataDir);
    onTestFinished(() => engine.close());
    engine.secrets.save({ name: 'cardLock', value: SAVED });
    const foreign = await engine.plans.importFile(
      { text, foreignDevices: true },
      AbortSignal.timeout(60_000),
    );
    for (const { url, name, user, password } of at.site.devices)
      engine.devices.addTransient({ url, name, userName: user, password });

    expect(() => engine.jobs.start({ plan: foreign })).toThrow(codeIs('undefined-variable'));
    const ours = await engine.plans.importFile({ text, foreignDevices: true }, AbortSignal.timeout(60_000));
    expect(await applyPlan(engine, ours)).toMatchObject({ state: 'done' });
    expect(await locksWith(engine, SAVED)).toBe(true);
  });
});
