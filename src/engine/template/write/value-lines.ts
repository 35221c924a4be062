/** The value of a section as lines of YAML with a comment for each setting. */
import { isPlain, type Field, type ObjectField } from '#protocol/index.ts';
import { formatComment, formatFlowValue, formatScalar } from './yaml-text.ts';

/** Comment behind a setting; empty if there is none. */
type Comment = (field: Field, value: unknown) => string;

/** Characters of a line up to which the items of a list share one line. */
const LINE = 120;
/** Comments begin in this column where the line leaves room. */
const COMMENT_COLUMN = 48;

/** `text  # comment`, comments in one column. */
export function appendComment(text: string, comment: string): string {
  const words = formatComment(comment);
  return words === '' ? text : `${text.padEnd(COMMENT_COLUMN - 1)} # ${words}`;
}

/** Lines of a value whose lines begin with `indent`; the value is settings, or a list where the root is one. */
export function formatValueLines(
  field: Field,
  value: unknown,
  indent: string,
  comment: Comment,
): readonly string[] {
  if (field.kind === 'list' && Array.isArray(value))
    return value.flatMap((item: unknown) => itemLines(field.item, item, indent, comment));
  return field.kind === 'object' && isPlain(value)
    ? memberLines(field, value, indent, comment)
    : [`${indent}${formatFlowValue(value)}`];
}

function memberLines(
  field: ObjectField,
  value: Readonly<Record<string, unknown>>,
  indent: string,
  comment: Comment,
): readonly string[] {
  return field.fields.flatMap((inner) =>
    Object.hasOwn(value, inner.name) ? oneMember(inner, value[inner.name], indent, comment) : [],
  );
}

function oneMember(field: Field, value: unknown, indent: string, comment: Comment): readonly string[] {
  const name = `${indent}${formatScalar(field.name)}:`;
  const isBlock =
    (field.kind === 'list' && Array.isArray(value) && value.length > 0) ||
    (field.kind === 'object' && isPlain(value) && Object.keys(value).length > 0);
  if (!isBlock) return [appendComment(`${name} ${formatFlowValue(value)}`, comment(field, value))];
  return [
    appendComment(name, comment(field, value)),
    ...formatValueLines(field, value, `${indent}  `, comment),
  ];
}

/** Small items on one line without comments: a week has many of them. */
function itemLines(item: Field, value: unknown, indent: string, comment: Comment): readonly string[] {
  const flow = `${indent}- ${formatFlowValue(value)}`;
  if (flow.length <= LINE || item.kind !== 'object' || !isPlain(value) || Object.keys(value).length === 0)
    return [flow];
  const [first = '', ...rest] = memberLines(item, value, `${indent}  `, comment);
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
}
