import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Engine } from '#engine/index.ts';
import type { GiveSignIn } from '#engine/api.ts';
import type { GivenSignIn } from '#shared/model.ts';
import { engineSite, never, PASSWORD, type EngineSite } from '../device/engine-site.ts';

let here: EngineSite | undefined;
afterEach(async () => {
  await here?.close();
  here = undefined;
});

const DEVICES = 8;
const typed = (password: string) => ({ kind: 'new', userName: 'admin', password }) as const;

/** Returns the number of wrong passwords that each device has counted, which it shows without a sign-in. */
async function wrongOn({ site }: EngineSite): Promise<number[]> {
  return Promise.all(
    site.devices.map(
      async ({ url }) =>
        5 -
        Number(
          /<retryLoginTime>(\d)</.exec(await (await fetch(`${url}/API/System/capabilities`)).text())?.[1],
        ),
    ),
  );
}
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** Returns the final result; the results before it show the progress. */
async function signedIn(engine: Engine, request: GiveSignIn): Promise<GivenSignIn> {
  const told: (readonly [number, number])[] = [];
  for await (const event of engine.devices.signIn(request, never)) {
    if (event.type === 'given') {
      expect(told).toEqual(event.given.tests.map((_test, at) => [at + 1, request.ids.length]));
      return event.given;
    }
    told.push([event.done, event.total]);
  }
  throw new Error('It ended without a word of what was kept.');
}

/** Opens a site of devices of one model, without any sign-in. */
async function open(): Promise<EngineSite> {
  here = await engineSite({ devices: DEVICES, kinds: ['gate'] });
  for (const { id } of here.engine.credentials.list()) here.engine.credentials.remove({ id });
  return here;
}

