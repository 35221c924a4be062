/** Words of a text with commas or spaces between them. */
export function parseWords(text: string): readonly string[] {
  return text.split(/[\s,，;；]+/).filter((word) => word !== '');
}

/** Ports of such a text; undefined where one is none. */
export function parseNumbers(text: string): readonly number[] | undefined {
  const words = parseWords(text);
  const numbers = words.map((word) => (/^\d{1,5}$/.test(word) ? Number(word) : 0));
  return numbers.every((port) => port >= 1 && port <= 65_535) ? numbers : undefined;
}

/** Largest network of one sweep, as a prefix length. */
const LARGEST = 20;

/** Checks a range `a.b.c.d/length`; the engine checks all else. */
export function checkRange(range: string): 'badRange' | 'tooLarge' | undefined {
  const [, bytes = '', length = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/.exec(range.trim()) ?? [];
  if (bytes === '' || bytes.split('.').some((byte) => Number(byte) > 255) || Number(length) > 32)
    return 'badRange';
  return length !== '' && Number(length) < LARGEST ? 'tooLarge' : undefined;
}
