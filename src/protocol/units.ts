/**
 * Numbers whose unit is a setting beside them (part 3, 2.7; part 2, 2.8): what they count in, their
 * limits in that unit, and the same in another one. Which numbers these are, the definitions say (`unitFrom`).
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Field, UnitFrom } from './definition.ts';
import { getValueAt } from './fields/values.ts';

interface Unit {
  readonly measure: 'distance' | 'temperature';
  readonly symbol: string;
  /** One of it in meters or degrees Celsius. */
  readonly size: number;
  /** Its zero in the same. */
  readonly zero: number;
}

const CELSIUS: Unit = { measure: 'temperature', symbol: '°C', size: 1, zero: 0 };
const FAHRENHEIT: Unit = { measure: 'temperature', symbol: '°F', size: 5 / 9, zero: -160 / 9 };

/** Units by their names on the wire. */
const UNITS: ReadonlyMap<unknown, Unit> = new Map([
  ['meter', { measure: 'distance', symbol: 'm', size: 1, zero: 0 }],
  ['feet', { measure: 'distance', symbol: 'ft', size: 0.3048, zero: 0 }],
  ['centimeter', { measure: 'distance', symbol: 'cm', size: 0.01, zero: 0 }],
  ['degreeCentigrade', CELSIUS],
  ['celsius', CELSIUS],
  ['degreeFahrenheit', FAHRENHEIT],
  ['fahrenheit', FAHRENHEIT],
  ['degreeKelvin', { measure: 'temperature', symbol: 'K', size: 1, zero: -273.15 }],
]);

/** Digits that arithmetic of this kind leaves right. */
const EXACT_DIGITS = 6;
/** Decimals of a number that has no resolution of its own. */
const USUAL_DECIMALS = 1;

/**
 * `whole`: a document as a device holds it, where no unit means the usual one. `patch`: a part of one,
 * where it means that the unit of the device stays, whatever that is.
 */
export type UnitScope = 'whole' | 'patch';

/** The word of the unit in `document`; undefined where it is not known. */
export function findUnitWord(
  { path, absent }: UnitFrom,
  document: unknown,
  scope: UnitScope = 'whole',
): string | undefined {
  const word = getValueAt(document, path) ?? (scope === 'whole' ? absent : undefined);
  return typeof word === 'string' && UNITS.get(word)?.measure === UNITS.get(absent)?.measure
    ? word
    : undefined;
}

/**
 * Returns the field with its unit and limits in this document. The specification does not give the unit of
 * its limits, so values within them are allowed in the usual unit and in that of the document. If the unit is
 * not known yet, the limits are the widest of all units.
 */
export function resolveUnit<F extends Field>(field: F, document: unknown, scope: UnitScope = 'whole'): F {
  if ((field.kind !== 'int' && field.kind !== 'float') || field.unitFrom === undefined) return field;
  const { unitFrom, min, max } = field;
  const word = findUnitWord(unitFrom, document, scope);
  const words = word === undefined ? alike(unitFrom.absent) : [unitFrom.absent, word];
  const limits = (limit: number): readonly number[] =>
    words.map((to) => convertNumber(limit, { unitFrom, from: unitFrom.absent, to }));
  return {
    ...field,
    ...removeUndefined({
      unit: UNITS.get(word)?.symbol,
      min: min === undefined ? undefined : Math.min(...limits(min)),
      max: max === undefined ? undefined : Math.max(...limits(max)),
    }),
  };
}

function alike(word: string): readonly string[] {
  return [...UNITS].flatMap(([other, { measure }]) =>
    typeof other === 'string' && measure === UNITS.get(word)?.measure ? [other] : [],
  );
}

interface Move {
  readonly unitFrom: UnitFrom;
  /** Words of known units. */
  readonly from: string;
  readonly to: string;
}

/** The same in another unit; of a difference only its size changes. */
export function convertNumber(value: number, { unitFrom, from, to }: Move): number {
  const [before, after] = [UNITS.get(from) ?? CELSIUS, UNITS.get(to) ?? CELSIUS];
  const zero = unitFrom.isDifference === true ? 0 : before.zero - after.zero;
  return Number(((value * before.size + zero) / after.size).toFixed(EXACT_DIGITS));
}

/** The same in another unit, rounded to what the field can hold. */
export function convertAndRound(
  field: Extract<Field, { kind: 'int' | 'float' }>,
  value: number,
  move: Move,
): number {
  return Number(
    convertNumber(value, move).toFixed(field.kind === 'int' ? 0 : (field.decimals ?? USUAL_DECIMALS)),
  );
}
