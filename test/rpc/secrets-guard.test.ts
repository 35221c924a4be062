/** Possible abuse of the vault's secrets by a script in the page, over a real socket with every route. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, onTestFinished } from 'vitest';
import { contract, type Paths } from '#shared/contract.ts';
import type { Guarded, Routes } from '#shared/contract/route.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { HostAnswer, HostQuestion } from '#rpc/index.ts';
import type { Api, Client } from '#renderer/client/index.ts';
import { startSite } from '../helpers/strict-site.ts';
import { startTestServer, type TestServer } from './helpers/running-server.ts';

const PASSWORD = 'saved-long-ago-7';
const FINGERPRINT = 'ab'.repeat(32);

interface World {
  readonly running: TestServer;
  readonly page: Client;
  readonly api: Api;
  readonly asked: HostQuestion[];
  answer: HostAnswer;
}

/** Opens a page with all its routes, and a person outside who says no unless the test says otherwise. */
async function open(): Promise<World> {
  const asked: HostQuestion[] = [];
  const running = await startTestServer({
    confirm: (question) => {
      asked.push(question);
      return Promise.resolve(world.answer);
    },
  });
  onTestFinished(() => running.close());
  const page = await running.page();
  const world: World = { running, page, api: page.api, asked, answer: 'no' };
  return world;
}

/** Starts a web server of the attacker that asks for the sign-in; returns the received requests. */
async function trap(): Promise<{ readonly url: string; readonly got: string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => {
        body += chunk.toString();
      })
      .on('end', () => {
        got.push(`${request.headers.authorization ?? ''}${body}`);
        response.writeHead(401, { 'www-authenticate': 'Digest realm="x", nonce="y", qop="auth"' }).end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

async function last<T>(events: AsyncIterable<T>): Promise<T | undefined> {
  let event: T | undefined;
  for await (event of events);
  return event;
}

function shapeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'done',
    (error: unknown) => (error instanceof FieldwrightError ? error.shape : error),
  );
}

/** Makes the site of a person who has worked here for a while. */
function settled({ running: { engine } }: World) {
  const site = engine.sites.save({ name: 'Harbour' });
  const gate = engine.devices.add({ address: 'http://127.0.0.1:1', name: 'Gate' });
  const hall = engine.devices.add({ address: 'https://127.0.0.1:2', name: 'Hall', certificate: FINGERPRINT });
  const own = engine.credentials.save({
    label: 'Own',
    userName: 'installer',
    password: PASSWORD,
    deviceIds: [gate.id, hall.id],
  });
  const ofTag = engine.credentials.save({ label: 'Tag', userName: 'installer', password: PASSWORD });
  engine.credentials.assignTo({ credentialId: ofTag.id, scope: { kind: 'tag', tag: 'lobby' } });
  const ofSite = engine.credentials.save({ label: 'Site', userName: 'installer', password: PASSWORD });
  engine.credentials.assignTo({ credentialId: ofSite.id, scope: { kind: 'site', siteId: site.id } });
  return { site, gate, hall, own, ofTag, ofSite };
}
type Settled = ReturnType<typeof settled>;
/** Routes that may need a person's agreement. */
type Asking = Paths<Guarded<'change' | 'typed' | 'ahead' | 'send'>>;
type Way = readonly [Asking, string, (api: Api, known: Settled, url: string) => Promise<unknown>];
/** Routes shown to ask in this file, one by one. */
const shown = new Set<string>();

