/** Questions and texts that the steps of this flow share. */
import type { BareDetailId } from '#shared/details.ts';
import type { Fact, OpenPoint, Value, DocumentText } from '#shared/report-document.ts';
import type { FlowField, StepContext, Values } from '../flow.ts';
import { DECIMALS, roundValue } from './arithmetic.ts';
import { SYMBOLS, TEMPERATURE_UNITS, type TemperatureUnit } from './temperature.ts';

type More = Omit<FlowField, 'name' | 'label' | 'kind'>;

export function createField(
  name: string,
  label: BareDetailId,
  kind: FlowField['kind'],
  more: More = {},
): FlowField {
  return { name, label: { id: label }, kind, ...more };
}

export function createUnitField(name: string, label: BareDetailId, value: TemperatureUnit): FlowField {
  return createField(name, label, 'choice', {
    value,
    kept: true,
    options: TEMPERATURE_UNITS.map((unit) => ({ value: unit, label: SYMBOLS[unit] })),
  });
}

export function numberIn(answer: Values, name: string): number | undefined {
  const value = answer[name];
  return typeof value === 'number' ? value : undefined;
}

/**
 * Goes on if nothing is doubtful, or a person confirms that it is right all the same (the record then says
 * so). After a mistyped value the person can go back.
 */
export async function settleDoubts(
  step: StepContext,
  key: string,
  doubts: readonly DocumentText[],
  {
    severity = 'minor',
    isShared,
  }: { readonly severity?: OpenPoint['severity']; readonly isShared?: true } = {},
): Promise<void> {
  if (doubts.length === 0) return;
  await step.ask(key, {
    text: doubts,
    tone: 'warning',
    isOccasional: true,
    isShared,
    fields: [createField(key, 'flow-thermal-sure', 'flag', { required: true })],
  });
  step.record({
    block: 'openPoints',
    points: doubts.map((text) => ({ text, severity })),
  });
}

/** Formats a temperature or a difference as records hold them. */
export function makeCelsiusValue(value: number): Value {
  return { number: roundValue(value), decimals: DECIMALS, unit: '°C' };
}

/** Answers as lines, those that were given. */
export function listAttestedFacts(
  step: StepContext,
  fields: readonly FlowField[],
  answer: Values,
): readonly Fact[] {
  return fields.flatMap(({ name, label, unit, options }): readonly Fact[] => {
    const given = answer[name];
    if (given === undefined) return [];
    const option = options?.find(({ value }) => value === given)?.label;
    const value: Value =
      option ??
      (typeof given === 'number'
        ? { number: given, unit }
        : typeof given === 'boolean'
          ? { yes: given }
          : String(given));
    return [{ label, value, proof: 'attested', source: step.user }];
  });
}
