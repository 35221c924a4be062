/** Limits of a field as text: what the specification allows beside what this device takes. */
import type { Constraints } from '#protocol/capability/types.ts';
import { narrow } from '#protocol/capability/narrow.ts';
import type { Field } from '#protocol/definition.ts';

/** A span; an end that is open is undefined. `kind` says what is counted. */
export interface Span {
  readonly kind: 'value' | 'characters' | 'entries';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}
export interface FieldLimits {
  /** The field as this device takes it; the specification's own where nothing is known of the device. */
  readonly field: Field;
  readonly specified?: Span;
  /** Limits of the device, if they differ from the specification's. */
  readonly device?: Span;
  /** How many options of a choice this device leaves out. */
  readonly optionsLeftOut: number;
  /** Specification and device together allow nothing. */
  readonly nothingLeft: boolean;
}

export function getFieldLimits(
  field: Field,
  path: string,
  constraints: Constraints | undefined,
): FieldLimits {
  const narrowed = constraints === undefined ? field : narrow(field, path, constraints);
  const specified = spanOf(field);
  const device = narrowed.kind === field.kind ? spanOf(narrowed) : undefined;
  const differs = device !== undefined && (device.min !== specified?.min || device.max !== specified?.max);
  const empty =
    narrowed.kind === 'choice'
      ? narrowed.options.length === 0
      : device?.min !== undefined && device.max !== undefined && device.min > device.max;
  return {
    field: narrowed,
    ...(specified !== undefined && { specified }),
    ...(differs && { device }),
    optionsLeftOut:
      field.kind === 'choice' && narrowed.kind === 'choice'
        ? field.options.length - narrowed.options.length
        : 0,
    nothingLeft: empty,
  };
}

function spanOf(field: Field): Span | undefined {
  switch (field.kind) {
    case 'int':
    case 'float':
      return span('value', field.min, field.max);
    case 'string':
      return span('characters', field.minLength === 0 ? undefined : field.minLength, field.maxLength);
    case 'list':
      return span('entries', field.minItems === 0 ? undefined : field.minItems, field.maxItems);
    default:
      return undefined;
  }
}

function span(kind: Span['kind'], min: number | undefined, max: number | undefined): Span | undefined {
  return min === undefined && max === undefined ? undefined : { kind, min, max };
}

/** Step of a number's arrows. It limits nothing: any number between the limits can be typed. */
export function getNumberStep(field: Extract<Field, { kind: 'int' | 'float' }>): number {
  return field.kind === 'int' ? 1 : 10 ** -(field.decimals ?? Math.max(1, decimalsOf(field.min ?? 0)));
}

function decimalsOf(value: number): number {
  return /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
}

/**
 * Parses the text of a number's control: a number, undefined if empty, or the text itself (which is then
 * complained about).
 */
export function readNumber(typed: string): number | string | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return undefined;
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : typed;
}