describe('a saved credential and an address of the page', () => {
  const ways: readonly Way[] = [
    [
      'devices.add',
      'a new device with it',
      (api, { own }, address) => api.devices.add({ address, credentialId: own.id }),
    ],
    [
      'devices.add',
      'a new device with its tag',
      (api, _known, address) => api.devices.add({ address, tags: ['lobby'] }),
    ],
    [
      'devices.add',
      'a new device of its site',
      (api, { site }, address) => api.devices.add({ address, siteId: site.id }),
    ],
    [
      'devices.addMany',
      'many new devices',
      (api, { own }, address) =>
        api.devices.addMany({
          devices: [{ address: 'http://127.0.0.1:3' }, { address, credentialId: own.id }],
        }),
    ],
    [
      'devices.importCsv',
      'a file of devices',
      (api, { own }, address) =>
        api.devices.importCsv({ text: `address\n${address}\n`, credentialId: own.id }),
    ],
    [
      'devices.importCsv',
      'a file of devices with tags',
      (api, _known, address) => api.devices.importCsv({ text: `address,tags\n${address},lobby\n` }),
    ],
    [
      'devices.update',
      'another address for a device',
      (api, { gate }, address) => api.devices.update({ id: gate.id, address }),
    ],
    [
      'devices.update',
      'another address for a pinned one',
      (api, { hall }, address) => api.devices.update({ id: hall.id, address }),
    ],
    [
      'devices.update',
      'Basic for a device',
      (api, { gate }) => api.devices.update({ id: gate.id, profile: { auth: 'basic' } }),
    ],
    [
      'devices.updateMany',
      'Basic for many',
      (api, { gate }) => api.devices.updateMany({ ids: [gate.id], profile: { auth: 'basic' } }),
    ],
    [
      'devices.trust',
      'another certificate',
      (api, { hall }) => api.devices.trust({ items: [{ id: hall.id, fingerprint: 'cd'.repeat(32) }] }),
    ],
    [
      'credentials.save',
      'renaming it with more devices',
      async (api, { own }, address) =>
        api.credentials.save({
          id: own.id,
          label: 'Own',
          userName: 'installer',
          password: '',
          deviceIds: [(await api.devices.add({ address })).id],
        }),
    ],
    [
      'credentials.assign',
      'giving it to a device',
      async (api, { own }, address) =>
        api.credentials.assign({
          credentialId: own.id,
          deviceIds: [(await api.devices.add({ address })).id],
        }),
    ],
    [
      'credentials.assignTo',
      'giving it to a tag',
      async (api, { own }, address) => {
        await api.devices.add({ address, tags: ['mine'] });
        return api.credentials.assignTo({ credentialId: own.id, scope: { kind: 'tag', tag: 'mine' } });
      },
    ],
    [
      'devices.update',
      'its tag for a device',
      async (api, _known, address) =>
        api.devices.update({ id: (await api.devices.add({ address })).id, tags: ['lobby'] }),
    ],
    [
      'devices.updateMany',
      'its tag for many',
      async (api, _known, address) =>
        api.devices.updateMany({ ids: [(await api.devices.add({ address })).id], addTags: ['lobby'] }),
    ],
    [
      'devices.updateMany',
      'its site for many',
      async (api, { site }, address) =>
        api.devices.updateMany({ ids: [(await api.devices.add({ address })).id], siteId: site.id }),
    ],
    [
      'credentials.remove',
      'taking away what stood before it',
      async (api, { site }, address) => {
        const { id } = await api.devices.add({ address });
        const mine = await api.credentials.save({
          label: 'Mine',
          userName: 'x',
          password: 'y',
          deviceIds: [id],
        });
        await api.devices.update({ id, siteId: site.id });
        return api.credentials.remove({ id: mine.id });
      },
    ],
    [
      'devices.signIn',
      'trying it on a device',
      async (api, { own }, address) =>
        last(
          await api.devices.signIn({
            ids: [(await api.devices.add({ address })).id],
            signIn: { kind: 'saved', id: own.id },
          }),
        ),
    ],
  ];

  test.each(ways)(
    '%s, %s, is asked outside the page, and a no leaves all as it was (else: a script in the page has every password)',
    async (path, _way, act) => {
      shown.add(path);
      const world = await open();
      const known = settled(world);
      const { url, got } = await trap();

      const outcome = await shapeOf(act(world.api, known, url));
      const devices = await world.api.devices.list();
      await world.api.devices.test({
        ids: devices.filter((device) => device.url === url).map(({ id }) => id),
      });

      expect(outcome).toMatchObject({ code: 'confirmation-needed', source: 'user', reason: 'outside-no' });
      expect(world.asked).toHaveLength(1);
      expect(JSON.stringify(world.asked)).not.toContain(PASSWORD);
      expect(devices.find(({ id }) => id === known.gate.id)).toMatchObject({
        url: known.gate.url,
        profile: known.gate.profile,
        credentialId: known.own.id,
      });
      expect(devices.find(({ id }) => id === known.hall.id)).toMatchObject({
        url: known.hall.url,
        certificate: FINGERPRINT,
      });
      expect(got.join()).not.toContain('username="installer"');
    },
  );

  test.each(ways)('%s, %s, is done with a yes, after one question', async (_path, _way, act) => {
    const world = await open();
    const known = settled(world);
    world.answer = 'yes';

    const outcome = await shapeOf(act(world.api, known, 'http://127.0.0.1:9'));

    expect(outcome).toBe('done');
    expect(world.asked).toHaveLength(1);
    expect(world.asked[0]?.message).toContain('installer');
  });

  test('where nobody can be asked it is refused with the reason', async () => {
    const world = await open();
    const { own } = settled(world);
    world.answer = 'nobody';

    expect(
      await shapeOf(world.api.devices.add({ address: 'http://127.0.0.1:9', credentialId: own.id })),
    ).toMatchObject({ code: 'confirmation-needed', reason: 'outside-nobody' });
  });

  test('ordinary work asks nothing (else: people learn to say yes)', async () => {
    const world = await open();
    const { gate, own, site } = settled(world);
    const { api } = world;

    const added = await api.devices.add({ address: 'http://127.0.0.1:5', name: 'New' });
    await api.credentials.save({
      label: 'New',
      userName: 'admin',
      password: 'typed-now',
      deviceIds: [added.id],
    });
    const other = await api.devices.add({ address: 'http://127.0.0.1:6', tags: ['roof'] });
    await api.credentials.save({
      label: 'Roof',
      userName: 'admin',
      password: 'typed-now',
      deviceIds: [other.id],
      scope: { kind: 'tag', tag: 'roof' },
    });
    await api.credentials.save({
      id: own.id,
      label: 'Renamed',
      userName: 'installer',
      password: 'typed-anew',
    });
    await api.devices.update({
      id: gate.id,
      name: 'Front gate',
      tags: ['front'],
      profile: { auth: 'digest', pathPrefix: '/X' },
    });
    await api.devices.distrust({ ids: [gate.id] });
    await api.sites.remove({ id: site.id });
    await api.devices.remove({ ids: [added.id] });

    expect(world.asked).toEqual([]);
    expect((await api.devices.list()).find(({ id }) => id === other.id)).toMatchObject({
      signInFrom: { kind: 'tag', tag: 'roof' },
    });
  });

  test('what a saved sign-in is tried with was agreed to as it will be sent (else: a yes for Digest sends the password readable)', async () => {
    const world = await open();
    const { own } = settled(world);
    const { id } = await world.api.devices.add({ address: 'http://127.0.0.1:9' });
    world.answer = 'yes';

    await last(
      await world.api.devices.signIn({ ids: [id], allowBasic: [id], signIn: { kind: 'saved', id: own.id } }),
    );

    expect(world.asked.map(({ details }) => details)).toEqual([
      [expect.stringContaining('readable (Basic)')],
    ]);
  });

  test('a no to what was consented to with a sign-in leaves the device as it was', async () => {
    const world = await open();
    const { gate } = settled(world);

    const outcome = await shapeOf(
      world.api.devices
        .signIn({
          ids: [gate.id],
          allowBasic: [gate.id],
          signIn: { kind: 'new', userName: 'x', password: 'y' },
        })
        .then(last),
    );

    expect(outcome).toMatchObject({ code: 'confirmation-needed', reason: 'outside-no' });
    expect((await world.api.devices.list()).find(({ id }) => id === gate.id)).toMatchObject({
      profile: gate.profile,
    });
  });

  test('a device with a sign-in that cannot be saved is not added (else: asking again finds it there)', async () => {
    const world = await open();
    const address = 'http://127.0.0.1:9';

    const refused = await shapeOf(
      world.api.devices.add({ address, signIn: { userName: 'a\u202eb', password: 'y' } }),
    );
    const after = await world.api.devices.list();
    const added = await world.api.devices.add({ address, signIn: { userName: 'admin', password: 'y' } });

    expect(refused).toMatchObject({ code: 'not-allowed', path: 'userName' });
    expect(after).toEqual([]);
    expect(added).toMatchObject({ url: address, signInFrom: { kind: 'device' } });
    expect(await world.api.credentials.list()).toMatchObject([{ label: 'admin', devices: 1 }]);
    expect(world.asked).toEqual([]);
  });

  test('two hundred devices are one question, in which an odd address stands first (else: it hides among them)', async () => {
    const world = await open();
    const { own } = settled(world);
    world.answer = 'yes';
    const devices = Array.from({ length: 200 }, (_none, index) => ({
      address: `http://10.0.0.${index + 1}`,
      credentialId: own.id,
    }));

    await world.api.devices.addMany({
      devices: [...devices, { address: 'http://203.0.113.9', name: 'Camera', credentialId: own.id }],
    });

    expect(world.asked.map(({ details }) => details)).toEqual([
      ['http://203.0.113.9 ("Camera")', 'http://10.0.0.*: 200 addresses'],
    ]);
  });
});

