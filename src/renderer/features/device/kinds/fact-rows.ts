/** Fields of an answer in words, as lines that lead to the form that holds them. */
import { findField, rootField } from '#protocol/fields/field-at.ts';
import { getValueAt } from '#protocol/fields/values.ts';
import type { Field } from '#protocol/definition.ts';
import { resolveUnit } from '#protocol/units.ts';
import { getFieldLabel, type WordContext } from '#renderer/common/forms/model/form-labels.ts';
import { formatFieldValue } from '#renderer/common/forms/model/shown-value.ts';

interface FactRow {
  readonly path: string;
  readonly label: string;
  readonly text: string;
}

/** Items of a list that are named; more are counted. */
const MOST_NAMED = 12;

/** Lists those of the fields that the answer holds. A list is named by the keys of its items. */
export function buildFactRows(
  value: unknown,
  paths: readonly string[],
  words: WordContext,
): readonly FactRow[] {
  return paths.flatMap((path) => {
    const field = findField(rootField(words.payload), path);
    const held = getValueAt(value, path);
    if (field === undefined || held === undefined || held === '') return [];
    return {
      path,
      label: getFieldLabel(words.words, words.root, path, field),
      text: formatHeld(field, path, held, value, words),
    };
  });
}

function formatHeld(field: Field, path: string, held: unknown, value: unknown, words: WordContext): string {
  if (field.kind !== 'list') return formatFieldValue(resolveUnit(field, value, 'whole'), path, held, words);
  const { item, key } = field;
  const inner = key === undefined ? item : findField(item, key);
  if (!Array.isArray(held) || inner === undefined) return formatFieldValue(field, path, held, words);
  const at = key === undefined ? `${path}[]` : `${path}[].${key}`;
  const named = held.map((one: unknown) =>
    formatFieldValue(inner, at, key === undefined ? one : getValueAt(one, key), words),
  );
  const each = [...new Set(named)];
  const text = each.slice(0, MOST_NAMED).join(', ');
  return text === '' ? words.t('forms.none') : each.length > MOST_NAMED ? `${text} … (${each.length})` : text;
}
