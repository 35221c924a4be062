/**
 * The same change to 50 devices with an administrator's usual tools: `xargs -P 50 curl` and `ansible` (module
 * `uri`, 50 forks). Each reads a document (to plan), reads it again (to notice drift), writes it and reads it
 * back, as Fieldwright does, which plans, judges and journals besides; whole processes, start included.
 * Everything that they read was made before, both curl's files and Fieldwright's data folder; the time to
 * make it is printed beside.
 * Alone: `npm run bench -- other-tools`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '#cli/output/table.ts';
import { FIELDWRIGHT, howItRuns, withSite } from './processes.ts';
import { goal, median, plainPaint, ratios, say, type BenchDevice } from './shared.ts';

const DEVICES = 50;
const ROUNDS = Number(process.env['FIELDWRIGHT_BENCH_ROUNDS'] ?? 25);
const PATH = '/API/Thermal/channels/1/thermometry/basicParam';
const USER = 'admin';
const PASSWORD = 'Bench-2026';

interface Job {
  readonly folder: string;
  readonly devices: readonly BenchDevice[];
}
interface Tool {
  readonly name: string;
  /** Program that has to be there. */
  readonly needs: string;
  /** Writes what the program reads; gives its arguments. */
  readonly prepare: (job: Job) => {
    readonly command: string;
    readonly args: readonly string[];
    readonly input?: string;
  };
}

const TEMPLATE = `fieldwright: template/1
name: One setting
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: 4 }
`;

const PLAYBOOK = `- hosts: all
  gather_facts: false
  connection: local
  vars:
    ansible_python_interpreter: "{{ ansible_playbook_python }}"
    sign_in: { url_username: "{{ lookup('env', 'FIELDWRIGHT_USER') }}", url_password: "{{ lookup('env', 'FIELDWRIGHT_PASSWORD') }}" }
  module_defaults:
    ansible.builtin.uri: "{{ sign_in }}"
  tasks:
    - { name: read, ansible.builtin.uri: { url: "{{ target }}", return_content: true } }
    - { name: notice drift, ansible.builtin.uri: { url: "{{ target }}", return_content: true } }
    - { name: write, ansible.builtin.uri: { url: "{{ target }}", method: PUT, body: "{{ lookup('file', body) }}", headers: { content-type: application/xml } } }
    - { name: read back, ansible.builtin.uri: { url: "{{ target }}", return_content: true } }
`;

/**
 * Returns the tool for `apply` with an existing data folder, or one that makes it: a computer does that once.
 */
function fieldwright(name: string, makesFolder: boolean): Tool {
  return {
    name,
    needs: process.execPath,
    prepare({ folder, devices }) {
      writeFileSync(join(folder, 'template.yaml'), TEMPLATE);
      writeFileSync(join(folder, 'devices.csv'), ['device', ...devices.map(({ url }) => url)].join('\n'));
      const data = ['--data-dir', join(folder, 'data')];
      if (!makesFolder) printed(process.execPath, [FIELDWRIGHT, 'device', 'list', ...data]);
      return {
        command: process.execPath,
        args: [
          FIELDWRIGHT,
          'apply',
          '--template',
          join(folder, 'template.yaml'),
          '--devices',
          join(folder, 'devices.csv'),
          '--user',
          USER,
          '--concurrency',
          String(DEVICES),
          '--yes',
          '--json',
          ...data,
        ],
      };
    },
  };
}

const OURS = fieldwright('fieldwright apply', false);
const CURL: Tool = {
  name: `xargs -P ${DEVICES} curl`,
  needs: 'curl',
  prepare({ folder, devices }) {
    const files = devices.map(({ url }, index) => {
      const transfer = (more: string): string =>
        `url = "${url}${PATH}"\nuser = "${USER}:${PASSWORD}"\ndigest\nfail\nsilent\nshow-error\noutput = "/dev/null"\n${more}`;
      const file = join(folder, `${index}.curl`);
      writeFileSync(
        file,
        [
          transfer(''),
          transfer(''),
          transfer(`header = "content-type: application/xml"\nupload-file = "${join(folder, 'body.xml')}"\n`),
          transfer(''),
        ].join('next\n'),
        { mode: 0o600 },
      );
      return file;
    });
    return {
      command: 'xargs',
      args: ['-P', String(DEVICES), '-n', '1', 'curl', '-K'],
      input: files.join('\n'),
    };
  },
};