describe('other things that are kept', () => {
  const LOCK =
    'fieldwright: template/1\nname: Lock\nvariables:\n  cardLock: { type: secret }\nsections:\n  - set: storage.rwLock\n    value: { enabled: true, passwd: "${cardLock}" }\n';

  /** Adds a device of the virtual site, signed in, and a plan that locks its card. */
  async function withPlan(world: World) {
    const { engine } = world.running;
    const site = await startSite({ devices: 1, kinds: ['thermal'], password: 'one-for-all-1' });
    onTestFinished(() => site.close());
    const device = engine.devices.add({ address: site.devices[0]?.url ?? '' });
    engine.credentials.save({
      label: 'all',
      userName: 'admin',
      password: 'one-for-all-1',
      deviceIds: [device.id],
    });
    engine.secrets.save({ name: 'cardLock', value: 'Card-1' });
    for await (const event of engine.plans.create(
      { templateText: LOCK, deviceIds: [device.id] },
      AbortSignal.timeout(60_000),
    )) {
      if (event.type === 'plan') return { device, planId: event.plan.id };
    }
    throw new Error('no plan came');
  }
  async function ended({ running: { engine } }: World, jobId: string): Promise<void> {
    for await (const event of engine.jobs.watch({ id: jobId }, AbortSignal.timeout(60_000)))
      if (event.type === 'end') return;
  }

  test('a saved secret goes to a device only after a yes outside the page, which counts for the next time (else: a template fetches what the vault has)', async () => {
    const world = await open();
    const { device, planId } = await withPlan(world);
    const start = () => world.api.jobs.start({ planId, secrets: {}, options: { allowPlainFields: true } });

    const refused = await shapeOf(start());
    shown.add('jobs.start');
    world.answer = 'yes';
    await ended(world, (await start()).jobId);
    await ended(world, (await start()).jobId);

    expect(refused).toMatchObject({ code: 'confirmation-needed', reason: 'outside-no' });
    expect(world.asked).toHaveLength(2);
    expect(world.asked[1]).toMatchObject({
      message: expect.stringContaining('"cardLock"') as string,
      details: [expect.stringContaining(device.url)],
    });
    expect(JSON.stringify(world.asked)).not.toContain('Card-1');
  });

  test('a secret that is typed with the request asks nothing', async () => {
    const world = await open();
    const { planId } = await withPlan(world);

    await ended(
      world,
      (
        await world.api.jobs.start({
          planId,
          secrets: { cardLock: 'Typed-1' },
          options: { allowPlainFields: true },
        })
      ).jobId,
    );

    expect(world.asked).toEqual([]);
  });

  test('what a job kept goes to no other address without a yes (else: a device is moved to the attacker, then undone)', async () => {
    const world = await open();
    const { device, planId } = await withPlan(world);
    const { url, got } = await trap();
    const { jobId } = await world.api.jobs.start({
      planId,
      secrets: { cardLock: 'Typed-1' },
      options: { allowPlainFields: true },
    });
    await ended(world, jobId);

    await world.api.credentials.assign({ credentialId: null, deviceIds: [device.id] });
    await world.api.devices.update({ id: device.id, address: url });
    const outcomes = [
      await shapeOf(world.api.jobs.undo({ id: jobId, options: {} })),
      await shapeOf(world.api.jobs.resume({ id: jobId })),
      await shapeOf(world.api.openWork.doNow({ ids: [`${jobId}.0`] })),
    ];
    shown.add('jobs.undo').add('jobs.resume').add('openWork.doNow');

    const refused = { code: 'confirmation-needed', reason: 'outside-no' };
    const asked = [expect.stringContaining(url)];
    expect(outcomes).toMatchObject([refused, refused, refused]);
    expect(world.asked.map(({ details }) => details)).toEqual([asked, asked, asked]);
    expect(got).toEqual([]);
  });
});

