/** Words of fields, options, limits and complaints in the language of the screen. */
import type { Condition, Field, Payload } from '#protocol/definition.ts';
import type { Issue } from '#protocol/issue.ts';
import type { FieldLabels } from '#renderer/common/labels/field-labels.ts';
import { formatMessage } from '#renderer/common/labels/detail-text.ts';
import { getControllerPath } from '#protocol/fields/condition.ts';
import { findField } from '#protocol/fields/field-at.ts';
import { toGeneralPath, joinPath } from '#protocol/fields/path.ts';
import type { FieldLimits, Span } from './limits.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/**
 * Returns the key of a field's words in a payload: `TimeBlockList[0].dayOfWeek` is
 * `Schedule.TimeBlockList[].dayOfWeek`.
 */
export function buildLabelKey(root: string, path: string): string {
  return joinPath(root, toGeneralPath(path));
}

export function getFieldLabel(words: FieldLabels, root: string, path: string, field: Field): string {
  return words[buildLabelKey(root, path)] ?? field.label;
}

export function getOptionLabel(
  words: FieldLabels,
  root: string,
  path: string,
  option: { readonly value: string | number; readonly label: string },
): string {
  return words[`${buildLabelKey(root, path)}=${String(option.value)}`] ?? option.label;
}

export interface WordContext {
  readonly payload: Payload;
  readonly root: string;
  readonly words: FieldLabels;
  readonly t: Translate;
}

/** `Only when Analysis mode is Group behavior.` */
export function formatCondition(condition: Condition, path: string, context: WordContext): string {
  const named = controllerText(condition, path, context);
  if (condition.given === undefined) return context.t('forms.onlyWhen', named);
  const given = controllerText(condition.given, path, context);
  return context.t('forms.givenOnlyWhen', { ...named, given: given.field, givenValues: given.values });
}

function controllerText(
  condition: Condition,
  path: string,
  { payload, root, words, t }: WordContext,
): { readonly field: string; readonly values: string } {
  const at = getControllerPath(condition, path);
  const field = findField(payload, at);
  const values = condition.oneOf.map((value) => {
    if (typeof value === 'boolean') return t(value ? 'value.on' : 'value.off');
    const option =
      field?.kind === 'choice'
        ? field.options.find((candidate) => String(candidate.value) === String(value))
        : undefined;
    return option === undefined ? String(value) : getOptionLabel(words, root, at, option);
  });
  return {
    field: field === undefined ? at : getFieldLabel(words, root, at, field),
    values: values.join(t('forms.or')),
  };
}

function spanText({ kind, min, max }: Span, unit: string, t: Translate): string {
  const form = min === undefined ? 'upTo' : max === undefined ? 'from' : min === max ? 'exactly' : 'between';
  const range = t(`forms.span.${kind}.${form}`, { min: min ?? 0, max: max ?? 0 });
  return kind === 'value' && unit !== '' ? `${range} ${unit}` : range;
}

/** Returns a text that names the setting which decides a number's unit, if no document says the unit. */
export function formatUnit(field: Field, { payload, root, words, t }: WordContext): string | undefined {
  const path = 'unitFrom' in field && field.unit === undefined ? field.unitFrom?.path : undefined;
  const unit = path === undefined ? undefined : findField(payload, path);
  return path === undefined || unit === undefined
    ? undefined
    : t('forms.unitFrom', { field: getFieldLabel(words, root, path, unit) });
}

/** `1–10 on this device; 1–64 in the specification`; undefined where there is no limit. */
export function formatLimits(limits: FieldLimits, t: Translate): string | undefined {
  const unit = limits.field.unit ?? '';
  if (limits.nothingLeft) return t('forms.nothingLeft');
  const specified = limits.specified === undefined ? undefined : spanText(limits.specified, unit, t);
  if (limits.device !== undefined) {
    const device = t('forms.onDevice', { range: spanText(limits.device, unit, t) });
    return specified === undefined ? device : t('forms.bothLimits', { device, specified });
  }
  if (limits.optionsLeftOut > 0) return t('forms.optionsLeftOut', { n: limits.optionsLeftOut });
  return specified;
}

/** A complaint in the language of the screen. */
export function issueText(issue: Issue, field: Field | undefined, t: Translate): string {
  const { min, max, minLength, maxLength } = issue.allowed ?? {};
  const say = (): string => formatMessage(issue) ?? t(`error.${issue.code}.title`);
  switch (issue.code) {
    case 'missing-field':
      return t('forms.required');
    case 'condition-not-met':
      return t('forms.doesNotCount');
    case 'too-long':
      return t('forms.tooLong', { max: maxLength ?? 0 });
    case 'wrong-type':
      return field === undefined ? say() : t(`forms.type.${field.kind}`);
    case 'out-of-range':
      if (min !== undefined && max !== undefined && min > max) return t('forms.nothingLeft');
      if (min !== undefined && max !== undefined) return t('forms.mustBetween', { min, max });
      if (min !== undefined) return t('forms.mustFrom', { min });
      if (max !== undefined) return t('forms.mustUpTo', { max });
      if (minLength !== undefined) return t('forms.tooShort', { min: minLength });
      return say();
    case 'not-allowed':
      if (field?.kind === 'choice') return t('forms.notOffered');
      if (field !== undefined && ['date', 'datetime', 'time', 'minutes'].includes(field.kind))
        return t('zoned' in field && field.zoned ? 'forms.type.zonedTime' : `forms.type.${field.kind}`);
      if (field?.kind === 'string' && field.csv !== undefined)
        return t('forms.csvForm', { min: field.csv.min, max: field.csv.max ?? '…' });
      return say();
    default:
      return say();
  }
}
