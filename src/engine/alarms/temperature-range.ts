/** Ends of the measuring range, in the unit that the device counts in. Pure. */

/** Ranges that the interface names in °F; all others are in °C (part 3, 2.7). */
const IN_FAHRENHEIT: ReadonlySet<string> = new Set(['-4~302', '32~1022', '32~1200']);

/** Reads `-20~150` and `100-550`; undefined for `automatic`, and for a range of a later version. */
export function readRange(
  range: unknown,
  unit: unknown,
): { readonly from: number; readonly to: number } | undefined {
  const match = typeof range === 'string' ? /^(-?\d{1,5})[~-](\d{1,5})$/.exec(range) : null;
  if (match === null) return undefined;
  const inUnit = (degrees: number): number =>
    fromCelsius(IN_FAHRENHEIT.has(range as string) ? ((degrees - 32) * 5) / 9 : degrees, unit);
  return { from: inUnit(Number(match[1])), to: inUnit(Number(match[2])) };
}

function fromCelsius(degrees: number, unit: unknown): number {
  const converted =
    unit === 'degreeFahrenheit'
      ? (degrees * 9) / 5 + 32
      : unit === 'degreeKelvin'
        ? degrees + 273.15
        : degrees;
  return Math.round(converted * 10) / 10;
}

export function getUnitSymbol(unit: unknown): string {
  return unit === 'degreeFahrenheit' ? '°F' : unit === 'degreeKelvin' ? 'K' : '°C';
}
