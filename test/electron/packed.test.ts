/** The packages of the three systems: what is in them, and that the desktop app works from what is in them. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getHostSystem } from '../../build/packaging/command-line.mjs';
import { readConfig } from '../../build/packaging/config.mjs';
import { checkWindow } from '../../build/packaging/start-check.mjs';
import { writeLinuxScripts } from '../../build/packaging/linux-scripts.mjs';
import { removeWindowsSignature } from '../../build/packaging/windows-signature.mjs';
import { DEFAULT_SERVICES } from '#shared/access.ts';
import { FILE_TYPES } from '#shared/file-types.ts';
import { ROOT } from './desktop-app.ts';
import { desktopSpecs } from './desktop-specs.ts';
import { createStandInLauncher } from './launch-stand-in.ts';
import { listFiles, pack, SYSTEMS, type PackedApp } from './packages/pack.ts';

/** Read by the program while it runs, below its folder of resources. */
const READ_AT_RUN_TIME = [
  'fonts/NotoSansSC_400Regular.ttf',
  'fonts/NotoSans_400Regular.ttf',
  'icons/icon.png',
  'cli/out/main/cli.cjs',
  'cli/out/renderer/index.html',
  'licences.txt',
  'schema/template.schema.json',
  'templates.json',
  'templates/site-basics.yaml',
];
/** Files that the app must not carry: sources, maps, the command line and pictures of the README. */
const LEFT_OUT = /\.map$|\.stamp$|\.vue$|\.tsx?$|^out\/main\/cli\.cjs$|^screenshots\/|^node_modules\//;

let folder = '';
const packed = new Map<string, PackedApp>();

function get(system: string): PackedApp {
  const app = packed.get(system);
  if (app === undefined) throw new Error(`${system} was not packed.`);
  return app;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-packed-'));
  // One after the other: each takes a processor whole.
  for (const system of SYSTEMS) packed.set(system, await pack(system, join(folder, system)));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('packages', () => {
  it('carry the same files on the three systems (else: what was tested on one is not what another runs)', async () => {
    const sums = await Promise.all(SYSTEMS.map((system) => sumOf(get(system).root)));

    expect(sums[1]).toEqual(sums[0]);
    expect(sums[2]).toEqual(sums[0]);
    expect(Object.keys(sums[0] ?? {})).toEqual(
      expect.arrayContaining(['package.json', 'out/main/index.cjs', 'out/preload/index.cjs']),
    );
  });

  it.each(SYSTEMS)('%s: what the program reads while it runs is there, and nothing else', async (system) => {
    const { root, resources } = get(system);

    const beside = await listFiles(resources);
    const inside = await listFiles(root);

    expect(beside).toEqual(expect.arrayContaining(READ_AT_RUN_TIME));
    expect([...beside, ...inside].filter((file) => LEFT_OUT.test(file))).toEqual([]);
  });

  it.each(SYSTEMS)(
    '%s: Chromium speaks every language of the app (else: its own menus are English)',
    async (system) => {
      const { installed } = get(system);
      const languages = (await listFiles(join(ROOT, 'resources', 'locales')))
        .filter((file) => file.endsWith('/language.json'))
        .map((file) => file.split('/')[0] ?? '');

      const paks = (await listFiles(installed))
        .map((file) => /([\w-]+)(?:\.pak|\.lproj\/locale\.pak)$/.exec(file)?.[1])
        .filter((name) => name !== undefined && name !== 'locale')
        .map((name) => name?.replace('_', '-'));

      expect(languages).toContain('de');
      for (const language of languages)
        expect(paks.filter((pak) => pak === language || pak?.startsWith(`${language}-`))).not.toEqual([]);
      expect(paks).not.toContain('fr');
    },
  );

  it.each(SYSTEMS)('%s: has its fuses (else: the installed program runs any script)', async (system) => {
    const { getCurrentFuseWire, FuseV1Options } = loadBuilderLibrary<Fuses>('@electron/fuses');
    const on = '1'.charCodeAt(0);
    const off = '0'.charCodeAt(0);

    const wire = await getCurrentFuseWire(get(system).program);

    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: off,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: off,
      [FuseV1Options.EnableNodeCliInspectArguments]: off,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: on,
      [FuseV1Options.OnlyLoadAppFromAsar]: on,
    });
  });

  it('macOS lets the app ask for every type of service that a search asks for (else: devices stay hidden)', async () => {
    const plist = await readFile(join(get('mac').installed, 'Contents', 'Info.plist'), 'utf8');

    const declared = /<key>NSBonjourServices<\/key>\s*<array>(.*?)<\/array>/s.exec(plist)?.[1] ?? '';

    expect([...declared.matchAll(/<string>(.*?)<\/string>/g)].map(([, type]) => type)).toEqual(
      DEFAULT_SERVICES,
    );
    expect(plist).toContain('NSLocalNetworkUsageDescription');
  });

  it('every ending that the app opens is announced to the systems (else: a double click asks for a program)', async () => {
    const endings = FILE_TYPES.map(({ ending }) => ending);
    const plist = await readFile(join(get('mac').installed, 'Contents', 'Info.plist'), 'utf8');
    const { fileAssociations } = readConfig('win', {});

    expect(fileAssociations.map(({ ext }) => ext)).toEqual(endings);
    for (const ending of endings) expect(plist).toContain(`<string>${ending}</string>`);
  });
});

