/**
 * Settings whose numbers count in a unit that is a setting of its own (part 3, 2.7; part 2, 2.8). Where
 * the other device has no choice of units, or not this one, the numbers move to the unit it has.
 */
import { valueAt } from './paths.ts';

export interface UnitRule {
  /** Resource that holds both. */
  readonly set: string;
  /** The setting that names the unit. */
  readonly unit: string;
  /** What a device counts in that does not let one choose. */
  readonly standard: string;
  /** Numbers in that unit. */
  readonly counted: readonly string[];
  /** A value in each unit to the same in the standard one. */
  readonly toStandard: Readonly<Record<string, (value: number) => number>>;
  /** And back. */
  readonly fromStandard: Readonly<Record<string, (value: number) => number>>;
}

const FEET = 0.3048;
const same = (value: number): number => value;

export const UNIT_RULES: readonly UnitRule[] = [
  {
    set: 'thermal.thermometryBasic', unit: 'distanceUnit', standard: 'meter', counted: ['distance'],
    toStandard: { meter: same, feet: (value) => value * FEET, centimeter: (value) => value / 100 },
    fromStandard: { meter: same, feet: (value) => value / FEET, centimeter: (value) => value * 100 },
  },
  {
    set: 'thermal.thermometryBasic', unit: 'temperatureUnit', standard: 'degreeCentigrade',
    counted: ['enviroTemperature', 'reflectiveTemperature', 'alert', 'alarm', 'TemperatureColor.highTemperature', 'TemperatureColor.lowTemperature'],
    toStandard: { degreeCentigrade: same, degreeFahrenheit: (value) => (value - 32) / 1.8, degreeKelvin: (value) => value - 273.15 },
    fromStandard: { degreeCentigrade: same, degreeFahrenheit: (value) => value * 1.8 + 32, degreeKelvin: (value) => value + 273.15 },
  },
];

export interface UnitChange {
  readonly rule: UnitRule;
  readonly from: string;
  readonly to: string;
}

/** The unit the numbers of the value have to move to; undefined where they may stay. */
export function unitChange(rule: UnitRule, value: unknown, shown: unknown, offered: readonly unknown[] | undefined): UnitChange | undefined {
  const from = valueAt(value, rule.unit);
  if (typeof from !== 'string' || !Object.hasOwn(rule.toStandard, from)) return undefined;
  const there = valueAt(shown, rule.unit);
  if (there !== undefined && (offered === undefined || offered.map(String).includes(from))) return undefined;
  const to = typeof there === 'string' && Object.hasOwn(rule.fromStandard, there) ? there : rule.standard;
  return to === from ? undefined : { rule, from, to };
}

/** Rounded to what the setting can hold. */
export function inUnit({ rule, from, to }: UnitChange, value: number, decimals: number): number {
  const exact = rule.fromStandard[to]?.(rule.toStandard[from]?.(value) ?? value) ?? value;
  return Number(exact.toFixed(decimals));
}
