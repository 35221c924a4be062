/**
 * How long until 50 devices that announce themselves are listed, beside a plain browser of the library, and
 * until those are marked that went without a word: over multicast, on a cable between two network namespaces.
 * Alone: `npm run bench -- discovery`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiscoveryEvent } from '#shared/discovery.ts';
import { openNetwork, SITE_ADDRESS, type Child, type Host } from '../engine/discovery/namespace/network.ts';
import { goal, median, ratios } from './shared.ts';

const DEVICES = 50;
const ROUNDS = 5;
const FOUND_MS = 3_000;
const GONE_MS = 60_000;

/** Returns the report as text. */
export async function discoveryReport(): Promise<string> {
  const title = `Find ${DEVICES} devices by multicast`;
  const network = openNetwork();
  if (network === undefined)
    return `${title}: left out, this computer or user cannot have network namespaces (Linux, root, iproute2).\n`;
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-bench-'));
  const children: Child[] = [];
  const start = (host: Host, file: string, ...args: readonly string[]): Child => {
    const child = host.start(file, args);
    children.push(child);
    return child;
  };
  try {
    const site = start(network.site, 'announcer.ts', SITE_ADDRESS, String(DEVICES), '20000');
    await next(site);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const search = searchOf(start(network.laptop, 'discoverer.ts', join(folder, String(round))));
      ours.push(await search.until('sighting'));
      await search.end();
      const bare = start(network.laptop, '../../../bench/browse-run.ts', String(DEVICES));
      theirs.push(Number(await next(bare)));
      await bare.ended;
    }
    const search = searchOf(start(network.laptop, 'discoverer.ts', join(folder, 'gone')));
    const foundAt = await search.until('sighting');
    site.process.kill('SIGKILL');
    search.hurry();
    const goneMs = (await search.until('vanished')) - foundAt;
    await search.end();
    return [
      title,
      '',
      `${median(ours).toFixed(0)} ms until all are listed (${goal(median(ours) < FOUND_MS, `under ${FOUND_MS / 1000} s`)}), ${median(ratios(ours, theirs)).toFixed(2)} times a plain browser of the library (${median(theirs).toFixed(0)} ms); ${ROUNDS} rounds`,
      `${(goneMs / 1000).toFixed(0)} s until all are marked that went without a word (${goal(goneMs < GONE_MS, `under ${GONE_MS / 1000} s`)})`,
      '',
    ].join('\n');
  } finally {
    for (const child of children) child.process.kill('SIGKILL');
    await Promise.all(children.map((child) => child.ended));
    network.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function searchOf(laptop: Child): {
  /** Milliseconds since it began until every device had such an event. */
  readonly until: (type: 'sighting' | 'vanished') => Promise<number>;
  /** Speeds up its time tenfold. */
  readonly hurry: () => void;
  readonly end: () => Promise<void>;
} {
  return {
    async until(type) {
      const identities = new Set<string>();
      for (;;) {
        const { at, event } = JSON.parse(await next(laptop)) as {
          readonly at: number;
          readonly event: DiscoveryEvent;
        };
        if ('sighting' in event && event.type === type) identities.add(event.sighting.identity);
        if (identities.size === DEVICES) return at;
      }
    },
    hurry: () => {
      laptop.say('speed 10');
    },
    async end() {
      laptop.say('end');
      await laptop.ended;
    },
  };
}

async function next(child: Child): Promise<string> {
  const line = await child.lines.next();
  if (line.done === true) throw new Error(`ended early: ${child.errors()}`);
  return line.value;
}

if (import.meta.main) process.stdout.write(await discoveryReport());