test('a replacement gives the sign-in of the old device to no other address without a yes (else: the plan is made with a sign-in of the page, which is then taken away)', async () => {
  const world = await open();
  const { engine } = world.running;
  const site = await startSite({ devices: 2, kinds: ['thermal'], password: 'one-for-all-1' });
  onTestFinished(() => site.close());
  const [old, by] = site.devices.map(({ url }) => engine.devices.add({ address: url }));
  const signIn = { userName: 'admin', password: 'one-for-all-1' };
  engine.credentials.save({ ...signIn, label: 'Saved', deviceIds: [old?.id ?? ''] });
  const typed = await world.api.credentials.save({ ...signIn, label: 'Typed', deviceIds: [by?.id ?? ''] });
  const planned = await last(
    await world.api.replacements.plan({ oldId: old?.id ?? '', newId: by?.id ?? '' }),
  );
  const planId = planned?.type === 'replacement' ? planned.plan.id : '';
  await world.api.credentials.remove({ id: typed.id });

  const outcome = await shapeOf(world.api.replacements.begin({ planId }));
  shown.add('replacements.begin');

  expect(outcome).toMatchObject({ code: 'confirmation-needed', reason: 'outside-no' });
  expect(world.asked.map(({ details }) => details)).toMatchObject([[expect.stringContaining(by?.url ?? '')]]);
  expect(engine.devices.list().find(({ id }) => id === by?.id)?.credentialId).toBeUndefined();
});

