/** `--body`: JSON in the shape of the definition, or text as it is. */
import { say } from '../../shared/details.ts';
import { parse, type ParseError } from 'jsonc-parser';
import { userError } from '../../shared/errors.ts';
import type { Io } from '../io.ts';
import { readText } from './files.ts';

export async function readJsonBody(io: Io, file: string): Promise<unknown> {
  const text = (await readText(io, file)).replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    throw userError('unreadable-file', say('cli.body-no-json'), {
      file,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    });
  }
  return JSON.parse(text) as unknown;
}