describe('command line of an installation', () => {
  const system = getHostSystem();

  it.each(SYSTEMS)(
    '%s: is beside what it runs (else: there is none on an installed computer)',
    async (name) => {
      const files = await listFiles(get(name).resources);

      expect(files).toContain(name === 'win' ? 'bin/fieldwright.exe' : 'bin/fieldwright');
      expect(get(name).commandLine).toMatch(/fieldwright(\.exe)?$/);
    },
  );

  it('runs from any folder, through a link, and obeys no options of Node (else: whoever sets NODE_OPTIONS runs in it)', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const link = join(home, 'fieldwright');
    if (system !== 'win') await symlink(get(system).commandLine, link);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const options = { cwd: home, env: environmentOf(home, { NODE_OPTIONS: '--require ./planted.cjs' }) };
    await writeFile(join(home, 'planted.cjs'), "process.stdout.write('planted'); process.exit(9)");
    const program = system === 'win' ? get(system).commandLine : link;

    const said = await promisify(execFile)(program, ['--version'], options);
    const listed = await promisify(execFile)(program, ['template', 'list', '--json'], options);

    expect(said.stdout.trim()).toBe(version);
    expect(listed.stdout).toContain('site-basics');
  });

  it('serves the screens (else: the browser face is missing where the app is installed)', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const server = spawn(
      get(system).commandLine,
      ['serve', '--data-dir', join(home, 'data'), '--port', '0'],
      { cwd: home, env: environmentOf(home), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };

      const page = await fetch(url);

      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<div id="app">');
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });

  it("the deb package links it into everybody's path, and takes the link away (else: it is there and cannot be called)", async () => {
    const scripts = await mkdtemp(join(folder, 'scripts-'));
    writeLinuxScripts(scripts);

    const install = await readFile(join(scripts, 'after-install.tpl'), 'utf8');
    const remove = await readFile(join(scripts, 'after-remove.tpl'), 'utf8');

    // electron-builder's own scripts go on: rights of the sandbox, types of files.
    expect(install).toContain('chrome-sandbox');
    expect(install).toContain('update-mime-database');
    expect(install).toContain(
      "ln -sf '/opt/${sanitizedProductName}/resources/bin/fieldwright' '/usr/bin/fieldwright'",
    );
    expect(remove).toContain("rm -f '/usr/bin/fieldwright'");
  });

  it("Node's signature is cut off before something is put into its program (else: Windows calls it tampered with)", () => {
    const { NtExecutable } = loadBuilderLibrary<{
      readonly NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): { generate(): ArrayBuffer } };
    }>('resedit');
    const plain = Buffer.from(NtExecutable.createEmpty(false, false).generate());
    const entry = plain.readUInt32LE(0x3c) + 24 + 112 + 32;
    const signed = Buffer.concat([plain, Buffer.from('certificates')]);
    signed.writeUInt32LE(plain.length, entry);
    signed.writeUInt32LE(12, entry + 4);

    expect(removeWindowsSignature(signed).equals(plain)).toBe(true);
    expect(removeWindowsSignature(plain)).toBe(plain);
  });
});

