import type { ApplyOptions } from '#shared/model.ts';

type WaveOptions = Pick<ApplyOptions, 'canary' | 'wave'>;

/** Sizes of the groups in which devices have their turn: the trial first, then the waves. */
export function computeWaveSizes(devices: number, { canary = 0, wave = 0 }: WaveOptions): readonly number[] {
  const first = Math.min(canary, devices);
  const rest = devices - first;
  const size = wave > 0 ? wave : Math.max(rest, 1);
  const sizes = first > 0 ? [first] : [];
  for (let left = rest; left > 0; left -= size) sizes.push(Math.min(size, left));
  return sizes;
}

/** Number of devices from which a trial on one of them is proposed. */
const MANY = 5;

/** Returns the size of the trial that is proposed; 0: none. */
export function proposeTrial(devices: number): number {
  return devices >= MANY ? 1 : 0;
}

interface CurrentWave {
  readonly isTrial: boolean;
  /** Number of the wave, from 1; the trial does not count. */
  readonly number: number;
  readonly of: number;
  readonly devices: number;
}

/**
 * Returns the current wave of a job, by the first device in its order that is not finished. Undefined if all
 * go together or all are finished.
 */
export function findCurrentWave(
  options: WaveOptions,
  states: Iterable<'pending' | 'running' | 'done' | 'failed'>,
  devices: number,
): CurrentWave | undefined {
  const sizes = computeWaveSizes(devices, options);
  if (sizes.length < 2) return undefined;
  let through = 0;
  for (const state of states) {
    if (state === 'pending' || state === 'running') break;
    through += 1;
  }
  if (through >= devices) return undefined;
  const hasTrial = (options.canary ?? 0) > 0;
  let end = 0;
  const at = sizes.findIndex((size) => {
    end += size;
    return through < end;
  });
  return {
    isTrial: hasTrial && at === 0,
    number: hasTrial ? at : at + 1,
    of: sizes.length - (hasTrial ? 1 : 0),
    devices: sizes[at] ?? 0,
  };
}
