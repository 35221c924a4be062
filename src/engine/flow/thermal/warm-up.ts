/** How long a camera has been on: by the clock, so that it goes on while the computer sleeps or the app is closed. */
import { formatLocalTime } from '#engine/host/local-time.ts';
import type { DocumentText } from '#shared/report-document.ts';
import type { StepContext } from '../flow.ts';

interface Warm {
  readonly elapsedMs: number;
  /** The clock when it was looked at last, ms. */
  readonly lastMs: number;
  /** How far the clock was set back altogether, ms. */
  readonly backMs: number;
  /** Longest time without a check, in milliseconds. */
  readonly leapMs: number;
}

const EVERY_MS = 5000;
const MINUTE_MS = 60_000;
/** Longer than this between two looks, and the computer slept, the app was closed, or the clock was set. */
const LEAP_MS = 2 * MINUTE_MS;

/** Adds the time that passed since `warm`; a clock that was set back adds none, and the record says so. */
export function updateWarmUp(warm: Warm, nowMs: number): Warm {
  const passed = nowMs - warm.lastMs;
  return {
    elapsedMs: warm.elapsedMs + Math.max(0, passed),
    lastMs: nowMs,
    backMs: warm.backMs + Math.max(0, -passed),
    leapMs: passed > LEAP_MS ? Math.max(warm.leapMs, passed) : warm.leapMs,
  };
}

/**
 * Waits until the camera has been on for `needed` minutes, or until a person goes on sooner. `already`:
 * minutes before now.
 */
export async function warmUp(step: StepContext, already: number, needed: number): Promise<void> {
  const askedMs = await step.once('warm-asked', () => step.now().getTime());
  const begin: Warm = { elapsedMs: already * MINUTE_MS, lastMs: askedMs, backMs: 0, leapMs: 0 };
  const left = (warm: Warm): number => needed * MINUTE_MS - warm.elapsedMs;
  if (left(begin) > 0)
    await step.watch<Warm>('warm-up', {
      look: () => {
        const warm = updateWarmUp(step.saved<Warm>('warm') ?? begin, step.now().getTime());
        step.save('warm', warm);
        return Promise.resolve(warm);
      },
      until: (warm) => left(warm) <= 0,
      everyMs: EVERY_MS,
      seconds: left(begin) / 1000 + EVERY_MS / 1000,
      show: (warm = begin) => ({
        text: [{ id: 'flow-thermal-warming' }, ...notesOf(warm)],
        live: [
          {
            label: { id: 'flow-thermal-warm-left' },
            value: { number: Math.max(0, Math.ceil(left(warm) / MINUTE_MS)), unit: 'min' },
          },
        ],
      }),
    });
  const warm = step.saved<Warm>('warm') ?? begin;
  const minutes = Math.floor(warm.elapsedMs / MINUTE_MS);
  const isLong = left(warm) <= 0;
  step.record(
    {
      block: 'facts',
      facts: [
        {
          label: { id: 'flow-thermal-begun' },
          value: { time: formatLocalTime(new Date(askedMs - already * MINUTE_MS)) },
          proof: 'attested',
          source: step.user,
        },
        { label: { id: 'flow-thermal-warm-length' }, value: { number: minutes, unit: 'min' } },
      ],
    },
    {
      block: 'checklist',
      items: [
        {
          label: { id: 'flow-thermal-warm-enough', values: { minutes: needed } },
          result: isLong ? 'done' : 'failed',
        },
      ],
    },
    ...notesOf(warm).map((text) => ({ block: 'paragraph' as const, text, tone: 'notice' as const })),
  );
}

function notesOf({ backMs, leapMs }: Warm): readonly DocumentText[] {
  const minutes = (ms: number): number => Math.ceil(ms / MINUTE_MS);
  return [
    ...(backMs > 0 ? [{ id: 'flow-thermal-clock-back' as const, values: { minutes: minutes(backMs) } }] : []),
    ...(leapMs > 0 ? [{ id: 'flow-thermal-unwatched' as const, values: { minutes: minutes(leapMs) } }] : []),
  ];
}