describe('check of a packed app before it is uploaded', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

  it('passes for one that opens, answers and ends; fails for another version and for one that never opens (else: broken packages are handed out)', async () => {
    const launcher = await createStandInLauncher(get('linux'));
    try {
      const child = launcher.spawn(await mkdtemp(join(folder, 'data-')));
      const ended = once(child, 'exit');

      await expect(checkWindow(launcher.endpoint, '0.0.0-other', () => false)).rejects.toThrow(
        'something else',
      );
      await checkWindow(launcher.endpoint, version, () => false);

      expect(await ended).toEqual([0, null]);
      await expect(checkWindow(launcher.endpoint, version, () => true)).rejects.toThrow('No window');
    } finally {
      await launcher.dispose();
    }
  });
});

describe('signing', () => {
  it('without keys programs for macOS are signed ad hoc (else: Apple processors end them, as fuses changed what was signed)', () => {
    const { mac, forceCodeSigning } = readConfig('mac', {});

    expect(mac).toMatchObject({ identity: '-', hardenedRuntime: false });
    expect(forceCodeSigning).toBeUndefined();
  });

  it('with keys a package that is not signed is a failure (else: a release goes out unsigned)', () => {
    const mac = readConfig('mac', { CSC_LINK: 'key.p12' });
    const win = readConfig('win', { WIN_CSC_LINK: 'key.pfx' });

    expect(mac).toMatchObject({ forceCodeSigning: true, mac: { hardenedRuntime: true } });
    expect(mac.mac).not.toHaveProperty('identity');
    expect(win).toMatchObject({ forceCodeSigning: true });
    expect(readConfig('linux', { CSC_LINK: 'key.p12' }).forceCodeSigning).toBeUndefined();
  });

  it('no address of updates is written into the app (else: it asks a server that nobody chose)', async () => {
    expect(readConfig('win', {}).publish).toBeNull();
    for (const system of SYSTEMS)
      expect((await listFiles(get(system).resources)).filter((file) => file.includes('app-update'))).toEqual(
        [],
      );
  });
});

// Windows' package, as most people have it.
describe('desktop app from its package, with the stand-in for Electron', () => {
  desktopSpecs(() => createStandInLauncher(get('win')));
});

interface Fuses {
  getCurrentFuseWire(program: string): Promise<Readonly<Record<string, number>>>;
  readonly FuseV1Options: Readonly<
    Record<
      | 'RunAsNode'
      | 'EnableNodeOptionsEnvironmentVariable'
      | 'EnableNodeCliInspectArguments'
      | 'EnableEmbeddedAsarIntegrityValidation'
      | 'OnlyLoadAppFromAsar',
      number
    >
  >;
}

/** Loads a library that electron-builder works with. */
function loadBuilderLibrary<Library>(name: string): Library {
  const builder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
  return builder(name) as Library;
}

/** Returns this environment with another home, so that nothing of the running user is read or written. */
function environmentOf(home: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return { ...env, HOME: home, USERPROFILE: home, LOCALAPPDATA: home, APPDATA: home, ...more };
}

async function sumOf(root: string): Promise<Readonly<Record<string, string>>> {
  const files = await listFiles(root);
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex'),
    ]),
  );
}
