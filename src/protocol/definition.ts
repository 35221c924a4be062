/**
 * The vocabulary in which the device interface is written down as data. A definition file under
 * `definitions/` is a list of operations built from these few words; client, simulator, forms,
 * templates, checks and the coverage table all read the same entry.
 *
 * Values have one shape whatever the wire format: the content of the payload's root, without root
 * name and without attributes. A list holds an array under its own name, items without their
 * element name; numbers and booleans are typed.
 */

import type { Detail } from '#shared/details.ts';
import type { Constraints } from './capability/types.ts';

/** One allowed value of a choice; `label` is for people, `value` is what the wire carries. */
export interface Option<V extends string | number = string | number> {
  readonly value: V;
  readonly label: string;
}

/**
 * "Only when …": the field means something only while `path` (from the payload's root; a leading
 * `^.` starts at the object that holds the field) has one of the values. `absentAs` is what an absent
 * value counts as.
 */
export interface Condition {
  readonly path: string;
  readonly oneOf: readonly (string | number | boolean)[];
  readonly absentAs?: string | number | boolean;
  /** Asked for only while this one holds: "… or, in that mode, only when …". */
  readonly given?: Omit<Condition, 'given'>;
}

interface Common<N extends string = string> {
  /** Spelled as on the wire, misspellings included. */
  readonly name: N;
  /** Spelled correctly, for people. */
  readonly label: string;
  readonly help?: string;
  /** Required whenever the object that holds it is written. */
  readonly required?: boolean;
  /** Returned by the device, never written. */
  readonly readOnly?: boolean;
  /** A secret or biometric: never logged, reported, captured or shown. */
  readonly sensitive?: boolean;
  /** Must not leave in the clear: sending it takes HTTPS or a recorded consent (part 1, 5). */
  readonly needsEncryption?: boolean;
  /** A wrong value may cut a device off or keep people out: it can be put back by itself unless it is confirmed. */
  readonly cutsOff?: boolean;
  /** Differs from device to device (ids, names, addresses): offered as a variable on capture. */
  readonly perDevice?: boolean;
  /** Every condition must hold. */
  readonly when?: readonly Condition[];
  /** It has a value of its own only while this holds; a form that sets it sets that too. */
  readonly freeWhile?: Omit<Condition, 'given'>;
  /** It may be empty, whatever else it takes, while these hold (always, where there are none): a slot that is not in use. */
  readonly emptyWhen?: readonly Condition[];
  /** Physical unit as written on the screen: `s`, `°C`, `m`, `%`, `MB`. */
  readonly unit?: string;
}

export interface StringField<N extends string = string> extends Common<N> {
  readonly kind: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
  /** Comma separated numbers, as in `doorRight`. */
  readonly csv?: { readonly min: number; readonly max?: number };
  readonly pattern?: string;
}
/** Location of the unit of a number that has no fixed unit. */
export interface UnitFrom {
  /** The choice that names the unit, from the payload's root. */
  readonly path: string;
  /** Unit if the document names none. */
  readonly absent: string;
  /** A span of temperatures: 18 °F are 10 °C, not -7.8 °C. */
  readonly isDifference?: boolean;
}
export interface NumberField<N extends string = string> extends Common<N> {
  readonly kind: 'int' | 'float';
  /** Instead of `unit`. */
  readonly unitFrom?: UnitFrom;
  readonly min?: number;
  readonly max?: number;
  /** Path from the payload's root of the highest value, where a device reports one; `max` is the usual one then. */
  readonly maxAt?: string;
  /** True if the value shown by a device is itself a limit, not a present value between limits. */
  readonly isLimit?: boolean;
  /** Decimals that a float keeps on the wire. */
  readonly decimals?: number;
  readonly default?: number;
}
interface BoolField<N extends string = string> extends Common<N> {
  readonly kind: 'bool';
  readonly default?: boolean;
}
export interface ChoiceField<
  N extends string = string,
  V extends string | number = string | number,
