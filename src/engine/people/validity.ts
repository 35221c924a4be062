/**
 * Validity of people (part 2, 2.6). The specification lets it lie between 1970 and 2037; a terminal may tell a narrower span,
 * and takes nothing outside of it. A limit that is not set is open: then the terminal's own limit is written.
 */
import { isPlain, type Constraints, type Plain } from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

/** First and last moment that a terminal takes, in its local time. */
export interface Span {
  readonly beginTime: string;
  readonly endTime: string;
}
type End = keyof Span;

/** Span of the specification. Its two ends, wherever they are asked for, mean "open". */
export const SPECIFIED_SPAN: Span = { beginTime: '1970-01-01T00:00:00', endTime: '2037-12-31T23:59:59' };

const ENDS = ['beginTime', 'endTime'] as const;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}:\d{2})?/;
const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns the span that the capability of a terminal tells, within that of the specification. */
export function readSpan(constraints: Constraints | undefined): Span {
  const told = (name: string, rest: string): string | undefined => {
    const [time] = TIME.exec(constraints?.get(`Valid.${name}`)?.text ?? '') ?? [];
    return time?.length === 10 ? `${time}T${rest}` : time?.replace(' ', 'T');
  };
  const { beginTime, endTime } = SPECIFIED_SPAN;
  const first = told('timeRangeBegin', '00:00:00') ?? beginTime;
  const last = told('timeRangeEnd', '23:59:59') ?? endTime;
  const span = { beginTime: first > beginTime ? first : beginTime, endTime: last < endTime ? last : endTime };
  return span.beginTime < span.endTime ? span : SPECIFIED_SPAN;
}

/**
 * Returns a validity as it is sent to a terminal: open ends are the ends of its span; a limit that is not asked for stays
 * as the person has it there. Of a validity that is off the times say nothing, so that they always lie in the span.
 */
export function completeValidity(asked: Plain, shown: unknown, span: Span): Plain {
  const held = isPlain(shown) ? shown : {};
  const isLimited = asked['enable'] === true;
  const times = ENDS.map((end): unknown => {
    const given = asked[end];
    if (given !== undefined && !isOpenAsked(end, given) && (isLimited || isWithin(given, span))) return given;
    const stays = given === undefined && (!isLimited || held['enable'] === true);
    return stays && isWithin(held[end], span) ? held[end] : undefined;
  });
  const zones = [...ENDS.map((end) => asked[end]), ...times].map(zoneOf);
  const zone = zones.find((each) => each !== undefined) ?? '';
  const [beginTime, endTime] = ENDS.map((end, at) => {
    const time = times[at] ?? span[end];
    const isOurs = asked[end] === undefined || times[at] === undefined;
    return isOurs && typeof time === 'string' ? `${writtenPart(time)}${zone}` : time;
  });
  const form = held['timeType'] === undefined && zone === '' ? undefined : zone === '' ? 'local' : 'UTC';
  const timeType = asked['timeType'] ?? form;
  return { enable: asked['enable'], beginTime, endTime, ...removeUndefined({ timeType }) };
}

/** Returns the first limit that the terminal does not take, although the specification does. */
export function findUnsupportedEnd(valid: Plain, span: Span): End | undefined {
  return ENDS.find((end) => isWithin(valid[end], SPECIFIED_SPAN) && !isWithin(valid[end], span));
}

/** Returns a validity as shown, with open ends written as those of the specification, so that terminals can be compared. */
export function normaliseOpenEnds(valid: Plain, span: Span): Plain {
  return {
    ...valid,
    ...Object.fromEntries(
      ENDS.filter((end) => isOpenShown(end, valid[end], span)).map((end) => [end, openEnd(end, valid[end])]),
    ),
  };
}

/** Returns true if a terminal that shows this limit sets none. */
export function isOpenShown(end: End, time: unknown, span: Span): boolean {
  if (typeof time !== 'string') return false;
  const written = writtenPart(time);
  return end === 'beginTime' ? written <= span.beginTime : written >= span.endTime;
}

function isOpenAsked(end: End, time: unknown): boolean {
  return typeof time === 'string' && writtenPart(time) === SPECIFIED_SPAN[end];
}

function openEnd(end: End, shown: unknown): string {
  return `${SPECIFIED_SPAN[end]}${zoneOf(shown) ?? ''}`;
}

function isWithin(time: unknown, { beginTime, endTime }: Span): boolean {
  if (typeof time !== 'string') return false;
  const written = writtenPart(time);
  return written >= beginTime && written <= endTime;
}

function writtenPart(time: string): string {
  return time.slice(0, SPECIFIED_SPAN.beginTime.length);
}

/** Offset of a time; empty for a local one, undefined for what is no time. */
function zoneOf(time: unknown): string | undefined {
  return typeof time === 'string' ? (ZONE.exec(time)?.[0] ?? '') : undefined;
}