describe('a sign-in for many devices', () => {
  // Would catch: a typing error that costs every device of a site one of its attempts.
  it('is tried on one first, and not kept where that refuses', async () => {
    const at = await open();

    const { tests, credential } = await signedIn(at.engine, { ids: at.ids, signIn: typed('Pa55-Typo') });

    expect(sum(await wrongOn(at))).toBe(1);
    expect(tests.map(({ error }) => error?.code).sort()).toEqual([
      'sign-in-failed',
      ...Array.from({ length: DEVICES - 1 }, () => 'sign-in-paused'),
    ]);
    expect(credential).toBeUndefined();
    expect(at.engine.credentials.list()).toEqual([]);
    expect(at.engine.devices.list().every(({ credentialId }) => credentialId === undefined)).toBe(true);
  });

  it('goes to all after one let it in', async () => {
    const at = await open();

    const { tests, credential, changed } = await signedIn(at.engine, {
      ids: at.ids,
      signIn: typed(PASSWORD),
    });

    expect(tests.every(({ ok, kinds }) => ok && kinds.join() === 'gate')).toBe(true);
    expect([changed, credential]).toMatchObject([DEVICES, { userName: 'admin', devices: DEVICES }]);
    expect(at.engine.devices.list().every(({ signIn }) => signIn === 'ok')).toBe(true);
    expect(sum(await wrongOn(at))).toBe(0);
  });

  // Would catch: a good password overwritten by a typing error.
  it('leaves the saved one in force until the new one worked', async () => {
    here = await engineSite({ devices: DEVICES, kinds: ['gate'] });
    const { engine, ids } = here;
    const [saved] = engine.credentials.list();
    await engine.devices.test({ ids }, never);

    const { credential } = await signedIn(engine, { ids, signIn: typed('Pa55-Typo') });
    const after = await Promise.all(
      ids.map((deviceId) => engine.operations.call({ deviceId, operation: 'gate.status.get' }, never)),
    );

    expect(credential).toBeUndefined();
    expect(after.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'ok'));
    expect(engine.credentials.list()).toEqual([saved]);
  });

  it('takes the place of the one before where all let it in', async () => {
    here = await engineSite({ devices: 2, kinds: ['gate'] }, 'wrong');
    const { engine, ids } = here;
    const [saved] = engine.credentials.list();

    const { credential } = await signedIn(engine, { ids, signIn: typed(PASSWORD) });

    expect(credential?.id).toBe(saved?.id);
    expect(engine.credentials.list()).toHaveLength(1);
  });

  // Would catch: the only password that opens a device overwritten with one that it has just refused.
  it('takes no place of a saved one that a device needs, tested before or not', async () => {
    here = await engineSite({ devices: 1, kinds: ['gate'] }, 'Another-1');
    const { engine, ids } = here;
    const other = await engineSite({ devices: 1, kinds: ['gate'], password: 'Another-1' });
    onTestFinished(() => other.close());
    const [saved] = engine.credentials.list();
    const address = other.site.devices[0]?.url ?? '';
    const odd = engine.devices.add({ address, ...removeUndefined({ credentialId: saved?.id }) });

    await signedIn(engine, { ids: [...ids, odd.id], signIn: typed(PASSWORD) });

    const tests = await engine.devices.test({ ids: [...ids, odd.id] }, never);
    expect(tests.map(({ ok }) => ok)).toEqual([true, true]);
    expect(engine.credentials.list().map(({ devices }) => devices)).toEqual([1, 1]);
  });

  it('is given to who could not be asked, but only where that has none', async () => {
    const at = await open();
    const [off, old] = [
      at.engine.devices.add({ address: 'http://127.0.0.1:9' }),
      at.engine.devices.add({ address: 'http://127.0.0.1:10' }),
    ];
    const before = at.engine.credentials.save({
      label: 'Old',
      userName: 'admin',
      password: 'x',
      deviceIds: [old.id],
    });

    const { credential } = await signedIn(at.engine, {
      ids: [off.id, old.id, ...at.ids],
      signIn: typed(PASSWORD),
    });

    expect(at.engine.devices.find(off.id).credentialId).toBe(credential?.id);
    expect(at.engine.devices.find(old.id).credentialId).toBe(before.id);
  });

  // Would catch: a stop that goes on sending, loses what worked, gives the sign-in to who was never asked, or saves it twice when taken up again.
  it.each([
    ['is stopped', false],
    ['is stopped by a reader that goes away', true],
  ])(
    'that %s keeps what worked and sends nothing more; the same goes on with the same saved one',
    async (_how, leaves) => {
      here = await engineSite({ devices: 40, kinds: ['gate'] });
      const { engine, ids } = here;
      for (const { id } of engine.credentials.list()) engine.credentials.remove({ id });
      const stop = new AbortController();

      const seen: string[] = [];
      for await (const event of engine.devices.signIn({ ids, signIn: typed(PASSWORD) }, stop.signal)) {
        if (event.type === 'device') seen.push(event.test.deviceId);
        stop.abort();
        if (leaves) break;
      }
      const asked = ids.filter((_id, at) => (here?.site.device(at).requests.length ?? 0) > 0);
      const given = engine.devices.list().filter(({ credentialId }) => credentialId !== undefined);
      const saved = engine.credentials.list();
      const rest = await signedIn(engine, {
        ids: ids.filter((id) => !given.some((device) => device.id === id)),
        signIn: typed(PASSWORD),
      });

      expect(given.map(({ id }) => id)).toEqual(expect.arrayContaining(seen));
      expect(asked.length).toBeLessThanOrEqual(16);
      expect(given.length).toBeLessThanOrEqual(asked.length);
      expect(given.every(({ signIn }) => signIn === 'ok')).toBe(true);
      expect(saved).toMatchObject([{ devices: given.length }]);
      expect(rest.credential).toMatchObject({ id: saved[0]?.id, devices: ids.length });
      expect(engine.credentials.list()).toHaveLength(1);
    },
  );

  it('of a tag is in force on all of it', async () => {
    const at = await open();
    at.engine.devices.updateMany({ ids: at.ids, addTags: ['lane'] });

    await signedIn(at.engine, {
      ids: at.ids.slice(0, 2),
      signIn: typed(PASSWORD),
      scope: { kind: 'tag', tag: 'lane' },
    });

    expect(at.engine.devices.list().every(({ signInFrom }) => signInFrom?.kind === 'tag')).toBe(true);
  });
});

