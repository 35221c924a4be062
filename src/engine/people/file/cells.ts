/**
 * Converts a cell of a table, or a loosely written value, to a field of a person; nothing ambiguous is
 * guessed.
 */
import { isPlain, type Field, type ListField, type ObjectField } from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import { PERSON } from '../person.ts';
import { cleanCell, readDigits, readPersonNumber } from './marks.ts';
import { readMoment, type DayOrder } from './moments.ts';
import { readJsonOrNothing } from '#shared/read-json.ts';
import { removeFormula } from '#shared/text/cell-marks.ts';

/** `marked`: marks of another program were taken off the cell. */
export type Read = { readonly value: unknown; readonly marked?: boolean } | { readonly complaint: Detail };

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'y', 'on', 'x', '是', '有', '启用', '√'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n', 'off', '否', '无', '停用', '禁用'].map((word) => [word, false] as const),
]);

/** Words for options beside their wire spelling and their English label. */
const OPTION_WORDS: Readonly<Record<string, string>> = {
  owner: 'normal',
  employee: 'normal',
  普通人员: 'normal',
  普通人员业主: 'normal',
  业主: 'normal',
  员工: 'normal',
  访客: 'visitor',
  blacklist: 'blackList',
  blocked: 'blackList',
  黑名单: 'blackList',
  禁止名单人员: 'blackList',
  未授权人员: 'blackList',
  m: 'male',
  男: 'male',
  f: 'female',
  女: 'female',
  未知: 'unknown',
};

/** Returns the definition of a target: a member of a person, or of its validity. */
function fieldOf(target: string): Field | undefined {
  const [name, part] = target.split('.', 2);
  const field = PERSON.fields.find((known) => known.name === name);
  return part === undefined
    ? field
    : (field as ObjectField | undefined)?.fields.find((inner) => inner.name === part);
}

/** Texts that hold digits: a mark before them is none of theirs. */
const DIGITS: ReadonlySet<string> = new Set([
  'password',
  'dynamicCode',
  'doorRight',
  'belongGroup',
  'callNumbers',
]);

/** Free texts: an apostrophe before them is their own ('t Hart). */
const WORDS: ReadonlySet<string> = new Set(['name', 'groupName', 'PersonInfoExtends']);

/** Returns the value of a cell with something in it, without the marks that other programs put around numbers. */
export function readCell(target: string, text: string, order: DayOrder | undefined): Read {
  if (target === 'employeeNo') return readPersonNumber(text);
  const field = fieldOf(target);
  const clean: Read = DIGITS.has(target)
    ? readDigits(text)
    : { value: WORDS.has(target) ? removeFormula(text) : cleanCell(text) };
  if ('complaint' in clean) return clean;
  const value = String(clean.value);
  const read = readClean(target, field, value, order);
  return 'complaint' in read || value === text.trim() ? read : { ...read, marked: true };
}

function readClean(
  target: string,
  field: Field | undefined,
  text: string,
  order: DayOrder | undefined,
): Read {
  if (target === 'Valid.beginTime' || target === 'Valid.endTime')
    return readMoment(text, target === 'Valid.endTime', order);
  if (target === 'RightPlan') return readPlans(text);
  return field === undefined ? { value: text } : readAs(field, text);
}

/** Converts a value that JSON may have brought in another type than the field has. */
export function coerceValue(target: string, value: unknown, order: DayOrder | undefined): Read {
  if (target === 'employeeNo') return readPersonNumber(value);
  if (typeof value === 'string' && value !== '') return readCell(target, value.trim(), order);
  const field = fieldOf(target);
  if (typeof value === 'number' && field?.kind === 'string')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? { complaint: createDetail('people-number-inexact', { text: String(value) }) }
      : { value: String(value) };
  if (typeof value === 'number' && field?.kind === 'choice') return { value: String(value) };
  if ((value === 0 || value === 1) && field?.kind === 'bool') return { value: value === 1 };
  return { value };
}

function readAs(field: Field, text: string): Read {
  switch (field.kind) {
    case 'bool': {
      const flag = FLAGS.get(text.toLowerCase());
      return flag === undefined ? { complaint: createDetail('people-no-flag', { text }) } : { value: flag };
    }
    case 'int':
    case 'float':
      // A spreadsheet writes whole numbers with decimals now and then; three zeros may be thousands.
      return /^[+-]?\d{1,15}(?:[.,]0{1,2})?$/.test(text)
        ? { value: Number.parseInt(text, 10) }
        : { complaint: createDetail('people-no-number', { text }) };
    case 'choice': {
      const plain = text.toLowerCase().replace(/[\s（）()]/g, '');
      const found = field.options.find(
        ({ value, label }) =>
          String(value).toLowerCase() === plain || label.toLowerCase() === text.toLowerCase(),
      );
      return { value: found?.value ?? OPTION_WORDS[plain] ?? text };
    }
    case 'list':
      return readList(field, text);
    case 'string':
      return { value: field.csv === undefined ? text : text.replace(/\s*[,;、，；]\s*|\s+/g, ',') };
    default:
      return { value: text };
  }
}

/** Reads `a; b`, or JSON. */
function readList(field: ListField, text: string): Read {
  if (text.startsWith('[')) return readCellJson(text, createDetail('people-no-list', { text }));
  const items = text
    .split(/[;；]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const { item: of } = field;
  if (of.kind === 'object') return { value: items.map((item) => ({ value: item })) };
  const read = items.map((item) => readAs(of, item));
  const bad = read.find((each) => 'complaint' in each);
  return bad ?? { value: read.map((each) => ('value' in each ? each.value : undefined)) };
}

/** Reads `1=1,3; 2=4`: door and templates. */
function readPlans(text: string): Read {
  if (text.startsWith('[')) return readCellJson(text, createDetail('people-no-plans', { text }));
  const plans = text.split(/[;；]/).map((part) => /^\s*(\d{1,9})\s*[=:：]\s*([\d\s,，]*)$/.exec(part));
  if (plans.some((plan) => plan === null)) return { complaint: createDetail('people-no-plans', { text }) };
  return {
    value: plans.map((plan) => ({
      doorNo: Number(plan?.[1]),
      planTemplateNo: (plan?.[2] ?? '').replaceAll('，', ',').replaceAll(/\s/g, ''),
    })),
  };
}

/** Returns the members of `other` as JSON text each. */
export function readOther(text: string): Readonly<Record<string, string>> | undefined {
  const parsed = readJsonOrNothing(text);
  return isPlain(parsed)
    ? Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, JSON.stringify(value)]))
    : undefined;
}

function readCellJson(text: string, complaint: Detail): Read {
  const value = readJsonOrNothing(text);
  return value === undefined ? { complaint } : { value };
}
