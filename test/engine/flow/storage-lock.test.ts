/** The storage card locked with a password that nobody can lose. */
import { afterEach, expect, it } from 'vitest';
import { STORAGE_CARD } from '../../../src/simulator/areas/storage-card.ts';
import { openEngine, openSite, watchToEnd } from '../site-engine.ts';
import type { TestSite } from '../site-engine.ts';
import { contentOf, exportedSecrets, follow } from './run-flow.ts';

const ANSWERS = {
  password: { kept: true, understood: true },
  prove: { wait: false },
  sign: { name: 'A. Installer', role: 'Example Ltd' },
};
let site: TestSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

it('locks the card, proves that the password opens it, and keeps it nowhere but in the vault', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'storage-lock', deviceIds: ids });

  const { last } = await follow(engine, jobId, ANSWERS);

  expect(last.devices[0]?.outcomes).toEqual([
    'unchanged',
    'unchanged',
    'accepted',
    'effective',
    'unchanged',
    'unchanged',
  ]);
  const [record] = engine.flows.recordsOf({ jobId });
  expect(JSON.stringify(record)).toContain('flow-lock-new-opens');
  const password = (await exportedSecrets(engine))[0]?.value ?? '';
  expect(password).toHaveLength(10);
  // Would catch: a password in an answer, an effect, a change, the record or an undo state.
  await engine.close();
  expect(site.stored()).not.toContain(password);
});

// Would catch: a step that does again after a crash what it had done, or forgets an answer; a second password for a locked card.
it('goes on after the app ended at any of its questions, to the same record, with each write sent once', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const whole = await run(site, 'none');
  for (const stopAt of whole.asked) {
    await site.close();
    site = await openSite({ kinds: ['thermal'] });
    const cut = await run(site, stopAt);
    expect(cut.writes, stopAt).toEqual(whole.writes);
    expect(cut.content, stopAt).toEqual(whole.content);
  }
});

// Would catch: a wrong password that is sent and may lock the card's owner out; a question that takes what does not fit.
it('takes no two different passwords, no word that is too long, and no answer to an older question', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'storage-lock', deviceIds: ids });
  let token = '';
  await follow(engine, jobId, { password: { password: 'typed' } }, (asked) => {
    token = asked.token;
    return asked.key === 'typed';
  });
  const say = (values: object, to = token): unknown =>
    engine.flows.answer({ jobId, token: to, answer: { kind: 'values', values: { ...values } } });

  expect(() => say({ new: '12345678901', again: '12345678901' })).toThrow('1 to 10 characters');
  expect(() => say({ new: '1', again: '2' })).toThrow('differ');
  expect(() => say({ new: '1' })).toThrow('again is missing');
  expect(() => say({ new: '1', again: '1', more: '1' })).toThrow('no field more');
  expect(() => say({ new: '1', again: '1' }, 'another')).toThrow('has changed meanwhile');
  expect(() => engine.flows.answer({ jobId, token, answer: { kind: 'skip', reason: 'no' } })).toThrow(
    'cannot be left out',
  );
});

it('says what is missing on a device without a card, and tries again when it is there', async () => {
  site = await openSite({ kinds: ['thermal'] });
  const { engine, ids } = site;
  const card = site.site.device(0).part(STORAGE_CARD);
  card.present = false;
  const { jobId } = engine.flows.begin({ flow: 'storage-lock', deviceIds: ids });

  const seen = await follow(engine, jobId, ANSWERS, (asked) => asked.wants === 'trouble');
  expect(seen.last.asked?.error?.message).toContain('no storage card');
  card.present = true;
  engine.flows.answer({ jobId, token: seen.last.asked?.token ?? '', answer: { kind: 'values', values: {} } });
  await follow(engine, jobId, ANSWERS);

  expect(engine.jobs.show({ id: jobId }).state).toBe('done');
});

async function run(at: TestSite, stopAt: string) {
  const { jobId } = at.engine.flows.begin({ flow: 'storage-lock', deviceIds: at.ids });
  const first = await follow(at.engine, jobId, ANSWERS, ({ step, key }) => `${step}.${key}` === stopAt);
  let { engine } = at;
  if (stopAt !== 'none') {
    await engine.close();
    engine = await openEngine(at.dataDir);
    const [device] = at.site.devices;
    if (device === undefined) throw new Error('no device');
    engine.devices.addTransient({
      url: device.url,
      name: device.name,
      userName: device.user,
      password: device.password,
    });
    expect(engine.jobs.show({ id: jobId })).toMatchObject({ resumable: true });
    engine.jobs.resume({ id: jobId });
    await follow(engine, jobId, ANSWERS);
  }
  await watchToEnd(engine, jobId);
  expect(engine.jobs.show({ id: jobId }).state).toBe('done');
  const [record] = engine.flows.recordsOf({ jobId });
  if (record === undefined) throw new Error('no record');
  const content = JSON.stringify(contentOf(record)).replaceAll(/127\.0\.0\.1:\d+|t-[\w-]+/g, 'device');
  if (engine !== at.engine) await engine.close();
  return {
    asked: first.asked,
    content,
    writes: at.site
      .device(0)
      .requests.filter(({ method, http }) => method === 'PUT' && http === 200)
      .map(({ operation }) => operation),
  };
}
