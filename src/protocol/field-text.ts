/** Describes briefly what a field takes, for comments of templates, schemas and editor hints. */
import type { Condition, Field, Param } from './definition.ts';
import { getControllerName } from './fields/condition.ts';

/** Options beyond these are counted instead of named. */
const MOST_OPTIONS = 12;

/** `Distance (m)`; `Distance (unit: distanceUnit)` where no document says which. */
export function formatFieldTitle(field: Field): string {
  const unit = field.unit ?? unitFromWords(field);
  return unit === '' ? field.label : `${field.label} (${unit})`;
}

function unitFromWords(field: Field): string {
  return 'unitFrom' in field && field.unitFrom !== undefined && field.unit === undefined
    ? `unit: ${field.unitFrom.path}`
    : '';
}

/** `1 to 200 s`, `celsius, fahrenheit`, `true or false`; empty where anything goes. */
export function formatAllowedValues(field: Field): string {
  const unit = field.unit === undefined ? '' : ` ${field.unit}`;
  switch (field.kind) {
    case 'int':
    case 'float':
      return withUnit(rangeText(field.min, field.max), unit);
    case 'string':
      return field.csv === undefined
        ? lengthText(field.minLength, field.maxLength)
        : `numbers (${rangeText(field.csv.min, field.csv.max)}) separated by commas`;
    case 'bool':
      return 'true or false';
    case 'choice':
      return optionText(field.options.map(({ value }) => String(value)));
    case 'datetime':
      return 'YYYY-MM-DDTHH:MM:SS';
    case 'date':
      return 'YYYY-MM-DD';
    case 'time':
      return field.zoned ? 'HH:MM:SS+HH:MM' : 'HH:MM:SS';
    case 'minutes':
      return 'HH:MM';
    case 'list':
      return countText(field.minItems, field.maxItems);
    case 'object':
    case 'opaque':
      return '';
  }
}

/** Describes the conditions under which a field applies: `only when analysisMode is groupBehavior`. */
function conditionText(conditions: readonly Condition[] | undefined): string {
  const is = (condition: Condition): string =>
    `${getControllerName(condition)} is ${condition.oneOf.map(String).join(' or ')}`;
  return (conditions ?? [])
    .map((condition) =>
      condition.given === undefined
        ? `only when ${is(condition)}`
        : `when ${is(condition.given)} only when ${is(condition)}`,
    )
    .join(', ');
}

/** Everything at once: `Emissivity: 0.01 to 1; default 0.95; secret`. */
export function describeField(field: Field): string {
  const words = [
    formatAllowedValues(field),
    unitLabels(field),
    defaultText(field),
    conditionText(field.when),
    ...(field.required === true ? ['required'] : []),
    ...(field.sensitive === true ? ['secret'] : []),
  ].filter((word) => word !== '');
  return words.length === 0 ? field.label : `${field.label}: ${words.join('; ')}`;
}

/** The label of a value where it says more than the value: `Rougher (0.95)` for `rougher`. */
export function formatValueLabel(field: Field, value: unknown): string {
  const label =
    field.kind === 'choice' ? field.options.find((option) => option.value === value)?.label : undefined;
  return label === undefined || label === String(value) ? '' : label;
}

export function describeParam(param: Param): string {
  const takes =
    param.type === 'int' ? rangeText(param.min, param.max) : lengthText(param.minLength, param.maxLength);
  return takes === '' ? param.label : `${param.label}: ${takes}`;
}

/** Limits without a document are those in the usual unit. */
function unitLabels(field: Field): string {
  const words = unitFromWords(field);
  return words === '' || !('unitFrom' in field) || field.unitFrom === undefined
    ? ''
    : `${words} (${field.unitFrom.absent} where absent)`;
}

function defaultText(field: Field): string {
  return 'default' in field && field.default !== undefined ? `default ${String(field.default)}` : '';
}

function rangeText(min: number | undefined, max: number | undefined): string {
  if (min === undefined && max === undefined) return '';
  return min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

function withUnit(range: string, unit: string): string {
  return range === '' ? unit.trim() : range + unit;
}

function lengthText(min: number | undefined, max: number | undefined): string {
  const length = rangeText(min === 0 ? undefined : min, max);
  return length === '' ? '' : `${length} characters`;
}

function countText(min: number | undefined, max: number | undefined): string {
  const count = rangeText(min === 0 ? undefined : min, max);
  return count === '' ? '' : `${count} entries`;
}

function optionText(options: readonly string[]): string {
  if (options.length <= MOST_OPTIONS) return options.join(', ');
  return `${options.slice(0, MOST_OPTIONS).join(', ')} and ${options.length - MOST_OPTIONS} others`;
}
