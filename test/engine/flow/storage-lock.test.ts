/** The storage card locked with a password that cannot be lost. */
import { expect, it } from 'vitest';
import { STORAGE_CARD } from '#simulator/areas/storage-card.ts';
import { openSite, type TestSite } from '../site-engine.ts';
import { exportedSecrets, follow } from './run-flow.ts';

const ANSWERS = {
  password: { kept: true, understood: true },
  prove: { wait: false },
  sign: { name: 'A. Installer', role: 'Example Ltd' },
};
let site: TestSite;

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
  expect(() => say({ new: '1', again: '1' }, 'another')).toThrow('has changed in the meantime');
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

// Would catch: raw JSON in a record that is handed over, where a list got an item.
it('names each value of an item that it adds, as it is read back', async () => {
  site = await openSite({ kinds: ['recorder'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'storage-lock', deviceIds: ids });

  await follow(engine, jobId, { ...ANSWERS, alarms: { schedule: 'always', 'badBlocks-email': true } });

  const [record] = engine.flows.recordsOf({ jobId });
  const text = JSON.stringify(record);
  expect(text).toContain('"option":"beginning"');
  expect(text).not.toMatch(/"value":"[^"]*(\{|notificationMethod)/);
});
