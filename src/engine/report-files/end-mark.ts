/** The last line of an exported HTML or PDF: a hash of every byte before it, so that any change of the file shows. */
const MARK = 'fieldwright-sha256:';
const FRAMES = { html: ['<!--', '-->\n'], pdf: ['%', '\n'] } as const;
const DIGITS = 64;

export type MarkedForm = keyof typeof FRAMES;

/** A comment in that format; `digest` in hexadecimal digits. */
export function endMark(form: MarkedForm, digest: string): string {
  const [opens, closes] = FRAMES[form];
  return `${opens}${MARK}${digest}${closes}`;
}

/** The bytes before the mark, and the mark as it is; whether it is as it must be is for the caller to see. */
export function splitAtMark(
  form: MarkedForm,
  bytes: Uint8Array,
): readonly [before: Uint8Array, mark: string] {
  const length = endMark(form, '').length + DIGITS;
  const at = Math.max(0, bytes.length - length);
  return [bytes.subarray(0, at), Buffer.from(bytes.subarray(at)).toString('latin1')];
}
