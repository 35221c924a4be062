import { DEVICES_AT_ONCE } from '#shared/model.ts';
import { computeWaveSizes, proposeTrial } from '#renderer/common/jobs/run/waves.ts';
import type { InputAt } from '#shared/contract.ts';
import type { Complaint } from './template/variables.ts';

export type StartOptions = NonNullable<InputAt<'jobs.start'>['options']>;

export const OPTION_NAMES = ['canary', 'wave', 'concurrency', 'stopAfter'] as const;
type OptionName = (typeof OPTION_NAMES)[number];
type RawOptions = Readonly<Record<OptionName, string>>;
interface ReadOptions {
  readonly ok: boolean;
  readonly options: StartOptions;
  readonly complaints: Readonly<Partial<Record<OptionName, Complaint>>>;
}

export function proposeOptions(devices: number): RawOptions {
  return { canary: String(proposeTrial(devices)), wave: '0', concurrency: '', stopAfter: '' };
}

/** Reads the fields of the Apply step; an empty field omits its option. */
export function readOptions(raw: RawOptions, devices: number): ReadOptions {
  const options: Partial<Record<OptionName, number>> = {};
  const complaints: Partial<Record<OptionName, Complaint>> = {};
  const limits: Readonly<Record<OptionName, readonly [number, number]>> = {
    canary: [0, Math.min(devices, 1000)],
    wave: [0, 10_000],
    concurrency: [1, 256],
    stopAfter: [1, 10_000],
  };
  for (const name of OPTION_NAMES) {
    const text = raw[name].trim();
    const [min, max] = limits[name];
    if (text === '') continue;
    const number = Number(text);
    if (!/^\d+$/.test(text)) complaints[name] = { key: 'form.notInteger', named: {} };
    else if (number < min) complaints[name] = { key: 'form.tooSmall', named: { min } };
    else if (number > max) complaints[name] = { key: 'form.tooLarge', named: { max } };
    else options[name] = number;
  }
  return { ok: Object.keys(complaints).length === 0, options, complaints };
}

/** Step of the preview of a job. */
export type CourseStep =
  | { readonly kind: 'trial'; readonly devices: number }
  | { readonly kind: 'all'; readonly devices: number }
  | { readonly kind: 'waves'; readonly devices: number; readonly waves: number; readonly size: number }
  | { readonly kind: 'pace'; readonly atOnce: number }
  | { readonly kind: 'stop'; readonly failures: number }
  | { readonly kind: 'goOn' };

export function planApplySteps(options: StartOptions, devices: number): readonly CourseStep[] {
  const sizes = computeWaveSizes(devices, options);
  const trial = (options.canary ?? 0) > 0 ? (sizes[0] ?? 0) : 0;
  const rest = devices - trial;
  const waves = sizes.length - (trial > 0 ? 1 : 0);
  const course: CourseStep[] = trial > 0 ? [{ kind: 'trial', devices: trial }] : [];
  if (rest > 0)
    course.push(
      waves > 1
        ? { kind: 'waves', devices: rest, waves, size: options.wave ?? 0 }
        : { kind: 'all', devices: rest },
    );
  course.push({ kind: 'pace', atOnce: Math.min(options.concurrency ?? DEVICES_AT_ONCE.most, devices) });
  course.push(
    options.stopAfter === undefined ? { kind: 'goOn' } : { kind: 'stop', failures: options.stopAfter },
  );
  return course;
}
