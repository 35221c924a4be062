/** Sites, saved sign-ins and connection profiles across separate runs of the command. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NamedProfile, Site } from '#shared/access.ts';
import type { Credential, Device, DeviceImport, DeviceTest } from '#shared/model.ts';
import { startServer } from '../engine/device/hostile-server.ts';
import { errorOf, makeFolder, run, startSite, type Folder, type Ran, type StartedSite } from './helpers.ts';

const place = makeFolder();
let devices: StartedSite;
let folder: Folder;

beforeAll(async () => {
  devices = await startSite(place, ['--devices', '2', '--kinds', 'gate']);
});
afterAll(async () => {
  await devices.stop();
  place.remove();
});
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => {
  folder.remove();
});

/** Runs without a password in the environment. */
function fieldwright(...args: readonly string[]): Promise<Ran> {
  return run(folder, [...args, '--json']);
}
function withPassword(password: string, ...args: readonly string[]): Promise<Ran> {
  return run(folder, [...args, '--json'], { env: { FIELDWRIGHT_PASSWORD: password } });
}
function url(index: number): string {
  return devices.devices[index]?.url ?? '';
}

describe('site', () => {
  it('is added, renamed and removed by name; its devices stay', async () => {
    const added = await fieldwright('site', 'add', 'Depot');
    await fieldwright('device', 'add', url(0), '--name', 'Gate', '--site', 'depot');
    const renamed = await fieldwright('site', 'rename', 'DEPOT', 'Harbour');
    const listed = await fieldwright('site', 'list');
    const ofSite = await fieldwright('device', 'list', '--site', 'harbour');
    const twin = await fieldwright('site', 'add', 'HARBOUR');
    const removed = await fieldwright('site', 'remove', 'Harbour');

    const { id } = added.json<Site>();
    expect(renamed.json()).toEqual({ id, name: 'Harbour', devices: 1 });
    expect(listed.json()).toEqual([{ id, name: 'Harbour', devices: 1 }]);
    expect(ofSite.json<readonly Device[]>()).toMatchObject([{ name: 'Gate', siteId: id }]);
    expect([twin.code, errorOf(twin).code]).toEqual([2, 'not-allowed']);
    expect(removed.json()).toEqual({ removed: true });
    expect(
      (await fieldwright('device', 'list')).json<readonly Device[]>().map(({ siteId }) => siteId),
    ).toEqual([undefined]);
  });

  it.each([
    ['site', 'remove', 'Depo'],
    ['device', 'list', '--site', 'Depo'],
    ['device', 'add', 'http://10.0.0.1', '--site', 'Depo'],
    ['credential', 'unassign', '--site', 'Depo'],
    ['device', 'test', '--site', 'Depo'],
  ])('that nobody knows is answered with the nearest: %s %s %s', async (...args) => {
    await fieldwright('site', 'add', 'Depot');

    const result = await fieldwright(...args);

    expect(result.code).toBe(2);
    expect(errorOf(result)).toMatchObject({ code: 'not-found', nearest: 'Depot' });
    expect((await fieldwright('device', 'list')).json()).toEqual([]);
  });
});

