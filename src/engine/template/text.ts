/** Bytes of a file from anywhere to text: UTF-8 with or without a mark, UTF-16 in both orders. */
import { FieldwrightError } from '../../shared/errors.ts';
import { sniffEncoding } from '../file-encoding.ts';

/**
 * Text of a template, plan or CSV file; a byte order mark is dropped. Throws `input-too-large`
 * above `maxBytes` and `unreadable-file` where the bytes are no text in a known encoding.
 */
export function decodeText(bytes: Uint8Array, options: { readonly maxBytes: number; readonly file?: string }): string {
  const { maxBytes, file } = options;
  if (bytes.length > maxBytes) {
    throw new FieldwrightError({ code: 'input-too-large', source: 'user', message: `The file has ${bytes.length} bytes; at most ${maxBytes} are read.`, file });
  }

  try {
    return new TextDecoder(sniffEncoding(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FieldwrightError({
      code: 'unreadable-file', source: 'user', file,
      message: 'The file is not text in UTF-8 or UTF-16.',
      hint: 'Save it as UTF-8 (in a spreadsheet: "CSV UTF-8").',
    }, { cause });
  }
}