describe('a saved password that is changed', () => {
  it('stays as it was where a device that uses it refuses the new one, at the cost of one attempt', async () => {
    here = await engineSite({ devices: DEVICES, kinds: ['gate'] });
    const { engine, ids } = here;
    const [saved] = engine.credentials.list();
    const change = (password: string) =>
      engine.credentials.change({ id: saved?.id ?? '', label: 'Site', userName: 'admin', password }, never);

    const refused = await change('Pa55-Typo').catch((error: unknown) => toErrorShape(error).code);
    const counted = sum(await wrongOn(here));
    const tests = await engine.devices.test({ ids }, never);
    const renamed = await engine.credentials.change(
      { id: saved?.id ?? '', label: 'Depot', userName: 'admin', password: '' },
      never,
    );

    expect([refused, counted]).toEqual(['sign-in-failed', 1]);
    expect(tests.every(({ ok }) => ok)).toBe(true);
    expect(renamed).toMatchObject({ credential: { label: 'Depot' }, tests: [] });
  });
});

describe('work on many devices', () => {
  // Would catch: a wrong password for a run that locks the accounts of a whole site.
  it('with a wrong password ends after two refusals', async () => {
    here = await engineSite({ devices: DEVICES, kinds: ['gate'] }, 'Pa55-Typo');
    const { engine, ids } = here;

    const codes = await Promise.all(
      ids.map((deviceId) =>
        engine.operations
          .call({ deviceId, operation: 'gate.status.get' }, never)
          .catch((error: unknown) => toErrorShape(error).code),
      ),
    );

    expect(codes.filter((code) => code === 'sign-in-failed')).toHaveLength(2);
    expect(sum(await wrongOn(here))).toBe(2);
  });

  // Would catch: a job that one device with another password holds up everywhere.
  it('goes on although the first device has another password', async () => {
    here = await engineSite({ devices: 3, kinds: ['gate'] });
    const { engine, ids } = here;
    const other = await engineSite({ devices: 1, kinds: ['gate'], password: 'Another-1' });
    try {
      const odd = engine.devices.add({
        address: other.site.devices[0]?.url ?? '',
        credentialId: engine.credentials.list()[0]?.id ?? '',
      });
      const call = (deviceId: string) =>
        engine.operations.call({ deviceId, operation: 'gate.status.get' }, never).then(
          ({ outcome }) => outcome as string,
          (error: unknown) => toErrorShape(error).code as string,
        );

      const first = await call(odd.id);
      const rest = await Promise.all(ids.map(call));

      expect([first, ...rest]).toEqual(['sign-in-failed', 'ok', 'ok', 'ok']);
    } finally {
      await other.close();
    }
  });
});

