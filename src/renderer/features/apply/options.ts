import type { StartOptions } from './apply.api.ts';
import type { Complaint } from './variables.ts';

type OptionName = 'canary' | 'wave' | 'stopAfter';
export type RawOptions = Readonly<Record<OptionName, string>>;
export interface ReadOptions {
  readonly ok: boolean;
  readonly options: StartOptions;
  readonly complaints: Readonly<Partial<Record<OptionName, Complaint>>>;
}

/** What the fields of the Apply step say; an empty field leaves its option out. */
export function readOptions(raw: RawOptions, devices: number): ReadOptions {
  const options: Partial<Record<OptionName, number>> = {};
  const complaints: Partial<Record<OptionName, Complaint>> = {};
  const limits: Readonly<Record<OptionName, readonly [number, number]>> = { canary: [0, Math.min(devices, 1000)], wave: [0, 10_000], stopAfter: [1, 10_000] };
  for (const name of Object.keys(limits) as OptionName[]) {
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
