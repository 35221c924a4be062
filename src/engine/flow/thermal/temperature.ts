/** Temperatures and distances as people type them and devices hold them: units, and numbers that are in another one. */
import { convertNumber, type UnitFrom } from '#protocol/index.ts';

/** The words of the wire; the terminal has its own for the same two. */
export const TEMPERATURE_UNITS = ['degreeCentigrade', 'degreeFahrenheit', 'degreeKelvin'] as const;
export type TemperatureUnit = (typeof TEMPERATURE_UNITS)[number];

export const SYMBOLS: Readonly<Record<TemperatureUnit, string>> = {
  degreeCentigrade: '°C',
  degreeFahrenheit: '°F',
  degreeKelvin: 'K',
};

const CELSIUS: UnitFrom = { path: '', absent: 'degreeCentigrade' };

export function parseTemperatureUnit(word: unknown): TemperatureUnit {
  if (word === 'fahrenheit' || word === 'degreeFahrenheit') return 'degreeFahrenheit';
  return word === 'degreeKelvin' ? word : 'degreeCentigrade';
}

export function convertToCelsius(value: number, from: TemperatureUnit): number {
  return convertNumber(value, { unitFrom: CELSIUS, from, to: 'degreeCentigrade' });
}

export function convertFromCelsius(value: number, to: TemperatureUnit): number {
  return convertNumber(value, { unitFrom: CELSIUS, from: 'degreeCentigrade', to });
}

/** Converts a span: 0.9 °F are 0.5 °C. */
export function convertDifferenceFromCelsius(value: number, to: TemperatureUnit): number {
  return convertNumber(value, { unitFrom: { ...CELSIUS, isDifference: true }, from: 'degreeCentigrade', to });
}

export function convertDifferenceToCelsius(value: number, from: TemperatureUnit): number {
  return convertNumber(value, { unitFrom: { ...CELSIUS, isDifference: true }, from, to: 'degreeCentigrade' });
}

export function toMeters(value: number, from: unknown): number {
  const unit = from === 'feet' || from === 'centimeter' ? from : 'meter';
  return convertNumber(value, { unitFrom: { path: '', absent: 'meter' }, from: unit, to: 'meter' });
}

/** A temperature further off than this, in °C, is looked at twice. */
const FAR = 15;
/** Largest distance from the expected value, in °C, at which a number is believed in the other unit. */
const NEAR = 8;

/**
 * Guesses the unit in which a number was meant: 97.7 in a Celsius field beside 36.5 °C is in Fahrenheit.
 * Returns undefined if the number is likely enough in its own unit, or no unit makes it so. `expected` is in
 * °C.
 */
export function guessUnit(
  value: number,
  unit: TemperatureUnit,
  expected: number,
): TemperatureUnit | undefined {
  const off = (as: TemperatureUnit): number => Math.abs(convertToCelsius(value, as) - expected);
  if (off(unit) <= FAR) return undefined;
  return TEMPERATURE_UNITS.find((other) => other !== unit && off(other) <= NEAR);
}
