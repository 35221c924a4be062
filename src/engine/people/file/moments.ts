/** Times as people and spreadsheets write them, in the form of the interface (part 2, 2.6). */
import { createDetail, type Detail } from '#shared/details.ts';

/** How a file orders days and months in `03/04/2030`. */
export type DayOrder = 'dmy' | 'mdy';

const TIME = String.raw`(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp][Mm])?)?`;
const ZONE = String.raw`\s*(Z|[+-]\d{2}:?\d{2})?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?${TIME}${ZONE}$`);
const DOTS = new RegExp(String.raw`^(\d{1,2})\.(\d{1,2})\.(\d{4})${TIME}$`);
const SLASHES = new RegExp(String.raw`^(\d{1,2})[/-](\d{1,2})[/-](\d{4})${TIME}$`);
/** Days since 1899-12-30, as spreadsheets count: 1970 to 2037. */
const SERIAL = /^\d{5}(?:[.,]\d+)?$/;
const [FIRST_SERIAL, LAST_SERIAL] = [25_569, 50_406];
const DAY_S = 86_400;

type Moment = { readonly value: string } | { readonly complaint: Detail };

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly time: readonly (string | undefined)[];
  readonly zone?: string | undefined;
}

/** A day alone begins at its first second, and ends (`isEnd`) with its last. */
export function readMoment(text: string, isEnd: boolean, order: DayOrder | undefined): Moment {
  if (SERIAL.test(text)) {
    const serial = Number(text.replace(',', '.'));
    if (serial >= FIRST_SERIAL && serial < LAST_SERIAL) return ofSerial(serial, isEnd);
  }
  const first = YEAR_FIRST.exec(text);
  if (first !== null)
    return written(
      {
        year: Number(first[1]),
        month: Number(first[2]),
        day: Number(first[3]),
        time: first.slice(4, 8),
        zone: first[8],
      },
      isEnd,
      text,
    );
  const dots = DOTS.exec(text);
  if (dots !== null)
    return written(
      { year: Number(dots[3]), month: Number(dots[2]), day: Number(dots[1]), time: dots.slice(4, 8) },
      isEnd,
      text,
    );
  const slashes = SLASHES.exec(text);
  if (slashes === null) return { complaint: createDetail('people-no-moment', { text }) };
  const [one, two] = [Number(slashes[1]), Number(slashes[2])];
  const known = order ?? (one > 12 ? 'dmy' : two > 12 ? 'mdy' : one === two ? 'dmy' : undefined);
  if (known === undefined) return { complaint: createDetail('people-two-moments', { text }) };
  const [day, month] = known === 'dmy' ? [one, two] : [two, one];
  return written({ year: Number(slashes[3]), month, day, time: slashes.slice(4, 8) }, isEnd, text);
}

function ofSerial(serial: number, isEnd: boolean): Moment {
  const seconds = Math.round(serial * DAY_S) - FIRST_SERIAL * DAY_S;
  const value = new Date(seconds * 1000).toISOString().slice(0, 19);
  return { value: isEnd && Number.isInteger(serial) ? `${value.slice(0, 10)}T23:59:59` : value };
}

function written({ year, month, day, time, zone }: Parts, isEnd: boolean, text: string): Moment {
  const wrong = { complaint: createDetail('people-no-moment', { text }) };
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return wrong;
  const [hour, minute, second = '00', half] = time;
  if (hour === undefined || minute === undefined)
    return { value: `${date.toISOString().slice(0, 10)}T${isEnd ? '23:59:59' : '00:00:00'}` };
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && Number(hour) > 12))
    return wrong;
  const offset =
    zone === undefined || zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return {
    value: `${date.toISOString().slice(0, 10)}T${String(hours).padStart(2, '0')}:${minute}:${second}${offset ?? ''}`,
  };
}