const TOOLS: readonly Tool[] = [
  OURS,
  fieldwright('the same, making its data folder', true),
  CURL,
  {
    name: `ansible uri, ${DEVICES} forks`,
    needs: 'ansible-playbook',
    prepare({ folder, devices }) {
      writeFileSync(
        join(folder, 'hosts.ini'),
        devices
          .map(({ url }, index) => `device${index} target=${url}${PATH} body=${join(folder, 'body.xml')}`)
          .join('\n'),
      );
      writeFileSync(join(folder, 'play.yaml'), PLAYBOOK);
      return {
        command: 'ansible-playbook',
        args: ['-f', String(DEVICES), '-i', join(folder, 'hosts.ini'), join(folder, 'play.yaml')],
      };
    },
  },
];

/** Milliseconds that one tool took on a fresh site; throws where a device was not changed. */
async function timed(tool: Tool): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  try {
    return await withSite(
      { devices: DEVICES, kinds: ['thermal'], seed: 7, user: USER, password: PASSWORD },
      async (devices) => {
        const before = read(devices[0]);
        writeFileSync(
          join(folder, 'body.xml'),
          before.replace(/<distance>\d+<\/distance>/, '<distance>4</distance>'),
        );
        const { command, args, input } = tool.prepare({ folder, devices });
        const started = performance.now();
        await finished(tool.name, command, args, input, folder);
        const ms = performance.now() - started;
        const missed = devices.filter((device) => !read(device).includes('<distance>4</distance>'));
        if (missed.length > 0)
          throw new Error(`${tool.name} left ${missed.length} of ${DEVICES} devices as they were.`);
        return ms;
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the output of a short command. @throws if it fails */
function printed(command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Reads the current document of a device. */
function read(device: BenchDevice | undefined): string {
  return printed(
    'curl',
    ['-sSf', '--digest', '-K', '-', `${device?.url ?? ''}${PATH}`],
    `user = "${USER}:${PASSWORD}"`,
  );
}

async function finished(
  name: string,
  command: string,
  args: readonly string[],
  input: string | undefined,
  folder: string,
): Promise<void> {
  const env = {
    ...process.env,
    FIELDWRIGHT_USER: USER,
    FIELDWRIGHT_PASSWORD: PASSWORD,
    ANSIBLE_LOCAL_TEMP: join(folder, 'ansible'),
    ANSIBLE_REMOTE_TEMP: join(folder, 'ansible'),
  };
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(0, 4000);
    });
  child.stdin.end(input ?? '');
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${said}`);
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Compares whole runs of the tools; names those that are not on the machine. */
export async function otherToolsReport(): Promise<string> {
  if (!isThere('curl')) return 'Beside other tools: skipped, curl is not installed.\n';
  const present = TOOLS.filter(({ needs }) => isThere(needs));
  const rows = present.map((tool) => ({ tool, times: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { tool, times } of round % 2 === 0 ? rows : rows.toReversed()) times.push(await timed(tool));
    say(
      `Round ${round + 1} of ${ROUNDS}: ${rows.map(({ tool, times }) => `${tool.name} ${times.at(-1)?.toFixed(0)} ms`).join(', ')}`,
    );
  }
  const timesOf = (wanted: Tool): readonly number[] => rows.find(({ tool }) => tool === wanted)?.times ?? [];
  const besideIt = (times: readonly number[]): number => median(ratios(timesOf(OURS), times));
  const ratio = besideIt(timesOf(CURL));
  return [
    `The same change to ${DEVICES} virtual devices, whole processes, median of ${ROUNDS} runs; ${howItRuns()}`,
    '',
    ...formatTable(
      rows,
      {
        TOOL: ({ tool }) => tool.name,
        'TIME ms': { value: ({ times }) => median(times).toFixed(0), align: 'right' },
        'FIELDWRIGHT / IT': { value: ({ times }) => besideIt(times).toFixed(2), align: 'right' },
      },
      { paint: plainPaint },
    ),
    '',
    `Beside ${CURL.name}: ${ratio.toFixed(2)} (${goal(ratio <= 1, 'no slower')})`,
    ...TOOLS.filter((tool) => !present.includes(tool)).map(
      ({ name, needs }) => `Not compared: ${name} (${needs} is not installed).`,
    ),
    '',
  ].join('\n');
}
