import type { Field } from '#protocol/definition.ts';
import { formatValue, reveal } from '#renderer/common/labels/format.ts';
import { getOptionLabel, type WordContext } from './form-labels.ts';

/** A value as people read it: the option's word, on and off, the unit. */
export function formatFieldValue(
  field: Field,
  path: string,
  value: unknown,
  { root, words, t }: WordContext,
): string {
  if (value === undefined || value === null) return t('value.notSet');
  if (field.kind === 'choice') {
    const option = field.options.find((candidate) => String(candidate.value) === String(value));
    return option === undefined ? reveal(String(value)) : getOptionLabel(words, root, path, option);
  }
  if (field.kind === 'string' && field.csv !== undefined && value === '') return t('forms.none');
  const text = formatValue(value, { on: t('value.on'), off: t('value.off'), empty: t('value.empty') });
  return field.unit === undefined || typeof value === 'object' ? text : `${text} ${field.unit}`;
}