describe('credential', () => {
  it('of a site gets every device of it in, and is changed in one place', async () => {
    await fieldwright('site', 'add', 'Depot');
    await fieldwright('device', 'add', url(0), '--name', 'A', '--site', 'Depot');
    await fieldwright('device', 'add', url(1), '--name', 'B', '--site', 'Depot');
    const saved = await withPassword(
      'not-the-one',
      'credential',
      'save',
      '--user',
      'admin',
      '--label',
      'Depot key',
    );
    const assigned = await fieldwright('credential', 'assign', 'depot KEY', '--site', 'Depot');
    const refused = await fieldwright('device', 'test', '--all');
    const mended = await withPassword(devices.password, 'credential', 'save', '--id', 'Depot key');
    const tested = await fieldwright('device', 'test', '--site', 'Depot');

    expect(saved.json<Credential>()).toMatchObject({ label: 'Depot key', userName: 'admin', devices: 0 });
    expect(assigned.json()).toEqual({ changed: 2 });
    expect([
      refused.code,
      refused
        .json<readonly DeviceTest[]>()
        .map(({ error }) => error?.code)
        .sort(),
    ]).toEqual([3, ['sign-in-failed', 'sign-in-paused']]);
    expect(mended.json<Credential>()).toMatchObject({
      id: saved.json<Credential>().id,
      label: 'Depot key',
      userName: 'admin',
      devices: 2,
      scopes: [{ kind: 'site' }],
    });
    expect(tested.json<readonly DeviceTest[]>().map(({ ok }) => ok)).toEqual([true, true]);
    for (const file of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
      if (file.isFile())
        expect(readFileSync(join(file.parentPath, file.name)).includes(devices.password)).toBe(false);
    }
    expect(
      [saved, assigned, refused, mended, tested].map(({ stdout, stderr }) => stdout + stderr).join(),
    ).not.toContain(devices.password);
  });

  // Would catch: a script that saves a typing error over a good password, or tries it on a whole site.
  it('is given to many only after one of them let it in, and replaced only then', async () => {
    const both = ['--device', url(0), '--device', url(1)];
    for (const nth of [0, 1]) await fieldwright('device', 'add', url(nth));
    await withPassword('Typ0-typo', 'credential', 'save', '--user', 'admin', '--label', 'key');

    const refused = await fieldwright('credential', 'assign', 'key', ...both, '--test');
    await withPassword(devices.password, 'credential', 'save', '--id', 'key');
    const given = await fieldwright('credential', 'assign', 'key', ...both, '--test');
    const typo = await withPassword('Typ0-typo', 'credential', 'save', '--id', 'key');
    const after = await fieldwright('device', 'test', '--all');

    expect([refused.code, refused.json()]).toMatchObject([3, { changed: 0 }]);
    expect(
      refused
        .json<{ tests: readonly DeviceTest[] }>()
        .tests.map(({ error }) => error?.code)
        .sort(),
    ).toEqual(['sign-in-failed', 'sign-in-paused']);
    expect([given.code, given.json()]).toMatchObject([0, { changed: 2 }]);
    expect([typo.code, errorOf(typo).code]).toEqual([3, 'sign-in-failed']);
    expect(after.code).toBe(0);
  });

  // Would catch: a command that gives a site an untried password, in place of the one that works.
  it('of a site that works is replaced only by one that was tried on it', async () => {
    await fieldwright('site', 'add', 'Depot');
    for (const nth of [0, 1]) await fieldwright('device', 'add', url(nth), '--site', 'Depot');
    await withPassword(devices.password, 'credential', 'save', '--user', 'admin', '--label', 'good');
    await fieldwright('credential', 'assign', 'good', '--site', 'Depot', '--test');
    await withPassword('0ther-one', 'credential', 'save', '--user', 'admin', '--label', 'other');

    const untried = await fieldwright('credential', 'assign', 'other', '--site', 'Depot');
    const refused = await fieldwright('credential', 'assign', 'other', '--site', 'Depot', '--test');
    const after = await fieldwright('device', 'test', '--all');

    expect([untried.code, errorOf(untried)]).toMatchObject([
      2,
      { code: 'confirmation-needed', reason: 'replaces-working', hint: expect.stringContaining('--test') },
    ]);
    expect([refused.code, refused.json()]).toMatchObject([3, { changed: 0 }]);
    expect(after.code).toBe(0);
  });

  // Would catch: a script in a loop with a typing error in FIELDWRIGHT_PASSWORD, which locks the account at its fifth command.
  it('that an address turned away is not sent again by later commands, until it is another one or a test', async () => {
    const caps = ['caps', '--device', url(0)];
    const wrong: Ran[] = [];
    for (let nth = 0; nth < 6; nth += 1) wrong.push(await withPassword('Typ0-typo', ...caps));
    const tested = await withPassword('Typ0-typo', 'device', 'test', url(0));
    const right = await withPassword(devices.password, ...caps);
    const changed = await withPassword('Typ0-typo', ...caps);

    expect(wrong.map(({ code }) => code)).toEqual([3, 3, 3, 3, 3, 3]);
    const [first, ...later] = wrong.map((ran) => errorOf(ran).code);
    expect([first, new Set(later)]).toEqual(['sign-in-failed', new Set(['sign-in-paused'])]);
    expect(tested.json<readonly DeviceTest[]>()[0]?.error).toMatchObject({
      code: 'sign-in-failed',
      lock: { attemptsLeft: 3 },
    });
    expect(right.code).toBe(0);
    expect(errorOf(changed).code).toBe('sign-in-failed');
  });

  // Would catch: a script that keeps an account locked for ever, as each of its commands starts the wait anew.
  it('is not sent to a locked account by later commands, though the address is in no inventory', async () => {
    const server = await startServer((request, response) => {
      response
        .writeHead(401, { 'www-authenticate': 'Digest realm="device", qop="auth", nonce="n"' })
        .end(
          request.headers.authorization === undefined
            ? ''
            : '<userCheck><lockStatus>lock</lockStatus><unlockTime>1800</unlockTime></userCheck>',
        );
    });
    try {
      const codes: (string | undefined)[] = [];
      for (const operation of ['gate.status.get', 'accessControl.hostConfig.get', 'gate.status.get'])
        codes.push(errorOf(await withPassword('right', 'call', operation, '--device', server.url)).code);

      expect(codes).toEqual(['account-locked', 'account-locked', 'account-locked']);
      expect(server.requests.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  it('is used by none of the devices whose tags contradict each other, which says so', async () => {
    await fieldwright('device', 'add', url(0), '--name', 'Gate', '--tag', 'hall', '--tag', 'north');
    for (const [label, tag] of [
      ['A', 'hall'],
      ['B', 'north'],
    ] as const) {
      await withPassword('x', 'credential', 'save', '--user', 'admin', '--label', label);
      await fieldwright('credential', 'assign', label, '--tag', tag);
    }

    const tested = await fieldwright('device', 'test', 'Gate');
    const table = await run(folder, ['device', 'list']);
    await fieldwright('credential', 'unassign', '--tag', 'north');
    const [after] = (await fieldwright('device', 'list')).json<readonly Device[]>();

    expect([tested.code, tested.json<readonly DeviceTest[]>()[0]?.error]).toMatchObject([
      3,
      { code: 'sign-in-required', message: expect.stringMatching(/"hall".*"north"/) as string },
    ]);
    expect(table.stdout).toContain('conflict: hall, north');
    expect(after?.signInFrom).toEqual({ kind: 'tag', tag: 'hall' });
  });

  it('removed is gone from devices, tags and sites', async () => {
    await withPassword('x', 'credential', 'save', '--user', 'admin');
    const added = await fieldwright('device', 'add', url(0), '--name', 'Gate', '--credential', 'admin');
    await fieldwright('credential', 'assign', 'admin', '--tag', 'hall', '--device', 'Gate');

    const removed = await fieldwright('credential', 'remove', 'admin');

    expect(added.json<Device>().signInFrom).toEqual({ kind: 'device' });
    expect(removed.json()).toEqual({ removed: true });
    expect((await fieldwright('credential', 'list')).json()).toEqual([]);
    expect((await fieldwright('device', 'list')).json<readonly Device[]>()[0]).not.toHaveProperty(
      'signInFrom',
    );
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['no user', ['save'], { FIELDWRIGHT_PASSWORD: 'x' }],
    ['no password', ['save', '--user', 'admin'], {}],
    ['an empty password', ['save', '--user', 'admin'], { FIELDWRIGHT_PASSWORD: '' }],
    ['nothing to change', ['save', '--id', 'admin'], {}],
    ['no one to give it to', ['assign', 'admin'], {}],
    ['no one to take it from', ['unassign'], {}],
    ['a password as an argument', ['save', '--user', 'admin', '--password', 'x'], {}],
    ['a sign-in nobody knows', ['assign', 'admn', '--tag', 'x'], {}],
    ['a device nobody knows', ['assign', 'admin', '--tag', 'x', '--device', 'Gat'], {}],
  ])('changes nothing with %s', async (_what, args, env) => {
    await withPassword('x', 'credential', 'save', '--user', 'admin');

    const result = await run(folder, ['credential', ...args, '--json'], { env });

    expect(result.code).toBe(2);
    expect((await fieldwright('credential', 'list')).json<readonly Credential[]>()).toMatchObject([
      { label: 'admin', userName: 'admin', devices: 0 },
    ]);
    expect((await fieldwright('credential', 'list')).json<readonly Credential[]>()[0]).not.toHaveProperty(
      'scopes',
    );
  });
});

describe('profile', () => {
  it('is made, changed, made the default, used by new devices and removed', async () => {
    const made = await fieldwright(
      'profile',
      'save',
      'Old gates',
      '--prefix',
      '/Old',
      '--ports',
      '8000, 80',
      '--services',
      '_psia._tcp,_http._tcp',
      '--auth',
      'digest',
      '--deadline',
      '5000',
      '--in-flight',
      '1',
    );
    const changed = await fieldwright(
      'profile',
      'save',
      'OLD gates',
      '--rename',
      'Gates',
      '--namespace',
      'urn:x',
      '--default',
    );
    const added = await fieldwright('device', 'add', 'http://10.0.0.1');
    const other = await fieldwright('device', 'add', 'http://10.0.0.2', '--profile', 'default');
    const kept = await fieldwright('profile', 'remove', 'Gates');

    const profile = { pathPrefix: '/Old', auth: 'digest', deadlineMs: 5000, inFlight: 1 };
    expect(made.json<NamedProfile>()).toMatchObject({
      name: 'Old gates',
      profile,
      ports: [8000, 80],
      services: ['_psia._tcp', '_http._tcp'],
      isDefault: false,
    });
    expect(changed.json<NamedProfile>()).toMatchObject({
      id: made.json<NamedProfile>().id,
      name: 'Gates',
      profile: { ...profile, namespace: 'urn:x' },
      isDefault: true,
    });
    expect(added.json<Device>().profile).toMatchObject(profile);
    expect(other.json<Device>().profile).toMatchObject({ pathPrefix: '/API' });
    expect([kept.code, errorOf(kept).code]).toEqual([2, 'not-allowed']);
    await fieldwright('profile', 'save', 'Default', '--default');
    expect((await fieldwright('profile', 'remove', 'gates')).json()).toEqual({ removed: true });
    expect(
      (await fieldwright('profile', 'list')).json<readonly NamedProfile[]>().map(({ name }) => name),
    ).toEqual(['Default']);
  });

  it.each([
    ['--auth', 'ntlm'],
    ['--deadline', '1'],
    ['--in-flight', '99'],
    ['--ports', '80,x'],
    ['--services', 'http'],
    ['--prefix', 'API'],
    ['--rename', 'Y'],
  ])('refuses %s %s', async (option, value) => {
    const result = await fieldwright('profile', 'save', 'X', option, value);

    expect(result.code).toBe(2);
    expect((await fieldwright('profile', 'list')).json()).toHaveLength(1);
  });

  it('that nobody knows is answered with the nearest', async () => {
    expect(
      errorOf(await fieldwright('device', 'add', 'http://10.0.0.1', '--profile', 'Defalt')),
    ).toMatchObject({ code: 'not-found', nearest: 'Default' });
  });
});

describe('device update', () => {
  it('changes many devices at once: tags, site, profile, sign-in', async () => {
    await fieldwright('site', 'add', 'Depot');
    await withPassword('x', 'credential', 'save', '--user', 'root');
    for (const [nth, tag] of [
      [1, 'hall'],
      [2, 'yard'],
    ] as const)
      await fieldwright('device', 'add', `http://10.0.0.${nth}`, '--name', `Gate ${nth}`, '--tag', tag);

    const updated = await fieldwright(
      'device',
      'update',
      'Gate 1',
      'Gate 2',
      '--tag',
      'new',
      '--untag',
      'hall',
      '--site',
      'Depot',
      '--credential',
      'root',
      '--prefix',
      '/X',
    );
    const taken = await fieldwright(
      'device',
      'update',
      'Gate 1',
      '--no-site',
      '--no-credential',
      '--name',
      'First',
      '--address',
      '10.0.0.9',
    );

    expect(
      updated
        .json<readonly Device[]>()
        .map(({ tags, signInFrom, profile }) => [tags, signInFrom, profile.pathPrefix]),
    ).toEqual([
      [['new'], { kind: 'device' }, '/X'],
      [['yard', 'new'], { kind: 'device' }, '/X'],
    ]);
    expect(taken.json<readonly Device[]>()).toMatchObject([
      { name: 'First', url: 'http://10.0.0.9', tags: ['new'] },
    ]);
    expect(taken.json<readonly Device[]>()[0]).not.toHaveProperty('siteId');
    expect((await fieldwright('site', 'list')).json()).toMatchObject([{ devices: 1 }]);
  });

  it.each([
    [['Gate 1', 'Gate 2', '--name', 'x']],
    [['Gate 1']],
    [['Gate 1', 'Gate 3', '--tag', 'x']],
    [['Gate 1', '--site', 'x', '--tag', 'x']],
  ])('changes nothing where something is wrong: %j', async (args) => {
    for (const nth of [1, 2])
      await fieldwright('device', 'add', `http://10.0.0.${nth}`, '--name', `Gate ${nth}`);

    const result = await fieldwright('device', 'update', ...args);

    expect(result.code).toBe(2);
    expect(
      (await fieldwright('device', 'list')).json<readonly Device[]>().map(({ name, tags }) => [name, tags]),
    ).toEqual([
      ['Gate 1', []],
      ['Gate 2', []],
    ]);
  });
});

describe('device import', () => {
  it.each(['utf8', 'utf16le'] as const)(
    'takes a %s table from a spreadsheet, with sites, into a profile, and gives the rest back',
    async (encoding) => {
      await fieldwright('profile', 'save', 'Old', '--prefix', '/Old');
      await withPassword('x', 'credential', 'save', '--user', 'root');
      const file = folder.file('devices.csv');
      writeFileSync(
        file,
        '\uFEFFaddress;name;site;profile\r\n10.0.0.1;入口;Depot;\r\nnot an address;=1+1;Depot;\r\n10.0.0.2;B;;Default\r\n',
        encoding,
      );

      const preview = await fieldwright('device', 'import', file, '--dry-run');
      expect([preview.code, preview.json()]).toMatchObject([1, { count: 2, failed: [{ row: 3 }] }]);

      const result = await fieldwright(
        'device',
        'import',
        file,
        '--profile',
        'old',
        '--tag',
        'new',
        '--credential',
        'root',
        '--failed',
        folder.file('failed.csv'),
      );
      const failed = readFileSync(folder.file('failed.csv'), 'utf8');
      writeFileSync(folder.file('failed.csv'), failed.replace('not an address', '10.0.0.3'));
      const again = await fieldwright('device', 'import', folder.file('failed.csv'));

      expect(result.code).toBe(1);
      expect(result.json<DeviceImport>()).toMatchObject({
        added: [
          { name: '入口', tags: ['new'], profile: { pathPrefix: '/Old' }, signInFrom: { kind: 'device' } },
          { name: 'B', profile: { pathPrefix: '/API' } },
        ],
        failed: [{ row: 3, error: { file } }],
      });
      expect(failed).toMatch(/^\uFEFFaddress;name;site;profile;reason\nnot an address;'=1\+1;Depot;;.+\n$/);
      expect(again.json<DeviceImport>().added).toMatchObject([{ name: '=1+1', url: 'http://10.0.0.3' }]);
      expect((await fieldwright('site', 'list')).json()).toMatchObject([{ name: 'Depot', devices: 2 }]);
    },
  );

  it('leaves no sign-in behind where no row used it', async () => {
    const file = folder.file('devices.csv');
    writeFileSync(file, 'address\nnot an address\n');

    const result = await withPassword('x', 'device', 'import', file, '--user', 'root');

    expect(result.code).toBe(2);
    expect((await fieldwright('credential', 'list')).json()).toEqual([]);
    expect((await fieldwright('device', 'import', file, '--user', 'root', '--credential', 'x')).code).toBe(2);
  });
});
