/** Bytes of a file from anywhere to text: UTF-8 with or without a mark, UTF-16 in both orders. */
import { FieldwrightError } from '../../shared/errors.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding that the first bytes announce, or that zero bytes give away in plain text. */
function sniff(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 0) return 'utf-16le';
  if (bytes.length >= 2 && bytes[0] === 0 && bytes[1] !== 0) return 'utf-16be';
  return 'utf-8';
}

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
    return new TextDecoder(sniff(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FieldwrightError({
      code: 'unreadable-file', source: 'user', file,
      message: 'The file is not text in UTF-8 or UTF-16.',
      hint: 'Save it as UTF-8 (in a spreadsheet: "CSV UTF-8").',
    }, { cause });
  }
}
