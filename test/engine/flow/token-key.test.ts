/** The shared key of a device: made here, kept in the vault, set once. */
import { expect, it } from 'vitest';
import { openSite, type TestSite } from '../site-engine.ts';
import { exportedSecrets, follow } from './run-flow.ts';

const ANSWERS = {
  settings: { encryptAlgorithmMode: 'CFB', keyLen: 128 },
  'hand-over': { to: 'Integrator', given: true },
  sign: { name: 'A. Installer' },
};
let site: TestSite;

// Would catch: weak or equal keys; a flow that cannot be signed on a device of a site, or a record that shows
// its sign-in.
it('sets a random key of the length that was chosen, on every device another one, of a site too', async () => {
  site = await openSite({ devices: 2, kinds: ['gate', 'ai'] });
  const { engine } = site;
  const { id: siteId, name } = engine.sites.save({ name: 'Harbour' });
  const ids = site.site.devices.map(({ url, user: userName, password }) => {
    const { id } = engine.devices.add({ address: url, siteId });
    engine.credentials.save({ label: url, userName, password, deviceIds: [id] });
    return id;
  });
  const { jobId } = engine.flows.begin({ flow: 'token-key', deviceIds: ids });

  await follow(engine, jobId, ANSWERS);

  expect(engine.jobs.show({ id: jobId }).state).toBe('done');
  const [first, second] = engine.flows.recordsOf({ jobId });
  expect([first?.document.site, second?.document.site]).toEqual([
    { id: siteId, name },
    { id: siteId, name },
  ]);
  expect(second?.previous).toEqual({ id: first?.document.id, sha256: first?.sha256 });
  const keys = (await exportedSecrets(engine)).map(({ value }) => value);
  expect(keys.map((key) => Buffer.from(key, 'base64').length)).toEqual([16, 16]);
  expect(new Set(keys).size).toBe(2);
  await engine.close();
  for (const key of keys) expect(site.stored()).not.toContain(key);
});

// Would catch: a weak mode that goes by unseen.
it('asks about ECB and takes no key that is no base64', async () => {
  site = await openSite({ kinds: ['gate'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'token-key', deviceIds: ids });
  const answers = { settings: { encryptAlgorithmMode: 'ECB' }, key: { key: 'pasted' } };

  const ecb = await follow(engine, jobId, answers, ({ key }) => key === 'ecb');
  expect(ecb.last.asked?.tone).toBe('warning');
  const seen = await follow(
    engine,
    jobId,
    { ...answers, settings: { sure: true } },
    ({ key }) => key === 'pasted',
  );
  const paste = (base64: string): unknown =>
    engine.flows.answer({
      jobId,
      token: seen.last.asked?.token ?? '',
      answer: { kind: 'values', values: { base64 } },
    });

  expect(() => paste('no key at all!')).toThrow('base64');
  paste('c2hvcnQ=');
  const weak = await follow(engine, jobId, answers, ({ key }) => key === 'weak');
  expect(weak.last.asked?.text).toEqual([{ id: 'flow-token-weak', values: { bytes: 5 } }]);
});

// Would catch: values of one device in another one's record, or a second person who is asked everything again.
it('begins with the answers of the device before', async () => {
  site = await openSite({ devices: 2, kinds: ['gate'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'token-key', deviceIds: ids });

  const proposed: unknown[] = [];
  await follow(engine, jobId, ANSWERS, ({ key, fields }) => {
    if (key === 'settings') proposed.push(fields?.find(({ name }) => name === 'encryptAlgorithmMode')?.value);
    return false;
  });

  expect(proposed).toEqual(['CBC', 'CFB']);
});

// Would catch: a body that is kept although it may hold a token, or a request that pretends to be specified.
it('sends the check of a token as it was given, marks it so, and keeps nothing of it', async () => {
  site = await openSite({ kinds: ['counter'] });
  const { engine, ids } = site;
  const { jobId } = engine.flows.begin({ flow: 'token-key', deviceIds: ids });
  const body = '<TokenInfo><token>very-secret-token</token></TokenInfo>';

  await follow(engine, jobId, { ...ANSWERS, check: { body } });

  const sent = site.site.device(0).requests.filter(({ operation }) => operation === 'token.check');
  expect(sent.filter(({ http }) => http !== 401)).toHaveLength(1);
  const text = JSON.stringify(engine.flows.recordsOf({ jobId }));
  // This device refuses it as not supported: that proves nothing either way.
  expect(text).toMatch(
    /"result":"skipped","reason":\{"id":"device\.not-supported","reason":"[^"]+ \(notSupport\)"\}/,
  );
  expect(text).toContain('flow-token-check-unspecified');
  expect(engine.jobs.show({ id: jobId }).state).toBe('done');
  await engine.close();
  expect(site.stored() + text).not.toContain('very-secret-token');
});
