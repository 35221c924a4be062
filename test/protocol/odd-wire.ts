/**
 * Documents as odd as devices send them, written without the codec under test: any order, prefix,
 * white space and line ends, repeated, unknown, misspelt and empty elements, comments, CDATA,
 * character references, numbers such as `0x1F`, `007` and `1.50`.
 */
import fc from 'fast-check';
import { rootField, type Field, type Payload } from '#protocol/index.ts';

/** Random numbers 0..99 for the disorder of one document. */
export type Dice = () => number;
export const dice: fc.Arbitrary<Dice> = fc.nat().map((seed) => {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor(state / 16) % 100;
  };
});

type Plain = Readonly<Record<string, unknown>>;
const UNKNOWN_XML = [
  '<weird a=\'1\'  b="&#65;>"/>',
  '<id2>007</id2>',
  '<x:Ext xmlns:x="urn:x"><enabled>maybe</enabled><n>1.50</n></x:Ext >',
  '<constructor>1</constructor>',
  '<toString/>',
  '<__proto__>p</__proto__>',
  '<!-- a & b -- >-->',
  '<?keep this?>',
];
const UNKNOWN_JSON = [
  '"unheard-of": [1.50, {"n": 1e2}]',
  '"__proto__":{"x":"\\u0041"}',
  '"constructor" : null',
];
/** Everything unknown that a document may hold. */
export const STRANGERS: readonly string[] = [...UNKNOWN_XML, ...UNKNOWN_JSON];

function shuffled<T>(items: readonly T[], roll: Dice): T[] {
  const out = [...items];
  for (let at = out.length - 1; at > 0; at -= 1) {
    const other = Math.floor((roll() / 100) * (at + 1));
    [out[at], out[other]] = [out[other] as T, out[at] as T];
  }
  return out;
}

interface Style {
  readonly newline: string;
  readonly indent: string;
  readonly prefix: string;
}

export function oddXml(payload: Payload, value: unknown, roll: Dice): string {
  const [newline, indent] =
    roll() < 40 ? ['\r\n', '\t'] : roll() < 50 ? ['\n', ''] : roll() < 50 ? ['\n', '  '] : ['', ''];
  const style: Style = { newline, indent, prefix: roll() < 30 ? 'ns:' : '' };
  const attributes = roll() < 30 ? '' : ` version='1.0'  xmlns${style.prefix === '' ? '' : ':ns'}="urn:any"`;
  const head =
    roll() < 30
      ? ''
      : roll() < 50
        ? '<?xml version="1.0" encoding="UTF-8" ?>'
        : `\ufeff<?xml version='1.0'?>${newline}<!-- sent -->`;
  return head + newline + element(rootField(payload), value, { style, roll, depth: 0, attributes }) + newline;
}

function element(
  field: Field,
  value: unknown,
  at: { readonly style: Style; readonly roll: Dice; readonly depth: number; readonly attributes?: string },
): string {
  const { style, roll, depth } = at;
  const name = style.prefix + field.name;
  const content = contentOf(field, value, at);
  const attributes = at.attributes ?? (roll() < 8 ? ' opt="a,b" min = "1"' : '');
  if (content === '' && roll() < 50) return `<${name}${attributes}${roll() < 30 ? ' ' : ''}/>`;
  const closing =
    content.includes('<') && (field.kind === 'object' || field.kind === 'list')
      ? style.newline + style.indent.repeat(depth)
      : '';
  return `<${name}${attributes}>${content}${closing}</${name}${roll() < 5 ? ' ' : ''}>`;
}

function contentOf(
  field: Field,
  value: unknown,
  at: { readonly style: Style; readonly roll: Dice; readonly depth: number },
): string {
  const { style, roll, depth } = at;
  const inner = { style, roll, depth: depth + 1 };
  const lead = style.newline + style.indent.repeat(depth + 1);
  if (field.kind === 'list') {
    return (value as readonly unknown[])
      .map((item) => stranger(roll, lead) + lead + element(field.item, item, inner))
      .join('');
  }
  if (field.kind !== 'object') return scalar(field, value, roll);
  const bag = value as Plain;
  const parts = shuffled(
    field.fields.filter((each) => bag[each.name] !== undefined),
    roll,
  ).flatMap((each) => {
    if (each.kind === 'list' && each.bare)
      return (bag[each.name] as readonly unknown[]).map((item) => element(each.item, item, inner));
    const first = element(each, bag[each.name], inner);
    const again = each.kind !== 'object' && each.kind !== 'list' && roll() < 5;
    return again ? [first, element(each, bag[each.name], inner)] : [first];
  });
  return parts.map((part) => stranger(roll, lead) + lead + part).join('') + stranger(roll, lead);
}

