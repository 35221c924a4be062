/** Parsers of the values of options and arguments. Each refuses a wrong value before anything is sent. */
import { say } from '#shared/details.ts';
import type { FieldwrightError } from '#shared/errors.ts';
import type { TimeWindow } from '#shared/model.ts';
import { createUsageError } from '../usage.ts';

type Reason = ReturnType<typeof say>;

/** A value that a parser refuses; the reason can name the option, which the parser does not know. */
export class RefusedValue extends Error {
  readonly #reason: (option: string) => Reason;

  constructor(reason: (option: string) => Reason) {
    super('refused value');
    this.#reason = reason;
  }

  /** Returns the error `usage` for the option or argument that the value was given for. */
  toUsageError(option: string): FieldwrightError {
    return createUsageError(this.#reason(option), option.startsWith('--') ? { path: option } : {});
  }
}

/** Parses a whole number within bounds, both included. */
export function integer(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new RefusedValue((option) => say('cli.whole-number', { option, min, max, text }));
  };
}

/** Parses seconds with up to three decimals, more than 0 and at most an hour. */
export function duration(text: string): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new RefusedValue(() => say('cli.seconds', { text }));
}

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Parses a span such as `90s`, `5m` or `1h`, at most a day; returns seconds. */
export function timeSpan(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS_OF[unit] ?? NaN);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new RefusedValue((option) => say('cli.time-span', { option, text }));
}

/** Parses one word of a list, as it is written there. */
export function oneOf<const Word extends string>(allowed: readonly Word[]) {
  return (text: string): Word => {
    const found = allowed.find((word) => word === text);
    if (found !== undefined) return found;
    throw new RefusedValue((option) => say('cli.one-of', { option, allowed: allowed.join(', '), text }));
  };
}

/** Parses values that are separated by commas. */
export function separated<Value>(parse: (text: string) => Value) {
  return (text: string): Value[] => text.split(',').map((part) => parse(part.trim()));
}

/** Parses values that are separated by commas; no text is an empty list. */
export function separatedOrNone<Value>(parse: (text: string) => Value) {
  const parseAll = separated(parse);
  return (text: string): Value[] => (text.trim() === '' ? [] : parseAll(text));
}

/** Collects the values of an option that may be repeated. */
export function repeated<Value = string>(parse: (text: string) => Value = (text) => text as Value) {
  return (text: string, before: readonly Value[] | undefined): readonly Value[] => [
    ...(before ?? []),
    parse(text),
  ];
}

/** Parses a day or a time of ISO 8601; a day alone is its first or its last millisecond, by this computer's clock. */
export function moment(ofDay: 'start' | 'end') {
  const time = ofDay === 'start' ? 'T00:00:00' : 'T23:59:59.999';
  return (text: string): string => {
    const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}${time}` : text);
    if (!Number.isNaN(date.getTime())) return date.toISOString();
    throw new RefusedValue((option) => say('cli.day-or-time', { option, text }));
  };
}

/** Parses a window of time by this computer's clock, as `22:00-05:00`; it may go over midnight. */
export function timeWindow(text: string): TimeWindow {
  const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  throw new RefusedValue((option) => say('cli.time-window', { option, text }));
}

/** Parses an address; a password in it would be seen by every process of the computer. */
export function address(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '')) return text;
  throw new RefusedValue(() => say('cli.address-with-user'));
}

/** Collects `name=value` pairs, each name once; the value may hold further `=`. */
export function parameters(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new RefusedValue((option) => say('cli.name-and-value', { option, text }));
  const name = text.slice(0, at);
  if (before !== undefined && Object.hasOwn(before, name))
    throw new RefusedValue(() => say('cli.parameter-twice', { name }));
  return { ...before, [name]: text.slice(at + 1) };
}

/** Collects `column=field` pairs; an empty field leaves the column out. */
export function columnMap(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const at = text.lastIndexOf('=');
  if (at <= 0) throw new RefusedValue(() => say('cli.map-form', { text }));
  return { ...before, [text.slice(0, at)]: text.slice(at + 1).trim() };
}
