/**
 * Rules between fields that several payloads share. A rule complains only about what is present: it
 * sees whole values as well as patches, and values whose fields may have any type.
 */
import type { Plain } from '../value.ts';
import { createDetail } from '#shared/details.ts';
import type { Rule } from '../definition.ts';

/** `value` as an object, or an empty one. */
export function toObject(value: unknown): Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};
}

/** The objects of the list `value`, or none. */
export function toItems(value: unknown): readonly Plain[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

/** A number as such, or undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** True for base64 as RFC 4648, 4 writes it, padded; true for an empty text. */
export function isBase64(text: string): boolean {
  return BASE64.test(text);
}

const DAY_TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Seconds since midnight and the zone as written, or undefined where it is no time of day. */
function dayTime(
  value: unknown,
): { readonly seconds: number; readonly zone: string | undefined } | undefined {
  const match = typeof value === 'string' ? DAY_TIME.exec(value) : null;
  if (match === null) return undefined;
  const [, hours, minutes, seconds = '0', zone] = match;
  return { seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds), zone };
}

/**
 * True where both are times of day of the same zone and the end does not lie after the begin.
 * `24:00` is a legal end; from 0:00 to 0:00 is how devices write an unused period; times of different
 * zones are not compared.
 */
export function endsTooEarly(begin: unknown, end: unknown): boolean {
  const from = dayTime(begin);
  const to = dayTime(end);
  if (from === undefined || to === undefined || from.zone !== to.zone) return false;
  return to.seconds < from.seconds || (to.seconds === from.seconds && from.seconds !== 0);
}

/** A warning where the temperature `low` lies above `high`; both are names inside the object that `at` picks. */
export function warnIfAbove(rule: {
  readonly path: string;
  readonly spec: string;
  readonly low: string;
  readonly high: string;
  readonly at?: (value: Plain) => Plain;
  /** A value that stands for "not used". */
  readonly unused?: number;
}): Rule {
  return {
    path: rule.path,
    spec: rule.spec,
    warns: true,
    check(value) {
      const bag = rule.at ? rule.at(value) : value;
      const low = numberOf(bag[rule.low]);
      const high = numberOf(bag[rule.high]);
      if (low === undefined || high === undefined || low === rule.unused || high === rule.unused)
        return undefined;
      return low > high ? createDetail('lowest-above-highest', { low, high }) : undefined;
    },
  };
}
