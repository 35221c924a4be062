/**
 * The command line as it is installed, tried on the main jobs in a folder with spaces and letters beyond ASCII, as one
 * program after the other. Runs on every system: `node test/windows/trial.ts`. Needs a build.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, win32 } from 'node:path';

const IS_WINDOWS = process.platform === 'win32';
const CHECKOUT = resolve(import.meta.dirname, '../..');
const FONT = 'node_modules/@expo-google-fonts/noto-sans-sc/400Regular';
const SYSTEM = win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
const PASSWORD = 'Trial-2030!';

const place = mkdtempSync(join(tmpdir(), 'fieldwright-trial-'));
const home = join(place, 'Jürgen Müller');
const app = join(home, 'Programme & Werkzeuge', 'Fieldwright (Test)');
const work = join(home, 'Eigene Dateien 文件');
const cli = join(app, 'out', 'main', 'cli.cjs');
const local = join(home, 'AppData', 'Local');
const env = {
  ...process.env,
  ...{ HOME: home, USERPROFILE: home, APPDATA: join(home, 'AppData', 'Roaming'), LOCALAPPDATA: local },
  ...{
    XDG_CONFIG_HOME: '',
    TEMP: join(local, 'Temp'),
    TMP: join(local, 'Temp'),
    TMPDIR: join(local, 'Temp'),
  },
  ...{ FIELDWRIGHT_PASSWORD: PASSWORD, FIELDWRIGHT_DATA_DIR: '', FIELDWRIGHT_LANG: 'en', NO_COLOR: '1' },
};

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
interface Device {
  readonly url: string;
  readonly user: string;
  readonly kind: string;
}

function run(
  args: readonly string[],
  more: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    ...{ env: { ...env, ...more.env }, cwd: more.cwd ?? work, encoding: 'utf8', timeout: 180_000 },
    maxBuffer: 1 << 28,
  });
  return { code: status, out: stdout, err: stderr };
}
/** Runs a command with `--json`. */
function ask<T>(...args: readonly string[]): T & { readonly code?: string; readonly exit: number | null } {
  const { code, out, err } = run([...args, '--json']);
  try {
    const said = JSON.parse(out) as object;
    return (
      Array.isArray(said) ? Object.assign(said, { exit: code }) : { ...said, exit: code }
    ) as ReturnType<typeof ask<T>>;
  } catch {
    throw new Error(`no JSON: ${out.slice(0, 300)} ${err.slice(0, 600)}`);
  }
}

let failed = 0;
async function check(what: string, work_: () => unknown): Promise<void> {
  const begun = performance.now();
  try {
    await work_();
    console.log(`ok    ${what} (${Math.round(performance.now() - begun)} ms)`);
  } catch (error) {
    failed += 1;
    console.log(
      `FAIL  ${what}\n      ${String(error instanceof Error ? error.message : error).slice(0, 1500)}`,
    );
  }
}

