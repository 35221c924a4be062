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
