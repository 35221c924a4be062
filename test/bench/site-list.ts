/**
 * 5,000 devices in the list: how long selecting all and searching take; then 1,000 sightings a second for 10 s, half of them of devices in the
 * list, while a person scrolls and types: real announcements by multicast on cables between network
 * namespaces, the real engine and server, the built page in a real browser. Beside it the same page,
 * used in the same way, without announcements. Needs root and iproute2.
 * Alone: `node test/bench/site-list.ts`.
 */
import { formatTable } from '#cli/output/table.ts';
import { buildRenderer } from '../e2e/build-renderer.ts';
import { openNetwork, type CableNetwork, type Child } from '../engine/discovery/namespace/network.ts';
import { median, plainPaint } from './shared.ts';
import { DEVICES, NETWORKS, PER_SECOND, SECONDS } from './site-list/plan.ts';
import type { Acts, Measured, RunResult } from './site-list/run.ts';

const GOAL_MS = 50;
const CHOOSE_ALL_GOAL_MS = 30;
const SEARCH_GOAL_MS = 50;

/** The helper's one cable has the first network; the others get cables of their own. */
function addCables({ site, laptop }: CableNetwork): void {
  for (const [index, network] of NETWORKS.entries()) {
    if (index === 0) continue;
    site.ip(
      'link',
      'add',
      `site${index}`,
      'type',
      'veth',
      'peer',
      'name',
      `lap${index}`,
      'netns',
      laptop.name,
    );
    for (const [host, device, address] of [
      [site, `site${index}`, `${network}.2/24`],
      [laptop, `lap${index}`, `${network}.1/24`],
    ] as const) {
      host.ip('addr', 'add', address, 'dev', device);
      host.ip('link', 'set', device, 'up');
    }
  }
}

async function line(child: Child): Promise<string> {
  const next = await child.lines.next();
  if (next.done === true) throw new Error(`A process of the bench ended early: ${child.errors()}`);
  return next.value;
}

async function run(network: CableNetwork, rendererDir: string): Promise<RunResult> {
  addCables(network);
  const children: Child[] = [];
  const start = (host: CableNetwork['site'], file: string, args: readonly string[]): Child => {
    const child = host.start(new URL(file, import.meta.url).href, args);
    children.push(child);
    return child;
  };
  try {
    const devices = start(network.site, './site-list/announce.ts', []);
    const laptop = start(network.laptop, './site-list/run.ts', [rendererDir]);
    await Promise.all([line(devices), line(laptop)]);
    laptop.say('go');
    devices.say('go');
    return JSON.parse(await line(laptop)) as RunResult;
  } finally {
    for (const { process: child } of children) child.kill('SIGTERM');
    await Promise.all(children.map(({ ended }) => ended));
  }
}

/** Figures of the page as a table for people. */
export async function siteListReport(): Promise<string> {
  const title = `Site list: ${DEVICES} devices, ${PER_SECOND} sightings a second for ${SECONDS} s by multicast, scrolling and typing meanwhile`;
  const network = openNetwork();
  if (network === undefined)
    return `${title}\n\nNot measured: network namespaces are not permitted here (needs root and iproute2).\n`;
  const renderer = await buildRenderer();
  try {
    const { acts, idle, flooded } = await run(network, renderer.dir);
    return `${reportActs(acts)}\n${report(title, idle, flooded)}`;
  } finally {
    network.remove();
    await renderer.remove();
  }
}

function reportActs({ chooseAll, search, bare }: Acts): string {
  const rows: readonly {
    readonly name: string;
    readonly times: readonly number[];
    readonly goal?: number;
  }[] = [
    { name: 'select all', times: chooseAll, goal: CHOOSE_ALL_GOAL_MS },
    { name: 'search for a digit', times: search, goal: SEARCH_GOAL_MS },
    { name: 'a press that changes nothing', times: bare },
  ];
  return [
    `Site list: ${DEVICES} devices, from the press until its result is painted`,
    '',
    ...formatTable(
      rows,
      {
        ACT: ({ name }) => name,
        'MEDIAN ms': { value: ({ times }) => median(times).toFixed(1), align: 'right' },
        'SLOWEST ms': { value: ({ times }) => Math.max(...times).toFixed(1), align: 'right' },
        'FASTEST ms': { value: ({ times }) => Math.min(...times).toFixed(1), align: 'right' },
        GOAL: ({ times, goal }) =>
          goal === undefined ? '' : `${goal} ms, ${median(times) <= goal ? 'met' : 'MISSED'}`,
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

function report(title: string, idle: Measured, flooded: Measured): string {
  interface Row {
    readonly name: string;
    readonly of: (figures: Measured) => number;
    readonly goal?: number;
  }
  const rows: readonly Row[] = [
    { name: 'longest task of the page, ms', of: ({ longest }) => longest, goal: GOAL_MS },
    { name: 'the same, of the processor, ms', of: ({ longestBusy }) => longestBusy, goal: GOAL_MS },
    {
      name: `tasks over ${GOAL_MS} ms (PerformanceObserver)`,
      of: ({ longTasks }) => longTasks.length,
      goal: 1,
    },
    { name: 'longest pause between redraws, ms', of: ({ longestFrame }) => longestFrame },
    { name: '99 % of the redraws within, ms', of: ({ frame99 }) => frame99 },
    { name: 'main thread at work, %', of: ({ busy }) => busy * 100 },
  ];
  const ratio = (row: Row): string => (row.of(idle) === 0 ? '' : (row.of(flooded) / row.of(idle)).toFixed(2));
  return [
    title,
    `${flooded.events} events reached the page (${(flooded.events / SECONDS).toFixed(0)} a second); rows at the end: ${flooded.rows}`,
    '',
    ...formatTable(
      rows,
      {
        MEASURE: ({ name }) => name,
        FLOODED: { value: (row) => row.of(flooded).toFixed(1), align: 'right' },
        'WITHOUT EVENTS': { value: (row) => row.of(idle).toFixed(1), align: 'right' },
        RATIO: { value: ratio, align: 'right' },
        GOAL: (row) => (row.goal === undefined ? '' : row.of(flooded) < row.goal ? 'met' : 'MISSED'),
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await siteListReport());
