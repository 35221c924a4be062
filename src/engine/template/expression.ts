/** One expression of RE2, compiled, or why it cannot be used here. */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { createDetail, type Detail } from '#shared/details.ts';

/** Instructions of a compiled expression. */
const MOST_INSTRUCTIONS = 1000;

/** `size`: instructions. */
export type Compiled =
  | { readonly expression: RE2JS; readonly size: number }
  | { readonly complaint: Detail; readonly size: number };

export function compileExpression(pattern: string): Compiled {
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