> extends Common<N> {
  readonly kind: 'choice';
  readonly options: readonly Option<V>[];
  readonly default?: V;
}
/** `time` is HH:MM:SS with an optional zone, `minutes` is HH:MM (24:00 allowed), `datetime` is ISO 8601. */
export interface TimeField<N extends string = string> extends Common<N> {
  readonly kind: 'datetime' | 'date' | 'time' | 'minutes';
  readonly default?: string;
  /** Never without its offset from UTC. */
  readonly zoned?: boolean;
  /** UTC on the wire: one with another offset is converted before it goes out. */
  readonly utc?: boolean;
}
export interface ObjectField<N extends string = string> extends Common<N> {
  readonly kind: 'object';
  readonly fields: readonly Field[];
}
/** How many periods one day may have. */
export interface PeriodsPerDay {
  /** Path inside an item to the day it counts for. */
  readonly day: string;
  readonly most: number;
  /** True if `most` is only usual: a reported number replaces it, and without one more are only unusual. */
  readonly usual?: boolean;
  /**
   * Path from the payload's root of the number that a device reports; by default the `size` of the list
   * itself.
   */
  readonly reportedAt?: string;
}
/** List. `item.name` is the element name of an item in XML; in JSON it is only a label. */
export interface ListField<N extends string = string> extends Common<N> {
  readonly kind: 'list';
  readonly item: Field;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly perDay?: PeriodsPerDay;
  /**
   * Field of the item that tells which thing it is: by it items of two lists are matched, and their order does not
   * count. Several items may share one (periods of a day): then the most alike belong together.
   */
  readonly key?: string;
  /** Field by which people call an item, if it is another than the key: a linkage is called by its method. */
  readonly title?: string;
  /** XML only: the items are repeated siblings without a wrapper element. */
  readonly bare?: boolean;
}
/** An object that is handed through untouched (part 1): JSON only. */
interface OpaqueField<N extends string = string> extends Common<N> {
  readonly kind: 'opaque';
}

export type Field =
  StringField | NumberField | BoolField | ChoiceField | TimeField | OpaqueField | ObjectField | ListField;

/** The TypeScript type of one field's value. */
type FieldValue<F> = F extends { kind: 'string' | 'datetime' | 'date' | 'time' | 'minutes' }
  ? string
  : F extends { kind: 'int' | 'float' }
    ? number
    : F extends { kind: 'bool' }
      ? boolean
      : F extends { kind: 'choice'; options: readonly Option<infer V>[] }
        ? V
        : F extends { kind: 'object'; fields: infer S extends readonly Field[] }
          ? FieldsValue<S>
          : F extends { kind: 'list'; item: infer I }
            ? readonly FieldValue<I>[]
            : unknown;
/** All fields are optional in the type: devices omit what they like, `validate` knows what is required. */
type FieldsValue<S extends readonly Field[]> = {
  readonly [F in S[number] as F['name']]?: FieldValue<F>;
};

/** A rule between fields that conditions cannot say; `check` returns the complaint or nothing. */
export interface Rule {
  /** Path the complaint belongs to. */
  readonly path: string;
  readonly spec: string;
  readonly check: (value: Readonly<Record<string, unknown>>) => Detail | undefined;
  /** The specification does not forbid it: worth saying, never a reason not to send it. */
  readonly warns?: boolean;
}

export interface Payload<F extends readonly Field[] = readonly Field[]> {
  readonly format: 'xml' | 'json';
  /** Root element or root object name; undefined where the JSON object has no root name. */
  readonly root: string | undefined;
  readonly version: '2.0' | '1.0';
  readonly fields: F;
  /** Specification part and section: `3:2.7`. */
  readonly spec: string;
  readonly rules?: readonly Rule[];
  /** The root itself is a list: the value is an array of this item. */
  readonly rootItem?: Field;
  /** The `key` of that list. */
  readonly rootKey?: string;
  /** Largest number of items, if the root is a list. */
  readonly maxItems?: number;
}

/** Limits that another document of the device holds, beside the capability twin's: its own `size`, the mode it is in. */
export interface ReportedLimits {
  /** Id of the operation that reads the document. */
  readonly by: string;
  /** Selects the limits that apply, by path in the payload that is written. */
  readonly limits: (found: Constraints) => Constraints;
}

