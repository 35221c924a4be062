/** The inventory and its sign-ins across separate runs of the command. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorShape } from '#shared/errors.ts';
import type { Device, DeviceTest } from '#shared/model.ts';
import { errorOf, makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const site = makeFolder();
let devices: StartedSite;

beforeAll(async () => {
  devices = await startSite(site, ['--devices', '3', '--kinds', 'thermal,gate', '--auth', 'digest-sha256']);
});
afterAll(async () => {
  await devices.stop();
  site.remove();
});

function url(index: number): string {
  return devices.devices[index]?.url ?? '';
}

describe('device', () => {
  it('keeps a device with its sign-in for later runs, which need no password', async () => {
    const folder = makeFolder();
    const added = await run(
      folder,
      ['device', 'add', url(0), '--name', '门禁 1', '--tag', 'lane', '--user', 'admin', '--json'],
      { env: devices.env },
    );
    expect(added.json<Device>()).toMatchObject({
      name: '门禁 1',
      url: url(0),
      tags: ['lane'],
      credentialId: expect.any(String),
    });

    const tested = await run(folder, ['device', 'test', '门禁 1', '--json']);
    expect(tested.code).toBe(0);
    expect(tested.json<readonly DeviceTest[]>()).toMatchObject([
      { ok: true, scheme: expect.stringContaining('SHA-256'), kinds: ['thermal'] },
    ]);
    expect((await run(folder, ['plan', '--template', 'site-basics', '--tag', 'lane', '--json'])).code).toBe(
      0,
    );

    for (const file of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
      if (file.isFile())
        expect(readFileSync(join(file.parentPath, file.name)).includes(devices.password)).toBe(false);
    }
    expect((await run(folder, ['device', 'remove', '门禁 1', '--json'])).json()).toEqual({ removed: 1 });
    expect((await run(folder, ['device', 'list', '--json'])).json()).toEqual([]);
    folder.remove();
  });

  it('adds nothing where the password of --user is missing', async () => {
    const folder = makeFolder();

    const result = await run(folder, ['device', 'add', url(0), '--user', 'admin', '--json']);

    expect([result.code, errorOf(result).code]).toEqual([2, 'usage']);
    expect((await run(folder, ['device', 'list', '--json'])).json()).toEqual([]);
    folder.remove();
  });

  it('imports the good rows, gives the bad ones back to mend, and takes the mended file', async () => {
    const folder = makeFolder();
    const file = folder.file('devices.csv');
    writeFileSync(
      file,
      `address,name,tags,user\n${url(0)},Lane 1,north;lane,admin\nnot an address,Lane 2,,admin\n${url(1)},"Gate, main",lane,admin\n${url(0)},Twin,,admin\n`,
    );

    const result = await run(
      folder,
      ['device', 'import', file, '--user', 'admin', '--failed', folder.file('failed.csv'), '--json'],
      { env: devices.env },
    );

    expect(result.code).toBe(1);
    const { added, failed } = result.json<{
      readonly added: readonly Device[];
      readonly failed: readonly { readonly row: number; readonly error: ErrorShape }[];
    }>();
    expect(added.map(({ name }) => name)).toEqual(['Lane 1', 'Gate, main']);
    expect(failed.map(({ row, error }) => [row, error.file])).toEqual([
      [3, file],
      [5, file],
    ]);
    expect(readFileSync(folder.file('failed.csv'), 'utf8')).toMatch(
      /^\uFEFFaddress,name,tags,user,reason\nnot an address,Lane 2,,admin,.+\n/,
    );
    expect((await run(folder, ['device', 'test', '--tag', 'lane', '--json'])).code).toBe(0);
    folder.remove();
  });

  // Would catch: a column `User` or `Prefix` that is passed over without a word.
  it('takes the headings as spreadsheets begin them', async () => {
    const folder = makeFolder();
    const file = folder.file('devices.csv');
    writeFileSync(file, `sep=;\r\nDevice;Name;User;\r\n${url(0)};A;nobody;\r\n`);

    const tested = await run(folder, ['device', 'test', '--devices', file, '--json'], { env: devices.env });

    expect([tested.code, tested.json()]).toMatchObject([
      3,
      [{ name: 'A', error: { code: 'sign-in-failed' } }],
    ]);
    folder.remove();
  });

  it("reads a list in the old characters of the person's language, and says so", async () => {
    const folder = makeFolder();
    const file = folder.file('devices.csv');
    writeFileSync(
      file,
      Buffer.concat([
        Buffer.from('address,name\n10.0.0.1,'),
        Buffer.from([0xb4, 0xf3, 0xc3, 0xc5]),
        Buffer.from('\n'),
      ]),
    );

    const imported = await run(folder, ['device', 'import', file, '--lang', 'zh-CN', '--json']);

    expect(imported.json()).toMatchObject({ added: [{ name: '大门' }], failed: [] });
    expect(imported.stderr).toMatch(/不是 Unicode，按 gb18030 读取/);
    folder.remove();
  });

  it("takes the maker's list, tells what is not activated, and finds a device of it by --devices", async () => {
    const folder = makeFolder();
    const { hostname, port } = new URL(url(0));
    const file = folder.file('search.csv');
    const text = `ID\tStatus\tIPv4 Address\tPort\tEnhanced SDK Service Port\tHTTP Port\tDevice Serial No.\n001\tActive\t${hostname}\t8000\t8443\t${port}\tA\n`;
    const more = `002\tInactive\t10.0.0.64\t8000\tN/A\tN/A\tB\n`;
    writeFileSync(file, `\ufeff${text}${more}`, 'utf16le');
    const one = folder.file('one.csv');
    // Marks with which a spreadsheet keeps numbers as text.
    writeFileSync(one, text.replace(hostname, `'${hostname}`).replace(`\t${port}\t`, `\t="${port}"\t`));

    const imported = await run(folder, ['device', 'import', file]);
    const tested = await run(folder, ['device', 'test', '--devices', one, '--user', 'admin', '--json'], {
      env: devices.env,
    });
    const listed = await run(folder, ['device', 'list', '--json']);

    expect([imported.code, tested.code]).toEqual([0, 0]);
    expect(`${imported.stdout}${imported.stderr}`).toMatch(
      /Columns not taken: ID, Port, Enhanced SDK Service Port, Device Serial No\.\.\nNever activated.*10\.0\.0\.64/,
    );
    expect(new Set(listed.json<readonly Device[]>().map((device) => device.url))).toEqual(
      new Set([url(0), 'http://10.0.0.64']),
    );
    folder.remove();
  });

  it('an address with leading zeros is refused with the one that may be meant, whatever names it', async () => {
    const folder = makeFolder();

    for (const words of [
      ['device', 'add', '192.168.001.064'],
      ['device', 'test', '192.168.001.064', '--user', 'admin'],
      ['device', 'test', '--device', 'http://192.168.001.064', '--user', 'admin'],
      ['device', 'probe', '192.168.001.064'],
      ['discover', '--sweep', '192.168.001.064/32'],
    ]) {
      const result = await run(folder, [...words, '--json'], { env: devices.env });
      expect([words.join(' '), result.code, errorOf(result).nearest]).toEqual([
        words.join(' '),
        2,
        expect.stringMatching(/^192\.168\.1\.64(\/32)?$/),
      ]);
    }
    folder.remove();
  });

  it('takes a list of devices from a file and says which row is wrong', async () => {
    const folder = makeFolder();
    const good = folder.file('good.csv');
    const bad = folder.file('bad.csv');
    writeFileSync(good, `device,name,user\n${url(0)},A,admin\n${url(1)},B,admin\n`);
    writeFileSync(bad, `device,name,user\n${url(0)},A,admin\nNobody,,\n`);

    const tested = await run(folder, ['device', 'test', '--devices', good, '--json'], { env: devices.env });
    const wrong = await run(folder, ['device', 'test', '--devices', bad, '--json'], { env: devices.env });

    expect(tested.json<readonly DeviceTest[]>().map(({ name, ok }) => [name, ok])).toEqual([
      ['A', true],
      ['B', true],
    ]);
    expect([wrong.code, errorOf(wrong).code]).toEqual([2, 'unknown-device']);
    expect(errorOf(wrong)).toMatchObject({ file: bad, line: 3 });
    folder.remove();
  });

  it('names the nearest device, and the tag nobody has', async () => {
    const folder = makeFolder();
    await run(folder, ['device', 'add', url(0), '--name', 'Lobby camera', '--json']);

    expect(errorOf(await run(folder, ['caps', '--device', 'Loby camera', '--json']))).toMatchObject({
      code: 'unknown-device',
      nearest: 'Lobby camera',
    });
    expect(errorOf(await run(folder, ['caps', '--tag', 'south', '--json']))).toMatchObject({
      code: 'unknown-device',
    });
    folder.remove();
  });
});
