/** `--body`: JSON in the shape of the definition, or text as it is. */
import { say } from '#shared/details.ts';
import { parse, type ParseError } from 'jsonc-parser';
import { FieldwrightError } from '#shared/errors.ts';
import { readJson } from '#shared/read-json.ts';
import type { Io } from '../io.ts';
import { readText } from './files.ts';

/** No document of the interface comes near. */
const BODY_LIMITS = { bytes: 8 * 1024 * 1024, depth: 64, nodes: 200_000 };

/** Throws `unreadable-file`, with the place where it stops being JSON, and `input-too-large`. */
export async function readJsonBody(io: Io, file: string): Promise<unknown> {
  const text = (await readText(io, file)).replace(/^\uFEFF/, '');
  try {
    return readJson(text, BODY_LIMITS, { file, broken: say('cli.body-no-json') });
  } catch (thrown) {
    if (!(thrown instanceof FieldwrightError) || thrown.code !== 'unreadable-file') throw thrown;
    const before = text.slice(0, firstError(text)).split('\n');
    throw thrown.with({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
  }
}

/** Returns the offset of the first error in the JSON; 0 if it is nested too deep to parse. */
function firstError(text: string): number {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return 0;
  }
  return errors[0]?.offset ?? 0;
}
