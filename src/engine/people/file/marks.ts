/**
 * Numbers as other programs write them. Spreadsheets and management software put marks around a number so that it stays
 * text (`'00000114`, a tab, `="00000114"`), and turn it into another number where they do not (`1.14E+02`, `114.0`).
 */
import { createDetail, type Detail } from '#shared/details.ts';
import { readJsonOrNothing, RECORD_BOUNDS } from '#shared/read-json.ts';
import { LONGEST_MARKED, removeMarks } from '#shared/text/cell-marks.ts';

/** A number without marks; `marked` is true if any were taken off. */
export type ReadNumber =
  { readonly value: string; readonly marked: boolean } | { readonly complaint: Detail };

/**
 * `1.14E+02`, `1,14e2`, `1E5`, `1.14D+02`, `1.14 x 10^2`. Without a sign, a larger exponent is no number of a spreadsheet
 * (`12E4567`), and a `D` is a letter.
 */
const EXPONENT =
  /^[+\-−]?(?:\d+(?:[.,٫]\d*)?|[.,٫]\d+)\s*(?:(?:e|[x×*·⋅]\s*10\s*\^?)\s*\d{1,3}|(?:[ed]|[x×*·⋅]\s*10\s*\^?)\s*[+\-−]\s*\d+)$/iu;
const DECIMAL = /^[+\-−]?\d*[.,٫]\d+$|^[+\-−]?\d+[.,٫]$/u;
/** `401.0`: decimals that only a spreadsheet adds. */
const NO_FRACTION = /^\d+[.,٫]0+$/u;
/** `1,234,567`, `1\u202f234`: digits in groups of thousands. An ordinary space may be part of a number. */
const GROUPED = /^[+\-−]?\d{1,3}(?:(?:[.,'’٬]\d{3}){2,}|(?:[\u00a0\u2009\u202f٬]\d{3})+)(?:[.,٫]\d+)?$/u;
const NOT_FINITE = /^[+\-−]?(?:nan|inf(?:inity)?|∞|null|nil|undefined|none|n\/a)$/iu;
/** An empty cell of a pivot table, and the result of a comparison. */
const NO_NUMBER = /^(?:\((?:blank|leer|空白)\)|true|false|wahr|falsch)$/iu;
/** Nothing, a dash, a question mark: nothing that names a person. */
const NO_LETTER = /^[^\p{L}\p{N}]*$/u;
/** Digits with a sign, in full: a difference, or a telephone number. */
const SIGNED = /^[+\-−–]\s*\d+$/u;
/** `#N/A`, `#REF!`, `#BEZUG!`, `#DIV/0!`, `#####`; other programs write `Err:502`. */
const SHEET_ERROR = /^#(?:\D*|\D+\/0!?)$|^\p{L}{2,10}\s*[:：]\s*5\d\d$/u;

/** Returns the text of a cell of numbers, dates or words without marks, with full-width signs as plain ones. */
export function cleanCell(text: string): string {
  return removeMarks(text.length > LONGEST_MARKED ? text : plainDigits(text));
}

/**
 * Reads a line of JSON; a member that `isNumber` names and that is a number of no plain digits (`114.0`, `1e5`) comes as
 * the text that stands there. Returns undefined if the text is no JSON.
 */
export function parseLine(text: string, isNumber: (name: string) => boolean): unknown {
  if (!/\d[.eE]/.test(text)) return readJsonOrNothing(text);
  return readJsonOrNothing(text, RECORD_BOUNDS, {
    revive: (name, value, { source = '' } = {}) =>
      typeof value === 'number' && isNumber(name) && !/^-?\d+$/.test(source) ? source : value,
  });
}

/**
 * Returns the number of a person without the marks that other programs add, with digits and letters of full width as
 * plain ones; or why no person has such a number. Takes what a table, a line of JSON or an argument holds.
 */
export function readPersonNumber(given: unknown): ReadNumber {
  if (typeof given === 'number') {
    if (Number.isSafeInteger(given) && given >= 0) return { value: String(given), marked: false };
    const signed = Number.isSafeInteger(given) ? complaintOf(String(given)) : undefined;
    return { complaint: signed ?? createDetail('people-number-inexact', { text: String(given) }) };
  }
  if (typeof given !== 'string') return { complaint: createDetail('people-number-text') };
  const value = cleanCell(given);
  const complaint = complaintOf(value);
  return complaint === undefined ? { value, marked: value !== given } : { complaint };
}

/**
 * Returns the text of a cell that holds digits, such as a PIN, a door or a room, without marks; other text stays as it
 * stands. Complains like `readPersonNumber` about a number that a spreadsheet has changed.
 */
export function readDigits(given: string): ReadNumber {
  const value = cleanCell(given);
  if (!/^[\d\s,;、，；/-]+$/.test(value)) {
    const isChanged = [EXPONENT, NO_FRACTION, SHEET_ERROR].some((pattern) => pattern.test(value));
    const complaint = isChanged ? complaintOf(value) : undefined;
    return complaint === undefined ? { value: given, marked: false } : { complaint };
  }
  return { value, marked: value !== given };
}

/** Says how many numbers were read without their marks, with the first of them. */
export function describeRemovedMarks(count: number, from: string, to: string): Detail {
  return createDetail('people-marks-off', { count, from, to });
}

function complaintOf(text: string): Detail | undefined {
  // Superscript exponents count as plain digits.
  if (EXPONENT.test(text.normalize('NFKC'))) return createDetail('people-number-shortened', { text });
  if (DECIMAL.test(text) || GROUPED.test(text)) return createDetail('people-number-decimal', { text });
  if (SIGNED.test(text)) return createDetail('people-number-signed', { text });
  if ([SHEET_ERROR, NOT_FINITE, NO_NUMBER].some((pattern) => pattern.test(text)))
    return createDetail('people-number-error', { text });
  // A formula that was not calculated, or several lines or cells in one.
  if (text.startsWith('=') || /\p{Cc}/u.test(text)) return createDetail('people-number-formula', { text });
  if (NO_LETTER.test(text)) return createDetail('people-number-none', { text });
  return undefined;
}

/** Full-width signs, and the digits of other scripts, as plain ones. */
function plainDigits(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll(/\p{Nd}/gu, digitOf);
}

/** Digits of a script follow each other from 0 to 9. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x80) return sign;
  let digit = 0;
  while (digit < 49 && /\p{Nd}/u.test(String.fromCodePoint(code - digit - 1))) digit += 1;
  return String(digit % 10);
}
