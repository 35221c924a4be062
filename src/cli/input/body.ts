/** `--body`: JSON in the shape of the definition, or text as it is. */
import { say } from '../../shared/details.ts';
import { parse, type ParseError } from 'jsonc-parser';
import { userError } from '../../shared/errors.ts';
import { checkBounds } from '../../shared/json-bounds.ts';
import type { Io } from '../io.ts';
import { readText } from './files.ts';

/** No document of the interface comes near. */
const BODY_LIMITS = { depth: 64, nodes: 1_000_000 };

/** Throws `unreadable-file`, with the place where it stops being JSON, and `input-too-large`. */
export async function readJsonBody(io: Io, file: string): Promise<unknown> {
  const text = (await readText(io, file)).replace(/^\uFEFF/, '');
  const body = parsed(text, file);
  checkBounds(body, BODY_LIMITS, { file });
  return body;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const before = text.slice(0, firstError(text)).split('\n');
    throw userError('unreadable-file', say('cli.body-no-json'), {
      file,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      cause,
    });
  }
}

/** Where it stops being JSON; its beginning where it is nested too deep to say. */
function firstError(text: string): number {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return 0;
  }
  return errors[0]?.offset ?? 0;
}
