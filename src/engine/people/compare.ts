/** Computes what would change on a device to make a person as wanted, as a device sees it (part 2, 2.6). */
import { isFulfilled, isPlain, type Field } from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { MASK } from '#shared/exchange.ts';
import type { PersonChange } from '#shared/people/people.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { hashSha256 } from '../text/sha256.ts';
import type { Wanted } from './file/read-rows.ts';
import { COUNTS, INSTRUCTIONS, PERSON, USED, type Person } from './person.ts';
import { readOwnJson } from '#shared/read-json.ts';
import { completeValidity, isOpenShown, SPECIFIED_SPAN, normaliseOpenEnds, type Span } from './validity.ts';

const NO_PROPERTY: ReadonlySet<string> = new Set<string>([...INSTRUCTIONS, ...COUNTS, USED, 'employeeNo']);

/** Fields that differ; a secret that the device does not show may differ and counts as `unseen`. */
export function comparePersonFields({ value, other = {} }: Wanted, shown: Person): readonly PersonChange[] {
  return [
    ...PERSON.fields.flatMap((field): readonly PersonChange[] => {
      const asked = value[field.name];
      if (asked === undefined || NO_PROPERTY.has(field.name)) return [];
      const held = shown.value[field.name];
      if (field.sensitive === true) {
        if (held === asked) return [];
        return [
          {
            field: field.name,
            secret: true,
            to: MASK,
            ...(held === undefined ? { unseen: true } : { from: MASK }),
          },
        ];
      }
      const to = field.name === 'Valid' ? resolveValidity(asked, shown) : asked;
      if (same(field, to, held, shown.span)) return [];
      return [{ field: field.name, to, ...removeUndefined({ from: held }) }];
    }),
    ...Object.entries(other).flatMap(([name, text]): readonly PersonChange[] => {
      const held = shown.other[name];
      const to = plainOf(text);
      if (held === undefined) return [{ field: name, to }];
      const from = plainOf(held);
      return encodeCanonicalJson(from) === encodeCanonicalJson(to) ? [] : [{ field: name, to, from }];
    }),
  ];
}

/** Differences that the device would have shown. */
export function filterVisiblePersonChanges(changes: readonly PersonChange[]): readonly PersonChange[] {
  return changes.filter(({ unseen }) => unseen !== true);
}

/** Returns what a person on a device is to have as validity. */
export function resolveValidity(
  asked: unknown,
  { value, span = SPECIFIED_SPAN }: Pick<Person, 'value' | 'span'>,
): unknown {
  return isPlain(asked) ? completeValidity(asked, value['Valid'], span) : asked;
}

function same(field: Field, asked: unknown, held: unknown, span?: Span): boolean {
  if (field.name === 'Valid') return sameValidity(asked, held, span);
  if (field.name === 'userVerifyMode' && asked === '') return held === undefined || held === '';
  if (field.kind === 'string' && field.csv !== undefined) return sameNumbers(asked, held);
  if (field.name === 'RightPlan') return samePlans(asked, held);
  if (Array.isArray(asked) && asked.length === 0)
    return held === undefined || (Array.isArray(held) && held.length === 0);
  return isFulfilled(field, asked, held);
}

/** Compares the validity of a person; while it is not limited, the times say nothing. */
function sameValidity(asked: unknown, held: unknown, span: Span = SPECIFIED_SPAN): boolean {
  if (!isPlain(asked)) return false;
  const shown = isPlain(held) ? held : {};
  const limited = asked['enable'] === true;
  if ((shown['enable'] === true) !== limited) return false;
  const isSame = (end: 'beginTime' | 'endTime'): boolean =>
    sameMoment(asked[end], shown[end]) ||
    (isOpenShown(end, asked[end], span) && isOpenShown(end, shown[end], span));
  return !limited || (isSame('beginTime') && isSame('endTime'));
}

/** Compares times with offsets as moments, and times without as written. */
function sameMoment(asked: unknown, held: unknown): boolean {
  if (asked === undefined || asked === held) return true;
  if (typeof asked !== 'string' || typeof held !== 'string') return false;
  const zoned = [asked, held].filter((time) => /(?:Z|[+-]\d{2}:\d{2})$/.test(time)).length;
  return zoned === 2 && Date.parse(asked) === Date.parse(held);
}

/** Lists of numbers in one text: neither order nor spaces count. */
function sameNumbers(asked: unknown, held: unknown): boolean {
  return numbersOf(asked) === numbersOf(held);
}

function numbersOf(text: unknown): string {
  return [
    ...new Set(
      String(text ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ]
    .sort()
    .join(',');
}

function samePlans(asked: unknown, held: unknown): boolean {
  const plans = (list: unknown): string =>
    (Array.isArray(list) ? list : [])
      .filter(isPlain)
      .map((plan) => `${String(plan['doorNo'])}=${numbersOf(plan['planTemplateNo'])}`)
      .sort()
      .join(';');
  return plans(asked) === plans(held);
}

function plainOf(text: string | undefined): unknown {
  return text === undefined ? undefined : readOwnJson(text);
}

/** Tells whether a device shows the same of a person as it did: without what moves by itself. */
export function stateOf({ value, other }: Person): string {
  const kept = Object.entries(value).filter(([name]) => name === 'employeeNo' || !NO_PROPERTY.has(name));
  return hashSha256(encodeCanonicalJson({ value: Object.fromEntries(kept), other })).slice(0, 32);
}

/** Splits a copied person into what can be written elsewhere, and what cannot. */
export function copyOf({ value, other, span = SPECIFIED_SPAN }: Pick<Person, 'value' | 'other' | 'span'>): {
  readonly wanted: Wanted;
  readonly left: readonly string[];
} {
  const left: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const field of PERSON.fields) {
    const held = value[field.name];
    if (held === undefined) continue;
    if ((COUNTS as readonly string[]).includes(field.name)) {
      if (typeof held === 'number' && held > 0) left.push(field.name);
    } else if (!isWritable(field, held)) left.push(field.name);
    else kept[field.name] = field.name === 'Valid' && isPlain(held) ? normaliseOpenEnds(held, span) : held;
  }
  return { wanted: { value: kept, ...(Object.keys(other).length === 0 ? {} : { other }) }, left };
}

/** Returns true if the value can be written: some verification modes can only be read. */
function isWritable(field: Field, held: unknown): boolean {
  if (field.kind !== 'choice' || held === '') return true;
  return field.options.some(({ value }) => value === held);
}
