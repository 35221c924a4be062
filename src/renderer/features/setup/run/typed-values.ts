/** Converts input in the fields of a question to the values that the engine takes. */
import type { FlowField, Values } from '#shared/flows.ts';

export function buildProposedValues(fields: readonly FlowField[]): Values {
  return Object.fromEntries(
    fields.flatMap(({ name, value }) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join('\n') : value]],
    ),
  );
}

/** Numbers with a point or a comma before their fraction; what is none stays text, at which the engine complains. */
export function parseTypedValues(fields: readonly FlowField[], typed: Values): Values {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }): [string, unknown][] => {
      const value = typed[name];
      if (value === undefined || value === '') return [];
      if (kind === 'number') return [[name, numberOf(value)]];
      if (kind === 'numbers') return [[name, partsOf(value).map(numberOf)]];
      return [[name, value]];
    }),
  );
}

/** Those of the parts that are numbers. */
export function parseNumberParts(typed: string): readonly number[] {
  return partsOf(typed)
    .map(numberOf)
    .filter((part) => typeof part === 'number');
}

function partsOf(typed: unknown): readonly string[] {
  return String(typed)
    .split(/[\s;]+/)
    .filter(Boolean);
}

function numberOf(typed: unknown): unknown {
  const text = String(typed).trim().replace(',', '.');
  return /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : typed;
}