async function startSite(): Promise<{ readonly child: ChildProcess; readonly devices: readonly Device[] }> {
  const child = spawn(
    process.execPath,
    [cli, 'simulate', '--devices', '6', '--kinds', 'gate,thermal,ai', '--users', '3', '--restart-after', '2'],
    { env, cwd: work, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    if (said.includes('\n')) break;
  }
  return {
    child,
    devices: (JSON.parse(said.split('\n')[0] ?? '') as { readonly devices: readonly Device[] }).devices,
  };
}

function install(): void {
  for (const folder of [work, env.APPDATA, env.TEMP]) mkdirSync(folder, { recursive: true });
  for (const part of ['out', 'resources', FONT])
    cpSync(join(CHECKOUT, part), join(app, part), { recursive: true });
  copyFileSync(join(CHECKOUT, 'package.json'), join(app, 'package.json'));
}

const file = (name: string): string => join(work, name);
/** Folder of more characters than Windows takes without its long form. */
const LONG = join(
  work,
  ...Array.from({ length: 3 }, (_, nth) => `${nth} ${'Sehr langer Ordner '.repeat(5).trim()}`),
);

async function tryAll(devices: readonly Device[]): Promise<void> {
  const of = (kind: string): readonly Device[] => devices.filter((device) => device.kind === kind);
  const [gate, otherGate] = of('gate');
  assert(gate !== undefined && otherGate !== undefined);

  await check('a device list of a spreadsheet: BOM, semicolons, CRLF', () => {
    const rows = devices.map(({ url, kind }, nth) => `${url};Gerät ${nth} 门;alle,${kind}`);
    writeFileSync(file('Geräte.csv'), `\ufeff${['address;name;tags', ...rows, ''].join('\r\n')}`);
    assert.equal(
      ask<{ added: unknown[] }>('device', 'import', file('Geräte.csv'), '--user', gate.user).added.length,
      6,
    );
  });
  await check('every device is signed in to', () => {
    const tested = ask<{ ok: boolean }[]>('device', 'test', '--tag', 'alle');
    assert(
      tested.every(({ ok }) => ok),
      JSON.stringify(tested).slice(0, 800),
    );
  });
  await check('a template with the line ends of Notepad, applied and undone', () => {
    const path = file('Halle Süd.yaml');
    assert.equal(run(['template', 'export', 'site-basics', '--out', path]).code, 0);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
    const job = ask<{ jobId: string; state: string }>(
      'apply',
      '--template',
      path,
      '--tag',
      'thermal',
      '--yes',
    );
    assert.equal(job.state, 'done');
    assert.equal(ask<{ state: string }>('jobs', 'undo', job.jobId, '--yes').state, 'done');
  });
  await check('a template in UTF-16, as `>` of Windows PowerShell writes it', () => {
    const utf16 = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(readFileSync(file('Halle Süd.yaml'), 'utf8'), 'utf16le'),
    ]);
    writeFileSync(file('utf16.yaml'), utf16);
    assert.equal(ask<{ ok: boolean }>('template', 'check', file('utf16.yaml')).ok, true);
  });
  await check('reports in four formats, below a path of more than 260 characters', () => {
    mkdirSync(LONG, { recursive: true });
    for (const format of ['pdf', 'html', 'csv', 'json']) {
      const path = join(LONG, `Bericht Größe 报告.${format}`);
      assert(path.length > 260);
      assert.equal(run(['report', 'capabilities', '--all', '--out', path]).code, 0);
      assert(statSync(path).size > 2000);
    }
    assert.equal(run(['flow', 'verify', join(LONG, 'Bericht Größe 报告.pdf')]).code, 0);
  });
  await check('people imported and exported', () => {
    writeFileSync(file('Leute.csv'), 'employeeNo;name\r\n9001;Jürgen Müller\r\n9002;王小明\r\n');
    const to = ['--device', gate.url, '--device', otherGate.url];
    assert.equal(run(['users', 'import', file('Leute.csv'), ...to, '--yes']).code, 0);
    assert.equal(run(['users', 'export', '--device', gate.url, '--out', file('Leute raus.csv')]).code, 0);
    assert.match(readFileSync(file('Leute raus.csv'), 'utf8'), /王小明/);
  });
  await check('a search, with its doctor', () => {
    const { code, out } = run(['discover', '--seconds', '2', '--doctor', '--json']);
    assert.equal(code, 0);
    assert.match(out, /"type":"doctor"/);
  });
  await check('four programs at once on one data folder', async () => {
    const started = Array.from({ length: 4 }, (_, nth) =>
      spawn(process.execPath, [cli, 'site', 'add', `Ort ${nth}`], { env, cwd: work, stdio: 'ignore' }),
    );
    const codes = await Promise.all(
      started.map(async (child) => ((await once(child, 'exit')) as [number])[0]),
    );
    assert.deepEqual(codes, [0, 0, 0, 0]);
  });
  await check('a job whose program was killed is known as cut off, and resumed', async () => {
    const args = [
      'apply',
      '--template',
      'site-basics',
      '--tag',
      'alle',
      '--concurrency',
      '1',
      '--yes',
      '--json',
      '--progress',
    ];
    const killed = spawn(process.execPath, [cli, ...args], {
      env,
      cwd: work,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let lines = 0;
    killed.stdout.on('data', (part: Buffer) => {
      lines += String(part).split('\n').length - 1;
      if (lines > 4) killed.kill('SIGKILL');
    });
    await once(killed, 'close');
    const [job] = ask<{ id: string; state: string }[]>('jobs', 'list');
    assert.equal(job?.state, 'interrupted');
    assert.equal(ask<{ state: string }>('jobs', 'resume', job.id, '--yes').state, 'done');
    assert.deepEqual(
      readdirSync(join(dataDir(), 'alive')).filter(() => IS_WINDOWS),
      [],
    );
  });
  await check('a data folder on a disk that is not there is told', () => {
    const nowhere = IS_WINDOWS ? 'Q:\\Fieldwright' : '/proc/nowhere/Fieldwright';
    const { code, exit } = ask<object>('device', 'list', '--data-dir', nowhere);
    assert.deepEqual([code, exit], ['not-available', 2]);
  });
  if (IS_WINDOWS) await tryWindows();
}

function dataDir(): string {
  const found = IS_WINDOWS
    ? join(env.APPDATA, 'Fieldwright')
    : process.platform === 'darwin'
      ? join(home, 'Library', 'Application Support', 'Fieldwright')
      : join(home, '.config', 'Fieldwright');
  mkdirSync(join(found, 'alive'), { recursive: true });
  return found;
}

async function tryWindows(): Promise<void> {
  const exportTo = (name: string) =>
    ask<{ detail?: { id: string } }>('report', 'handover', '--all', '--out', name, '--force');
  await check(
    'a file that another program holds is told, and nothing of people is left beside it',
    async () => {
      const held = file('offen in Excel.csv');
      const holder = spawn(win32.join(SYSTEM, 'cmd.exe'), ['/d', '/s', '/c', `"pause > "${held}""`], {
        ...{ windowsVerbatimArguments: true, stdio: ['pipe', 'ignore', 'ignore'] },
      });
      while (!existsSync(held)) await new Promise((done) => setTimeout(done, 50));
      const { code, detail } = exportTo(held);
      holder.stdin?.end('\r\n');
      await once(holder, 'exit');
      assert.deepEqual([code, detail?.id], ['unreadable-file', 'cli.file-in-use']);
      assert.deepEqual(
        readdirSync(work).filter((name) => name.endsWith('.part')),
        [],
      );
    },
  );
  await check('names that mean a device or a hidden stream are refused', () => {
    assert.deepEqual(
      ['NUL.csv', 'Liste:1.csv', 'con.csv', 'Ordner./Liste.csv'].map(
        (name) => exportTo(file(name)).detail?.id,
      ),
      Array<string>(4).fill('cli.windows-name'),
    );
  });
  await check('programs of the current folder are not started', () => {
    const downloads = join(home, 'Downloads');
    mkdirSync(downloads);
    for (const name of ['reg', 'netsh', 'powercfg', 'route', 'rundll32', 'icacls', 'whoami', 'powershell'])
      copyFileSync(win32.join(SYSTEM, 'cmd.exe'), join(downloads, `${name}.exe`));
    for (const args of [
      ['model', 'doctor'],
      ['discover', '--seconds', '1'],
    ]) {
      const { err } = run(args, { cwd: downloads, env: { NODE_DEBUG: 'child_process' } });
      const started = [...err.matchAll(/\bfile: '([^']*)'/g)].map(([, path = '']) =>
        path.replaceAll('\\\\', '\\'),
      );
      assert(started.length > 0);
      for (const path of started) assert.match(path, /^[A-Z]:\\windows\\system32\\/i);
    }
  });
  await check('a data folder outside of the profile has a key that others cannot read, or says so', () => {
    const { code, err } = run(['site', 'add', 'Ort', '--data-dir', join(place, 'Daten')]);
    assert.equal(code, 0, err);
  });
}

install();
const site = await startSite();
try {
  await tryAll(site.devices);
} finally {
  site.child.kill();
  if (site.child.exitCode === null) await once(site.child, 'exit');
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failed === 0 ? 'All of it works.' : `${failed} failed.`);
process.exitCode = failed === 0 ? 0 : 1;