function stranger(roll: Dice, lead: string): string {
  return roll() < 8 ? lead + (UNKNOWN_XML[roll() % UNKNOWN_XML.length] ?? '') : '';
}

function scalar(field: Field, value: unknown, roll: Dice): string {
  if (typeof value === 'boolean')
    return roll() < 30 ? (value ? '1' : '0') : roll() < 10 ? ` ${value}\r\n` : String(value);
  if (typeof value === 'number') {
    if (field.kind === 'float') return roll() < 40 ? `${value.toFixed(4)}` : String(value);
    if (field.kind === 'int' && value >= 0 && roll() < 30)
      return roll() < 50 ? `0x${value.toString(16)}` : `00${value}`;
    return String(value);
  }
  const text = String(value);
  if (text !== '' && !text.includes(']]>') && roll() < 15) return `<![CDATA[${text}]]>`;
  return [...text]
    .map((character) => {
      if (character === '<' || character === '&' || (character === '>' && roll() < 50))
        return `&#${roll() < 50 ? character.charCodeAt(0) : `x${character.charCodeAt(0).toString(16)}`};`;
      return roll() < 3 ? `&#${character.codePointAt(0)};` : character;
    })
    .join('');
}

export function oddJson(payload: Payload, value: unknown, roll: Dice): string {
  const newline = roll() < 30 ? '\r\n' : roll() < 40 ? '\n' : '';
  const space = roll() < 50 ? ' ' : '';
  const body = jsonNode(rootField(payload), value, {
    roll,
    newline,
    space,
    depth: payload.root === undefined ? 0 : 1,
  });
  if (payload.root === undefined) return body + newline;
  const before = roll() < 20 ? `"extra":${space}1.50,` : '';
  return `{${newline}${newline && '\t'}${before}${JSON.stringify(payload.root)}:${space}${body}${newline}}${newline}`;
}

interface JsonAt {
  readonly roll: Dice;
  readonly newline: string;
  readonly space: string;
  readonly depth: number;
}

function jsonNode(field: Field, value: unknown, at: JsonAt): string {
  const { roll, newline, space, depth } = at;
  const lead = newline === '' ? '' : newline + '\t'.repeat(depth + 1);
  const end = newline === '' ? '' : newline + '\t'.repeat(depth);
  const inner = { ...at, depth: depth + 1 };
  if (field.kind === 'opaque') return JSON.stringify(value);
  if (field.kind === 'list') {
    const items = (value as readonly unknown[]).map((item) => lead + jsonNode(field.item, item, inner));
    return items.length === 0
      ? `[${roll() < 20 ? ' ' : ''}]`
      : `[${items.join(`,${newline === '' ? space : ''}`)}${end}]`;
  }
  if (field.kind !== 'object') return jsonLeaf(field, value, roll);
  const bag = value as Plain;
  const parts = shuffled(
    field.fields.filter((each) => bag[each.name] !== undefined),
    roll,
  ).flatMap((each) => {
    const member = `${JSON.stringify(each.name)}${roll() < 5 ? ' ' : ''}:${space}${jsonNode(each, bag[each.name], inner)}`;
    const odd = roll() < 10 ? [UNKNOWN_JSON[roll() % UNKNOWN_JSON.length] ?? ''] : [];
    return roll() < 4 ? [...odd, member, member] : [...odd, member];
  });
  return parts.length === 0
    ? `{${roll() < 20 ? newline : ''}}`
    : `{${parts.map((part) => lead + part).join(`,${newline === '' ? space : ''}`)}${end}}`;
}

function jsonLeaf(field: Field, value: unknown, roll: Dice): string {
  if (typeof value === 'boolean')
    return roll() < 10 ? (value ? '1' : '0') : roll() < 10 ? `"${value}"` : String(value);
  if (typeof value === 'number')
    return roll() < 10
      ? `"${value}"`
      : field.kind === 'float' && roll() < 40
        ? value.toFixed(4)
        : String(value);
  return roll() < 20
    ? JSON.stringify(value)
        .replace(/[b-y/]/g, (character) => (character === '/' ? '\\/' : character))
        .replace(/é/g, '\\u00e9')
    : JSON.stringify(value);
}
