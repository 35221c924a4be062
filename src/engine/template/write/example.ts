/** A value that the specification allows for a field, to show its form. */
import type { Field } from '#protocol/index.ts';

export function makeExampleValue(field: Field): unknown {
  if ('default' in field && field.default !== undefined) return field.default;
  switch (field.kind) {
    case 'int':
      return Math.ceil(numberIn(field));
    case 'float':
      return Number(numberIn(field).toFixed(field.decimals ?? 1));
    case 'string':
      return textFor(field);
    case 'bool':
      return false;
    case 'choice':
      return field.options[0]?.value ?? '';
    case 'datetime':
      return '2030-01-31T08:00:00';
    case 'date':
      return '2030-01-31';
    case 'time':
      return field.zoned ? '08:00:00+00:00' : '08:00:00';
    case 'minutes':
      return '08:00';
    case 'opaque':
      return {};
    case 'object':
      return Object.fromEntries(
        shownFields(field.fields).map((inner) => [inner.name, makeExampleValue(inner)]),
      );
    case 'list':
      return Array.from(
        { length: Math.max(1, Math.min(field.minItems ?? 1, field.maxItems ?? Infinity)) },
        () => makeExampleValue(field.item),
      );
  }
}

/** Returns the fields shown in an item: those that apply without a condition. */
function shownFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(
    (field) =>
      field.readOnly !== true &&
      field.sensitive !== true &&
      field.when === undefined &&
      field.kind !== 'opaque',
  );
}

function numberIn({ min, max }: { readonly min?: number; readonly max?: number }): number {
  return Math.min(Math.max(0, min ?? 0), max ?? Infinity);
}

function textFor({ csv, minLength = 0, maxLength = Infinity }: Extract<Field, { kind: 'string' }>): string {
  if (csv !== undefined) return String(csv.min);
  return '1'.padEnd(minLength, '1').slice(0, maxLength);
}
