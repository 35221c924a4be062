/** Regular expressions of templates are untrusted: they run with a deadline. */
import { Script, createContext } from 'node:vm';

export const PATTERN_LENGTH = 200;
const DEADLINE_MS = 1000;
/** Expressions that ran into the deadline once: they do not get a second one. */
const endless = new Set<string>();
const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });

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
  if (endless.has(pattern)) return false;
  const script = new Script(`new RegExp(${JSON.stringify(`^(?:${pattern})$`)}, 'u').test(${JSON.stringify(text)})`);
  try {
    return script.runInContext(context, { timeout: DEADLINE_MS }) === true;
  } catch {
    endless.add(pattern);
    return false;
  }
}