/** A variable of the path or query. */
export interface Param {
  readonly name: string;
  readonly label: string;
  readonly type: 'int' | 'string';
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string | number;
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
export const AREAS = [
  'system',
  'aiPlatform',
  'accessControl',
  'gate',
  'peopleCounting',
  'storage',
  'events',
  'passback',
  'token',
  'humanRecognition',
  'thermal',
] as const;
export type Area = (typeof AREAS)[number];

export interface Operation<Q extends Payload = Payload, S extends Payload = Payload> {
  readonly id: string;
  readonly area: Area;
  readonly part: 1 | 2 | 3;
  readonly method: Method;
  /** Path in the specification, with the leading `/API`, `<name>` variables and the query. */
  readonly path: string;
  readonly format: 'xml' | 'json';
  readonly label: string;
  readonly params: readonly Param[];
  readonly request?: Q;
  /** Absent where the answer is only a status. */
  readonly response?: S;
  /** Says why a payload that came with a good status is a no all the same; undefined where it is none. */
  readonly refusal?: (answered: Readonly<Record<string, unknown>>) => Detail | undefined;
  /** Id of the operation that reports the limits of this one. */
  readonly capability?: string;
  readonly reported?: ReportedLimits;
  /** True where `response` is a capability form of its payload (limits, not values). */
  readonly isCapability?: boolean;
  /** Sending it twice is the same as sending it once. */
  readonly idempotent: boolean;
  /** Takes something away for good: always, or when the field `when` of its body is on. */
  readonly destroys?: true | { readonly when: string };
  /** Request or answer holds secrets or biometric data. */
  readonly sensitive: boolean;
  /** False where the specification names the path but does not show the body. */
  readonly specified: boolean;
  readonly spec: string;
}

/** True for a document that tells limits, flags and counts of the device instead of values. */
export function isCapabilityDocument({ id, isCapability }: Pick<Operation, 'id' | 'isCapability'>): boolean {
  return isCapability === true || id.endsWith('.capabilities.get');
}

/** It changes nothing on the device: some searches go with POST as well. */
export function isReadOnly({
  method,
  idempotent,
  response,
}: Pick<Operation, 'method' | 'idempotent' | 'response'>): boolean {
  return method === 'GET' || (method === 'POST' && idempotent && response !== undefined);
}

type Extra<K extends Common> = Partial<Omit<K, 'kind' | 'name' | 'label'>>;

export function text<const N extends string>(
  name: N,
  label: string,
  extra: Extra<StringField<N>> = {},
): StringField<N> {
  return { kind: 'string', name, label, ...extra };
}
export function int<const N extends string>(
  name: N,
  label: string,
  extra: Extra<NumberField<N>> = {},
): NumberField<N> {
  return { kind: 'int', name, label, ...extra };
}
export function float<const N extends string>(
  name: N,
  label: string,
  extra: Extra<NumberField<N>> = {},
): NumberField<N> {
  return { kind: 'float', name, label, ...extra };
}
export function flag<const N extends string>(
  name: N,
  label: string,
  extra: Extra<BoolField<N>> = {},
): BoolField<N> {
  return { kind: 'bool', name, label, ...extra };
}
/** Options are values that label themselves, or `[value, label]` pairs. */
export function choice<const N extends string, const V extends string | number>(
  name: N,
  label: string,
  options: readonly (V | readonly [V, string])[],
  extra: Extra<Omit<ChoiceField<N, V>, 'options'>> = {},
): ChoiceField<N, V> {
  const full = options.map((option) =>
    Array.isArray(option)
      ? { value: option[0] as V, label: option[1] as string }
      : { value: option as V, label: String(option) },
  );
  return { kind: 'choice', name, label, options: full, ...extra } as ChoiceField<N, V>;
}
export function when<const N extends string>(
  kind: TimeField['kind'],
  name: N,
  label: string,
  extra: Extra<TimeField<N>> = {},
): TimeField<N> {
  return { kind, name, label, ...extra };
}
export function object<const N extends string, const F extends readonly Field[]>(
  name: N,
  label: string,
  fields: F,
  extra: Extra<Common<N>> = {},
): Common<N> & { readonly kind: 'object'; readonly fields: F } {
  return { kind: 'object', name, label, fields, ...extra };
}
export function list<const N extends string, const I extends Field>(
  name: N,
  label: string,
  item: I,
  extra: Extra<Omit<ListField<N>, 'item'>> = {},
): Common<N> & {
  readonly kind: 'list';
  readonly item: I;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly perDay?: PeriodsPerDay;
  readonly key?: string;
  readonly title?: string;
  readonly bare?: boolean;
} {
  return { kind: 'list', name, label, item, ...extra };
}
export function opaque<const N extends string>(
  name: N,
  label: string,
  extra: Extra<OpaqueField<N>> = {},
): OpaqueField<N> {
  return { kind: 'opaque', name, label, ...extra };
}

/** The XML payload `root` with its fields in the specification's order. */
export function xml<const F extends readonly Field[]>(
  root: string,
  spec: string,
  fields: F,
  extra: {
    readonly version?: '1.0' | '2.0';
    readonly rules?: readonly Rule[];
    readonly rootItem?: Field;
    readonly rootKey?: string;
    readonly maxItems?: number;
  } = {},
): Payload<F> {
  return { format: 'xml', root, version: extra.version ?? '2.0', fields, spec, ...extra };
}
/** The JSON payload; `root` undefined where the object has no root name. */
export function json<const F extends readonly Field[]>(
  root: string | undefined,
  spec: string,
  fields: F,
  extra: { readonly rules?: readonly Rule[] } = {},
): Payload<F> {
  return { format: 'json', root, version: '2.0', fields, spec, rules: extra.rules };
}
