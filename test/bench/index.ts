/**
 * `npm run bench`: every bench, or those named: `npm run bench -- ten-sections transfer`; `--list` lists
 * them. Each runs alone and compares with a reference of the same run.
 */
import { formatTable } from '#cli/output/table.ts';
import { mixedSiteReport, tenSectionsReport } from './apply.ts';
import { discoveryReport } from './discovery.ts';
import { firstLoadReport } from './first-load.ts';
import { hostileReport } from './hostile.ts';
import { workspaceReport } from './open-workspace.ts';
import { peopleTableReport } from './people-table.ts';
import { peopleReport } from './people.ts';
import { printsReport } from './prints.ts';
import { reachReport } from './reach.ts';
import { plainPaint } from './shared.ts';
import { startReport } from './start.ts';
import { scaleReport } from './scale.ts';
import { siteListReport } from './site-list.ts';
import { siteOverTimeReport } from './site-over-time.ts';
import { transferReport } from './transfer.ts';
import { windowReport } from './window-during-apply.ts';

interface Bench {
  /** Subject of the measurement, in one line. */
  readonly about: string;
  readonly report: () => Promise<string>;
}

const BENCHES: Readonly<Record<string, Bench>> = {
  start: { about: 'starting a command, beside Node alone', report: startReport },
  'first-load': {
    about: 'opening the window: size and time until its first screen',
    report: firstLoadReport,
  },
  discovery: {
    about: 'finding 50 devices that announce themselves, beside a plain browser of the library',
    report: discoveryReport,
  },
  'mixed-site': {
    about: 'a template on 200 devices of two kinds, beside a bare loop that sends the same requests',
    report: mixedSiteReport,
  },
  'ten-sections': {
    about: 'ten sections on 500 devices, beside the same loop, with the memory held',
    report: tenSectionsReport,
  },
  hostile: {
    about: 'the longest piece of computing and the most memory that any one answer of a device can cost',
    report: hostileReport,
  },
  workspace: { about: 'opening a device', report: workspaceReport },
  fingerprints: {
    about: 'enrolling fingerprints on four gates, beside the bound of their latency',
    report: printsReport,
  },
  people: {
    about: 'exporting and bringing people, beside the bound of the gates’ latency',
    report: peopleReport,
  },
  'people-table': {
    about: '100,000 people in the table of the screen while somebody scrolls and types',
    report: peopleTableReport,
  },
  reach: { about: 'looking whether 1,000 devices are still there', report: reachReport },
  'site-list': { about: '5,000 devices in the list with 1,000 sightings a second', report: siteListReport },
  scale: {
    about:
      'what one device of 50, 500 and 5,000 costs to add, import and sign in to; 5,000 devices applied to',
    report: scaleReport,
  },
  'site-over-time': {
    about: 'drift on 500 devices, the look in the background, the status of 5,000, the black box on disk',
    report: siteOverTimeReport,
  },
  transfer: {
    about: 'a package of 2 GiB to one and to ten devices, beside nginx and curl',
    report: transferReport,
  },
  window: { about: 'the window while a job runs', report: windowReport },
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => name !== '--list' && !Object.hasOwn(BENCHES, name));
if (named.includes('--list')) {
  const lines = formatTable(
    Object.entries(BENCHES),
    { BENCH: ([name]) => name, MEASURES: ([, { about }]) => about },
    { paint: plainPaint },
  );
  process.stdout.write(`${lines.join('\n')}\n`);
} else if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exitCode = 2;
} else {
  for (const [name, { report }] of Object.entries(BENCHES)) {
    if (named.length === 0 || named.includes(name)) process.stdout.write(`${await report()}\n`);
  }
}