describe('the sign-in of a site that works', () => {
  /** Opens devices of one site that sign in with its credential, and one that has another password. */
  async function plant() {
    here = await engineSite({ devices: 3, kinds: ['gate'] });
    const other = await engineSite({ devices: 1, kinds: ['gate'], password: OTHER });
    onTestFinished(() => other.close());
    const { engine, ids } = here;
    const [saved] = engine.credentials.list();
    const site = engine.sites.save({ name: 'Plant' });
    const odd = engine.devices.add({ address: other.site.devices[0]?.url ?? '', name: 'Odd' });
    engine.devices.updateMany({ ids: [...ids, odd.id], siteId: site.id });
    const scope = { kind: 'site', siteId: site.id } as const;
    engine.credentials.assignTo({ credentialId: saved?.id ?? '', scope, deviceIds: ids });
    await engine.devices.test({ ids }, never);
    const green = () =>
      engine.devices
        .list()
        .filter(({ signIn }) => signIn === 'ok')
        .map(({ name }) => name);
    return { at: here, engine, ids, odd, scope, green, saved };
  }
  const OTHER = 'Another-1';
  const codeOf = (error: unknown) => toErrorShape(error).reason ?? toErrorShape(error).code;

  // Would catch: the password of one device that takes the place of the one that 59 others sign in with.
  it('is not replaced by the password of one device, whose owner is told how many it concerns', async () => {
    const { at, engine, ids, odd, scope } = await plant();
    const sent = at.site.devices.map((_device, index) => at.site.device(index).requests.length);

    const error = await signedIn(engine, { ids: [odd.id], signIn: typed(OTHER), scope }).catch(toErrorShape);

    expect(error).toMatchObject({
      code: 'confirmation-needed',
      reason: 'replaces-working',
      detail: { id: 'sign-in-replaces', values: { devices: 3 } },
    });
    expect(at.site.devices.map((_device, index) => at.site.device(index).requests.length)).toEqual(sent);
    const tests = await engine.devices.test({ ids }, never);
    expect(tests.every(({ ok }) => ok)).toBe(true);
  });

  // Would catch: devices that work sent to another site, or given a tag, and turned away by what is saved there.
  it.each(['site', 'tag'] as const)('stays with devices that get another %s', async (where) => {
    const { at, engine, ids, green } = await plant();
    const before = green();
    const other = engine.sites.save({ name: 'Other' });
    const untried = engine.credentials.save({ label: 'Untried', userName: 'admin', password: OTHER });
    const scope =
      where === 'site' ? ({ kind: 'site', siteId: other.id } as const) : ({ kind: 'tag', tag: 'x' } as const);
    engine.credentials.assignTo({ credentialId: untried.id, scope });

    engine.devices.updateMany(where === 'site' ? { ids, siteId: other.id } : { ids, addTags: ['x'] });

    expect(green()).toEqual(before);
    const tests = await engine.devices.test({ ids }, never);
    expect(tests.every(({ ok }) => ok)).toBe(true);
    expect(sum(await wrongOn(at))).toBe(0);
    engine.devices.updateMany({ ids: ids.slice(0, 1), credentialId: null });
    expect(engine.devices.list().find(({ id }) => id === ids[0])?.signInFrom).toMatchObject({ kind: where });
  });

  // Would catch: an open device, which lets anybody in, taken for proof of a password.
  it('is not replaced where the only device that works asks for no password', async () => {
    here = await engineSite({ devices: 1, kinds: ['gate'], auth: 'none' });
    const { engine, ids } = here;
    const other = await engineSite({ devices: 1, kinds: ['gate'], password: OTHER });
    onTestFinished(() => other.close());
    const [saved] = engine.credentials.list();
    const site = engine.sites.save({ name: 'Plant' });
    const odd = engine.devices.add({ address: other.site.devices[0]?.url ?? '', name: 'Odd' });
    engine.devices.updateMany({ ids: [...ids, odd.id], siteId: site.id });
    const scope = { kind: 'site', siteId: site.id } as const;
    engine.credentials.assignTo({ credentialId: saved?.id ?? '', scope, deviceIds: ids });
    await engine.devices.test({ ids }, never);

    const request = { ids: [odd.id], signIn: typed(OTHER), scope, replaceWorking: true };
    const error = await signedIn(engine, request).catch(toErrorShape);

    expect(error).toMatchObject({ detail: { id: 'sign-in-unproved' } });
    expect(engine.credentials.list()).toMatchObject([{ id: saved?.id }]);
  });

  // Would catch: a person who agrees, and one refusal that is paid with the sign-in of all.
  it('is tried on one of those that work where a person agrees, and nothing is kept where that refuses', async () => {
    const { at, engine, odd, scope, green, saved } = await plant();
    const before = green();

    const request = { ids: [odd.id], signIn: typed(OTHER), scope, replaceWorking: true };
    const error = await signedIn(engine, request).catch(toErrorShape);

    expect(error).toMatchObject({ code: 'sign-in-failed', detail: { id: 'sign-in-refused-there' } });
    expect(sum(await wrongOn(at))).toBe(1);
    expect(green()).toEqual(before);
    expect(engine.credentials.list()).toMatchObject([{ id: saved?.id, devices: 4 }]);
  });

  // Would catch: a site that takes the password of the first device that is tried, although the others refuse it.
  it.each(['new', 'saved'] as const)(
    'stays where one of several lets a %s one in and those that work refuse it',
    async (kind) => {
      const { engine, ids, odd, scope, green } = await plant();
      const id =
        kind === 'saved'
          ? engine.credentials.save({ label: 'Odd', userName: 'admin', password: OTHER }).id
          : '';
      const signIn = kind === 'saved' ? ({ kind, id } as const) : typed(OTHER);

      const given = await signedIn(engine, { ids: [odd.id, ...ids], signIn, scope });
      const tests = await engine.devices.test({ ids: [odd.id, ...ids] }, never);

      expect(given).toMatchObject({ scopeLeft: true, changed: 1 });
      expect(green()).toHaveLength(4);
      expect(tests.every(({ ok }) => ok)).toBe(true);
    },
  );

  // Would catch: the password of one device that is in force for a whole site, and counts as untried on the devices that refused it.
  it('is not given to a site where more of the chosen devices refuse it than accept it', async () => {
    const { engine, ids, odd, scope, saved } = await plant();
    engine.credentials.remove({ id: saved?.id ?? '' });

    const given = await signedIn(engine, { ids: [odd.id, ...ids], signIn: typed(OTHER), scope });

    expect(given).toMatchObject({ scopeLeft: true, changed: 1 });
    expect(engine.devices.list().map(({ credentialId }) => credentialId)).toEqual([
      ...ids.map(() => undefined),
      given.credential?.id,
    ]);
  });

  // Would catch: "not tried" beside a device that just refused the password its site was given.
  it('counts as refused where a device of the site refused it', async () => {
    const { engine, ids, odd, scope, saved } = await plant();
    engine.credentials.remove({ id: saved?.id ?? '' });

    await signedIn(engine, { ids: [...ids, odd.id], signIn: typed(PASSWORD), scope });

    expect(engine.devices.list().map(({ signIn }) => signIn)).toEqual(['ok', 'ok', 'ok', 'failed']);
    expect(engine.devices.find(odd.id).lastError?.code).toBe('sign-in-failed');
  });

  it('is replaced where a person agrees and one that works lets the new one in', async () => {
    const { engine, ids, odd, scope, saved } = await plant();
    engine.credentials.save({ label: 'Old', userName: 'admin', password: 'x', deviceIds: [odd.id] });
    const [first = ''] = ids;

    const { credential } = await signedIn(engine, {
      ids: [first],
      signIn: typed(PASSWORD),
      scope,
      replaceWorking: true,
    });
    const tests = await engine.devices.test({ ids }, never);

    expect(credential).toMatchObject({ id: saved?.id, devices: 3 });
    expect(tests.every(({ ok }) => ok)).toBe(true);
  });

  // Would catch: another way to the same end, without a try.
  it('is not replaced by what was not tried, whichever way it is given', async () => {
    const { engine, ids, odd, scope } = await plant();
    const { id } = engine.credentials.save({ label: 'Odd', userName: 'admin', password: OTHER });
    const ways: (() => unknown)[] = [
      () => engine.credentials.assignTo({ credentialId: id, scope, deviceIds: [odd.id] }),
      () => engine.credentials.save({ label: 'Odd', userName: 'admin', password: OTHER, scope }),
      () => {
        engine.devices.updateMany({ ids, addTags: ['lane'] });
        return engine.credentials.assignTo({ credentialId: id, scope: { kind: 'tag', tag: 'lane' } });
      },
    ];

    const codes = ways.map((way) => {
      try {
        return way();
      } catch (error) {
        return codeOf(error);
      }
    });
    const tests = await engine.devices.test({ ids }, never);

    expect(codes).toEqual(['replaces-working', 'replaces-working', 'replaces-working']);
    expect(tests.every(({ ok }) => ok)).toBe(true);
    expect(engine.credentials.list()).toHaveLength(2);
  });

  // Would catch: a device that works and does not answer just now, taken along by one that did not work before.
  it('that several devices have as their own is changed only where one that works let the new one in', async () => {
    const { engine, ids } = (here = await engineSite({ devices: 1, kinds: ['gate'] }));
    const other = await engineSite({ devices: 1, kinds: ['gate'], password: OTHER });
    onTestFinished(() => other.close());
    const odd = engine.devices.add({ address: other.site.devices[0]?.url ?? '' });
    const [saved] = engine.credentials.list();
    engine.credentials.assign({ credentialId: saved?.id ?? '', deviceIds: [odd.id] });
    await engine.devices.test({ ids }, never);
    here.site.device(0).setFault('reset');

    await signedIn(engine, { ids: [odd.id, ...ids], signIn: typed(OTHER) });

    expect(engine.devices.find(ids[0] ?? '')).toMatchObject({ credentialId: saved?.id, signIn: 'ok' });
    expect(engine.devices.find(odd.id).credentialId).not.toBe(saved?.id);
  });
});
