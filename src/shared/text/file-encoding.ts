type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding that the first bytes of a text file announce, or that zero bytes give away in plain text; else UTF-8. */
export function sniffEncoding(bytes: Uint8Array): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 0) return 'utf-16le';
  if (bytes.length >= 2 && bytes[0] === 0 && bytes[1] !== 0) return 'utf-16be';
  return 'utf-8';
}
