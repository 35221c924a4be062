/**
 * What is asked for and what the device shows may mean the same in another spelling: `0.95` and
 * `0.950000`, `08:00:00` and `08:00:00+08:00`, a list item to which the device added its own
 * defaults. Where it does, the device's spelling stands, so that planning again finds nothing to do.
 */
import type { Field, ListField, Payload } from '../../protocol/index.ts';
import { rootField, sameValue } from '../../protocol/index.ts';

type Bag = Readonly<Record<string, unknown>>;

const RELATIVE_TOLERANCE = 1e-6;
const ZONE = /(Z|[+-]\d{2}:\d{2})$/;
const ZERO_FRACTION = /\.0+(?=Z|[+-]|$)/;

/** The patch with everything that the device already shows in the device's own spelling. */
export function adopt(payload: Payload, patch: unknown, shown: unknown): unknown {
  return adoptField(rootField(payload), patch, shown);
}

function adoptField(field: Field, asked: unknown, shown: unknown): unknown {
  if (asked === undefined || asked === null) return shown === undefined ? undefined : asked;
  if (field.kind === 'object' && isBag(asked)) return adoptObject(field.fields, asked, isBag(shown) ? shown : {});
  if (field.kind === 'list' && Array.isArray(asked)) return adoptList(field, asked, Array.isArray(shown) ? shown : undefined);
  return shown !== undefined && covers(field, asked, shown) ? shown : asked;
}

function adoptObject(fields: readonly Field[], asked: Bag, shown: Bag): unknown {
  const adopted = Object.entries(asked).map(([name, value]) => {
    const field = fields.find((candidate) => candidate.name === name);
    return [name, field === undefined ? value : adoptField(field, value, Object.hasOwn(shown, name) ? shown[name] : undefined)] as const;
  });
  return Object.fromEntries(adopted.filter(([, value]) => value !== undefined));
}

/** Whole lists are replaced; items that are already there keep what the device added to them. */
function adoptList(field: ListField, asked: readonly unknown[], shown: readonly unknown[] | undefined): unknown {
  if (shown === undefined) return asked;
  if (listCovers(field, asked, shown)) return shown;
  return asked.map((item, index) => {
    const counterpart = counterpartOf(field, item, index, shown);
    return counterpart !== undefined && covers(field.item, item, counterpart) ? counterpart : item;
  });
}

function listCovers(field: ListField, asked: readonly unknown[], shown: readonly unknown[]): boolean {
  return asked.length === shown.length && asked.every((item, index) => {
    const counterpart = counterpartOf(field, item, index, shown);
    return counterpart !== undefined && covers(field.item, item, counterpart);
  });
}

/** The item that stands for the same thing: of the same key where items have one, else of the same place. */
function counterpartOf(field: ListField, item: unknown, index: number, shown: readonly unknown[]): unknown {
  const { key } = field;
  if (key === undefined || !isBag(item) || item[key] === undefined) return shown[index];
  const found = shown.filter((candidate) => isBag(candidate) && candidate[key] === item[key]);
  return found.length === 1 ? found[0] : shown[index];
}

/** True where what the device shows fulfils what is asked; members that are not asked for do not count. */
function covers(field: Field, asked: unknown, shown: unknown): boolean {
  if (asked === undefined) return true;
  if (asked === null) return shown === undefined || shown === null;
  if (shown === undefined || shown === null) return false;
  switch (field.kind) {
    case 'object':
      return isBag(asked) && isBag(shown) && Object.entries(asked).every(([name, value]) => {
        const inner = field.fields.find((candidate) => candidate.name === name);
        return inner !== undefined && covers(inner, value, Object.hasOwn(shown, name) ? shown[name] : undefined);
      });
    case 'list': return Array.isArray(asked) && Array.isArray(shown) && listCovers(field, asked, shown);
    case 'int':
    case 'float': return sameNumber(asked, shown, field.decimals) || sameValue(field, asked, shown);
    case 'datetime':
    case 'date':
    case 'time':
    case 'minutes': return sameTime(String(asked), String(shown));
    default: return sameValue(field, asked, shown);
  }
}

function sameNumber(asked: unknown, shown: unknown, decimals: number | undefined): boolean {
  if (typeof asked !== 'number' || typeof shown !== 'number') return false;
  const difference = Math.abs(asked - shown);
  if (difference <= RELATIVE_TOLERANCE * Math.max(1, Math.abs(asked), Math.abs(shown))) return true;
  return decimals !== undefined && asked.toFixed(decimals) === shown.toFixed(decimals);
}

/** A time asked for without a zone is the device's own time, whatever zone it adds. */
function sameTime(asked: string, shown: string): boolean {
  const left = asked.replace(ZERO_FRACTION, '');
  const right = shown.replace(ZERO_FRACTION, '');
  return left === right || (!ZONE.test(left) && left === right.replace(ZONE, ''));
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
