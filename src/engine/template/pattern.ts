/**
 * Compiles regular expressions of templates, which are untrusted. The syntax is that of RE2, so matching
 * takes time in proportion to expression and text. Steps are counted: the same template costs the same
 * everywhere.
 */
import { createDetail, type Detail } from '#shared/details.ts';
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';

/** Instructions of a compiled expression. */
const MOST_INSTRUCTIONS = 1000;

/** `size`: instructions. */
type Compiled =
  | { readonly expression: RE2JS; readonly size: number }
  | { readonly complaint: Detail; readonly size: number };

function compileExpression(pattern: string): Compiled {
  try {
    const expression = RE2JS.compile(pattern);
    const size = expression.programSize();
    return size > MOST_INSTRUCTIONS
      ? { complaint: createDetail('pattern-too-large'), size }
      : { expression, size };
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown;
    return {
      complaint: whyNot((thrown instanceof RE2JSSyntaxException ? thrown.input : undefined) ?? pattern),
      size: MOST_INSTRUCTIONS,
    };
  }
}

const REFERENCE = /^\\(?:[1-9]|k)/;
const LOOK_AROUND = /^\(\?<?[=!]/;
const REPEAT = /^\{[\d,]+\}$/;

/** Explains why an expression was refused, from the part that could not be read. */
function whyNot(part: string): Detail {
  if (REFERENCE.test(part)) return createDetail('pattern-reference', { part });
  if (LOOK_AROUND.test(part)) return createDetail('pattern-look-around', { part });
  return REPEAT.test(part) ? createDetail('pattern-too-large') : createDetail('bad-pattern', { part });
}

/** Compiling an instruction costs as much as this many steps of matching. */
const COMPILE_STEPS = 20;

/** Steps for checking one template, or the values of one device: well under half a second. */
export const TEMPLATE_STEPS = 8_000_000;
/** The same of a table of values: as many rows as it may have, with a few patterns each. */
export const TABLE_STEPS = 50_000_000;

/**
 * The work that the patterns of one document or table may take. A step is one instruction on one
 * character, tens of nanoseconds at worst. Expressions are compiled once.
 */
export class PatternWork {
  #left: number;
  readonly #compiled = new Map<string, Compiled>();

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Returns why an expression cannot be used here; undefined if it can. */
  complaint(pattern: string): Detail | undefined {
    const compiled = this.#compile(pattern);
    return 'complaint' in compiled ? compiled.complaint : undefined;
  }

  /** Does the whole text match? Nothing matches what is no expression. Undefined where too much was asked already. */
  matches(pattern: string, text: string): boolean | undefined {
    const compiled = this.#compile(pattern);
    if ('complaint' in compiled) return false;
    const steps = compiled.size * (text.length + 1);
    if (steps > this.#left) return undefined;
    this.#left -= steps;
    return compiled.expression.matches(text);
  }

  #compile(pattern: string): Compiled {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    if (this.#left <= 0) return { complaint: createDetail('patterns-take-too-long'), size: 0 };
    const compiled = compileExpression(pattern);
    this.#left -= COMPILE_STEPS * compiled.size;
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}