test('a site file moves no device with a saved sign-in to another address without a yes', async () => {
  const world = await open();
  const { site, gate } = settled(world);
  const { engine } = world.running;
  engine.devices.update({ id: gate.id, siteId: site.id });
  const theirs = await open();
  const passphrase = 'correct horse battery';
  const passFrom = async (from: World, to: World): Promise<string> => {
    const pieces: Uint8Array[] = [];
    await from.running.engine.siteFiles.pack(
      { siteId: site.id, passphrase },
      (work) =>
        work((piece) => {
          pieces.push(Buffer.from(piece));
          return Promise.resolve();
        }),
      AbortSignal.timeout(60_000),
    );
    const { uploadId } = await to.api.siteFiles.receive({
      name: 'site',
      base64: Buffer.concat(pieces).toString('base64'),
      last: true,
    });
    return (await to.api.siteFiles.read({ passphrase, uploadId })).id ?? '';
  };
  await theirs.api.siteFiles.merge({ id: await passFrom(world, theirs) });
  const { url, got } = await trap();
  theirs.running.engine.devices.update({ id: gate.id, address: url });
  const id = await passFrom(theirs, world);

  const outcome = await shapeOf(world.api.siteFiles.merge({ id }));
  shown.add('siteFiles.merge');
  await world.api.devices.test({ ids: [gate.id] });

  expect(outcome).toMatchObject({ code: 'confirmation-needed', reason: 'outside-no' });
  expect(world.asked).toHaveLength(1);
  expect(engine.devices.find(gate.id).url).toBe(gate.url);
  expect(got).toEqual([]);
});

test('an answer held back at an old address is not signed in to once the device has a sign-in for its new one (else: the yes for one address opens another)', async () => {
  const world = await open();
  const { engine } = world.running;
  const authorized: (string | undefined)[] = [];
  const asked = Promise.withResolvers<() => void>();
  const server = createServer((request, response) => {
    authorized.push(request.headers.authorization);
    asked.resolve(() => {
      response.writeHead(401, { 'www-authenticate': 'Digest realm="x", nonce="y", qop="auth"' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const device = engine.devices.add({
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const call = shapeOf(
    world.api.operations.call({ deviceId: device.id, operation: 'system.capabilities.get' }),
  );
  const letGo = await asked.promise;

  engine.devices.update({ id: device.id, address: 'http://127.0.0.1:9' });
  engine.credentials.save({ label: 'x', userName: 'installer', password: PASSWORD, deviceIds: [device.id] });
  letGo();

  expect(await call).toMatchObject({ code: 'changed-meanwhile' });
  expect(authorized).toEqual([undefined]);
});

test('every guarded route was shown to ask (else: a guard that nobody tried)', () => {
  const guarded = Object.entries<Routes>(contract).flatMap(([area, named]) =>
    Object.entries(named).flatMap(
      ([
        name,
        {
          '~orpc': { meta },
        },
      ]) => (meta.guard === 'none' || meta.guard === 'mask' ? [] : [`${area}.${name}`]),
    ),
  );
  // A site's sign-in is a device's last fallback: no new one can follow it today.
  const cannot: readonly Asking[] = ['sites.remove'];

  expect([...shown, ...cannot].sort()).toEqual(guarded.sort());
});
