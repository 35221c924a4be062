/**
 * Regular expressions of templates are untrusted: one of a few characters can keep a processor busy
 * for years. Expressions that plainly cannot run as they are; all others run with a deadline.
 */
import { Script, createContext } from 'node:vm';

export const PATTERN_LENGTH = 200;
const DEADLINE_MS = 1000;
/** Each alternative doubles the ways to fail at most. */
const MOST_ALTERNATIVES = 8;
const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
/** Expressions that ran into the deadline once: they do not get a second one. */
const endless = new Set<string>();

/** True where the expression can be compiled. */
export function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** True where the whole text matches; an expression that takes too long matches nothing. */
export function matchesPattern(pattern: string, text: string): boolean {
  const whole = `^(?:${pattern})$`;
  if (isHarmless(pattern)) return new RegExp(whole, 'u').test(text);
  if (endless.has(pattern)) return false;
  const script = new Script(`new RegExp(${JSON.stringify(whole)}, 'u').test(${JSON.stringify(text)})`);
  try {
    return script.runInContext(context, { timeout: DEADLINE_MS }) === true;
  } catch {
    endless.add(pattern);
    return false;
  }
}

/** Nothing repeats, or one thing does outside of any group: the time grows with the text, not with its powers. */
function isHarmless(pattern: string): boolean {
  const repeats = pattern.match(/[*+?{]/g)?.length ?? 0;
  const alternatives = pattern.match(/\|/g)?.length ?? 0;
  return alternatives <= MOST_ALTERNATIVES && (repeats === 0 || (repeats === 1 && !pattern.includes('(')));
}
