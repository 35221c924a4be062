/**
 * Measures the cost of one device among many: added, given a sign-in, signed in to, imported; and of applying
 * to the largest site at once. Alone: `npm run bench -- scale`.
 */
import { formatTable } from '#cli/output/table.ts';
import { runMeasured, withSite } from './processes.ts';
import type { ScaleResult } from './scale-run.ts';
import { goal, plainPaint, say, type BenchDevice, type BenchResult } from './shared.ts';

/** The first is the reference of the others. */
const SIZES = [50, 500, 5_000] as const;
const MOST = 5_000;
const GOALS = { ratio: 1.5, seconds: 20, memoryMb: 450 };
const STEPS: readonly { readonly name: string; readonly of: keyof ScaleResult }[] = [
  { name: 'add it', of: 'add' },
  { name: 'save its sign-in', of: 'save' },
  { name: 'sign in to it', of: 'signIn' },
  { name: 'import it', of: 'import' },
];
const ONE_SECTION = `fieldwright: template/1
name: One setting
sections:
  - set: thermal.thermometryBasic
    params: { channelID: 1 }
    value: { distance: 4 }
`;

/** One virtual site holds only so many. */
function withDevices<T>(count: number, work: (all: readonly BenchDevice[]) => Promise<T>): Promise<T> {
  const devices = Math.min(count, 2_000);
  return withSite({ devices, kinds: ['thermal'], seed: count }, (first) =>
    devices === count ? work(first) : withDevices(count - devices, (rest) => work([...first, ...rest])),
  );
}

export async function scaleReport(): Promise<string> {
  const costs = new Map<number, ScaleResult>();
  for (const devices of SIZES) {
    say(`${devices} devices …`);
    costs.set(devices, await withDevices(devices, (all) => runMeasured<ScaleResult>('scale-run.ts', all)));
  }
  say(`One section on ${MOST} devices …`);
  const applied = await withDevices(MOST, (devices) =>
    runMeasured<BenchResult>('engine-run.ts', { devices, templateText: ONE_SECTION }),
  );
  const each = (devices: number, of: keyof ScaleResult): number =>
    (costs.get(devices)?.[of] ?? NaN) / devices;
  const seconds = applied.ms / 1000;
  const memoryMb = applied.peakRssMb;
  return [
    'What one device costs among many, ms of the main thread',
    '',
    ...formatTable(
      STEPS,
      {
        STEP: ({ name }) => name,
        ...Object.fromEntries(
          SIZES.map((devices) => [
            `OF ${devices}`,
            {
              value: ({ of }: (typeof STEPS)[number]) => each(devices, of).toFixed(2),
              align: 'right' as const,
            },
          ]),
        ),
        [`RATIO OF THE LAST, AT MOST ${GOALS.ratio}`]: ({ of }) => {
          const ratio = each(MOST, of) / each(SIZES[0], of);
          return `${ratio.toFixed(2)} ${ratio <= GOALS.ratio ? 'met' : 'MISSED'}`;
        },
      },
      { paint: plainPaint },
    ),
    '',
    `One section on ${MOST} devices, planned, written and read back: ${seconds.toFixed(1)} s, of them ${(applied.cpuMs / 1000).toFixed(1)} s at work (${goal(seconds < GOALS.seconds, `under ${GOALS.seconds} s`)}), ${memoryMb.toFixed(0)} MB (${goal(memoryMb < GOALS.memoryMb, `under ${GOALS.memoryMb} MB`)}); ${applied.outcome}`,
    '',
  ].join('\n');
}
