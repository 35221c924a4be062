import { afterEach, expect, it } from 'vitest';
import { toErrorShape } from '#shared/errors.ts';
import { engineSite, never, PASSWORD, type EngineSite } from '../device/engine-site.ts';

let here: EngineSite | undefined;
afterEach(async () => {
  await here?.close();
  here = undefined;
});

// Would catch: one password after the other tried on a device, which locks the account.
it('sends no password where two tags contradict each other, and works at once when a person has decided', async () => {
  here = await engineSite({ kinds: ['gate'] });
  const {
    engine,
    ids: [id = ''],
  } = here;
  const [right] = engine.credentials.list();
  const wrong = engine.credentials.save({ label: 'Wrong', userName: 'admin', password: 'n0t-this' });
  engine.credentials.assign({ credentialId: null, deviceIds: [id] });
  engine.devices.update({ id, tags: ['north', 'gates'] });
  engine.credentials.assignTo({ credentialId: right?.id ?? '', scope: { kind: 'tag', tag: 'north' } });
  engine.credentials.assignTo({ credentialId: wrong.id, scope: { kind: 'tag', tag: 'gates' } });
  const call = () =>
    engine.operations.call({ deviceId: id, operation: 'gate.status.get' }, never).then(
      ({ outcome }) => outcome,
      (error: unknown) => toErrorShape(error),
    );
  const requests = () => here?.site.device(0).requests ?? [];

  const answers = await Promise.all(Array.from({ length: 20 }, call));
  const sent = requests().length;
  const shown = engine.devices.find(id);
  engine.credentials.assignTo({ credentialId: right?.id ?? '', scope: { kind: 'tag', tag: 'gates' } });
  const after = await call();

  expect(new Set(answers.map((answer) => (typeof answer === 'string' ? answer : answer.code)))).toEqual(
    new Set(['sign-in-required']),
  );
  expect(answers[0]).toMatchObject({
    message: 'The tags "north" and "gates" give this device different credentials, so none is used.',
  });
  expect(sent).toBe(1);
  expect(shown).toMatchObject({
    signIn: 'needed',
    signInFrom: { kind: 'conflict', tags: ['north', 'gates'] },
  });
  expect(after).toBe('ok');
  expect(JSON.stringify([answers, shown, engine.credentials.list()])).not.toMatch(
    new RegExp(`n0t-this|${PASSWORD}`),
  );
});

it('signs in with the password of the site, and once more only when that is another', async () => {
  here = await engineSite({ devices: 2, kinds: ['gate'] }, 'wr0ng');
  const { engine, ids } = here;
  const [saved] = engine.credentials.list();
  engine.credentials.assign({ credentialId: null, deviceIds: ids });
  const site = engine.sites.save({ name: 'Depot' });
  for (const id of ids) engine.devices.update({ id, siteId: site.id });
  engine.credentials.assignTo({ credentialId: saved?.id ?? '', scope: { kind: 'site', siteId: site.id } });
  const codes = () =>
    Promise.all(
      ids.map((deviceId) =>
        engine.operations.call({ deviceId, operation: 'gate.status.get' }, never).then(
          ({ outcome }) => outcome,
          (error: unknown) => toErrorShape(error).code,
        ),
      ),
    );

  const first = await codes();
  engine.credentials.save({ id: saved?.id ?? '', label: 'Renamed', userName: 'admin', password: 'wr0ng' });
  const same = await codes();
  engine.credentials.save({ id: saved?.id ?? '', label: 'Renamed', userName: 'admin', password: PASSWORD });
  const mended = await codes();

  expect([first, same, mended]).toEqual([
    ['sign-in-failed', 'sign-in-failed'],
    ['sign-in-paused', 'sign-in-paused'],
    ['ok', 'ok'],
  ]);
});
