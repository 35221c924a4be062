/** Values of documents, as a line of text shows them. */
import type { Fact, Value } from '#shared/report-document.ts';
import type { Invocation } from '../invocation.ts';

/** Formats a value; one that is not reported is a dash. */
export function formatDocumentValue(out: Invocation['out'], value: Value): string {
  if (value === null) return '–';
  if (typeof value === 'string' || 'id' in value || 'root' in value) return out.words(value);
  if ('number' in value) {
    const { number, decimals, unit } = value;
    return `${decimals === undefined ? number : number.toFixed(decimals)}${unit === undefined ? '' : ` ${unit}`}`;
  }
  if ('result' in value) return out.say(`report.result.${value.result}`);
  if ('yes' in value) return out.say(value.yes ? 'report.yes' : 'report.no');
  return JSON.stringify(value);
}

/** Formats a fact as `label: value`. */
export function formatFact(out: Invocation['out'], { label, value }: Fact): string {
  return `${out.words(label)}: ${formatDocumentValue(out, value)}`;
}
