/** Bytes of a file from anywhere to text: UTF-8 with or without a mark, UTF-16 in both orders. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError, userError, type ErrorShape } from '#shared/errors.ts';
import { sniffEncoding } from '#shared/text/file-encoding.ts';

/**
 * Text of a template, plan or CSV file; a byte order mark is dropped. Throws `input-too-large`
 * above `maxBytes` and `unreadable-file` where the bytes are no text in a known encoding.
 */
export function decodeText(
  bytes: Uint8Array,
  options: { readonly maxBytes: number; readonly file?: string },
): string {
  const { maxBytes, file } = options;
  if (bytes.length > maxBytes) {
    throw userError('input-too-large', say('file-bytes', { count: bytes.length, max: maxBytes }), { file });
  }

  const encoding = sniffEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const [first, ...others] = encoding === 'utf-8' ? badLines(bytes) : [];
    const shape: ErrorShape = {
      code: 'unreadable-file',
      source: 'user',
      ...say('not-unicode'),
      ...removeUndefined({ file }),
    };
    throw new FieldwrightError(
      {
        ...shape,
        ...(first === undefined
          ? {}
          : {
              ...first,
              ...say('line-not-utf8-at-all'),
            }),
        ...(others.length === 0
          ? {}
          : {
              others: others.map((place) => ({
                ...shape,
                ...place,
                ...say('line-not-utf8'),
              })),
            }),
      },
      { cause },
    );
  }
}

/** Number of lines reported at most; a file in another encoding has many. */
const MOST_LINES = 20;
const LINE_END = 0x0a;

/**
 * Finds where a file is not UTF-8. Latin-1 and GB18030 mostly agree with it up to the first non-English
 * letter.
 */
function badLines(bytes: Uint8Array): readonly { readonly line: number; readonly column: number }[] {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const lenient = new TextDecoder('utf-8');
  const found: { readonly line: number; readonly column: number }[] = [];
  for (let from = 0, line = 1; from < bytes.length && found.length < MOST_LINES; line += 1) {
    const end = bytes.indexOf(LINE_END, from);
    const row = bytes.subarray(from, end < 0 ? bytes.length : end);
    from = end < 0 ? bytes.length : end + 1;
    try {
      strict.decode(row);
    } catch {
      found.push({ line, column: lenient.decode(row).indexOf('\ufffd') + 1 });
    }
  }
  return found;
}
