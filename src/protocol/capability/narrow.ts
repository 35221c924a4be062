/** Combines the limits of a device with those of the specification: only values that both allow remain. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ChoiceField, Field, ListField, NumberField, StringField } from '../definition.ts';
import { toGeneralPath } from '../fields/path.ts';
import type { Constraint, Constraints } from './types.ts';

/**
 * Finds the reported limits of the field at `path`. Some documents describe the items of a list without the
 * list, and lengths of ids under another name (`taskIDLen`, part 1, 2.7).
 */
export function findConstraint(constraints: Constraints, path: string): Constraint | undefined {
  const exact = toGeneralPath(path);
  return (
    constraints.get(exact) ?? constraints.get(exact.replaceAll('[]', '')) ?? constraints.get(`${exact}Len`)
  );
}

/**
 * The field as this device takes it at `path`. Where specification and device contradict each other
 * the result allows nothing (no options, `min` above `max`); reading is never affected.
 */
export function narrow<F extends Field>(field: F, path: string, constraints: Constraints): F | ChoiceField {
  const limit = findConstraint(constraints, path);
  const following = follow(field, limit, constraints);
  return limit === undefined ? following : (narrowedOnce(following, limit) as F | ChoiceField);
}

/** The items of a list are all narrowed alike; neither definitions nor what was reported change. */
const known = new WeakMap<Constraint, WeakMap<Field, Field>>();

function narrowedOnce(field: Field, limit: Constraint): Field {
  const ofLimit = known.get(limit) ?? new WeakMap<Field, Field>();
  known.set(limit, ofLimit);
  const found = ofLimit.get(field) ?? narrowed(field, limit);
  ofLimit.set(field, found);
  return found;
}

/** The field with the limits that a device reports in another place than at the field. */
function follow<F extends Field>(field: F, limit: Constraint | undefined, constraints: Constraints): F {
  if ((field.kind === 'int' || field.kind === 'float') && field.maxAt !== undefined) {
    const max = reportedNumber(constraints, field.maxAt) ?? limit?.max ?? field.max;
    return { ...field, ...removeUndefined({ max }) };
  }
  if (field.kind !== 'list' || field.perDay === undefined) return field;
  const { perDay } = field;
  const reported =
    perDay.reportedAt === undefined ? limit?.size : reportedNumber(constraints, perDay.reportedAt);
  if (reported === undefined) return field;
  return {
    ...field,
    perDay: { ...perDay, usual: false, most: perDay.usual ? reported : Math.min(perDay.most, reported) },
  };
}

function reportedNumber(constraints: Constraints, path: string): number | undefined {
  const found = constraints.get(path);
  const shown = Number(found?.text);
  return shown > 0 ? shown : found?.max;
}

function narrowed(field: Field, limit: Constraint): Field {
  switch (field.kind) {
    case 'int':
    case 'float':
      return narrowNumber(field, limit);
    case 'string':
      return narrowText(field, limit);
    case 'choice':
      return limit.options === undefined
        ? field
        : {
            ...field,
            options: field.options.filter((option) =>
              limit.options?.some((allowed) => sameOption(option.value, allowed)),
            ),
          };
    case 'list':
      return narrowList(field, limit);
    default:
      return field;
  }
}

function sameOption(value: string | number, allowed: string): boolean {
  return typeof value === 'number' ? Number(allowed) === value : value === allowed;
}

function narrowNumber(field: NumberField, limit: Constraint): Field {
  const min = highest(field.min, limit.min);
  const max = lowest(field.max, limit.max);
  const options = limit.options?.map(Number).filter((value) => Number.isFinite(value));
  if (options === undefined || options.length === 0) return { ...field, ...removeUndefined({ min, max }) };
  const inside = options.filter(
    (value) => (min === undefined || value >= min) && (max === undefined || value <= max),
  );
  return asChoice(field, inside);
}

/** Bounds of texts are lengths. */
function narrowText(field: StringField, limit: Constraint): Field {
  if (limit.options !== undefined && field.csv === undefined) return asChoice(field, limit.options);
  const minLength = highest(field.minLength, limit.min);
  const maxLength = lowest(field.maxLength, limit.max);
  return { ...field, ...removeUndefined({ minLength, maxLength }) };
}

function narrowList(field: ListField, limit: Constraint): Field {
  // The size of a week counts the periods of a day, unless another field reports those.
  const size =
    field.perDay !== undefined && field.perDay.reportedAt === undefined
      ? undefined
      : (limit.size ?? limit.max);
  const maxItems = lowest(field.maxItems, size);
  const minItems = highest(field.minItems, limit.size === undefined ? limit.min : undefined);
  // Options of a list are those of its items: `engine: { "@opt": [1, 2] }`.
  const item =
    limit.options === undefined
      ? field.item
      : narrowed(field.item, { state: 'reported', options: limit.options });
  return { ...field, item, ...removeUndefined({ minItems, maxItems }) };
}

function asChoice(field: NumberField | StringField, values: readonly (string | number)[]): ChoiceField {
  const { name, label, help, required, readOnly, sensitive, perDevice, cutsOff, when, unit } = field;
  const options = values.map((value) => ({ value, label: String(value) }));
  return {
    kind: 'choice',
    name,
    label,
    options,
    ...removeUndefined({ help, required, readOnly, sensitive, perDevice, cutsOff, when, unit }),
  };
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}
function lowest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
