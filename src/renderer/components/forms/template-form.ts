import { wholeVariable } from '../../../shared/placeholder.ts';

/** True for what stands in place of a value in a template: a variable, text with variables inside, or `null`. */
export function standsIn(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.includes('${'));
}
/** The variable that the value wholly is. */
export function variableOf(value: unknown): string | undefined {
  return typeof value === 'string' ? wholeVariable(value) : undefined;
}
