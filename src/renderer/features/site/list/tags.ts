/** Tags of a text with commas: trimmed, without empty ones and repetitions. */
export function parseTags(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(/[,，;；]/)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
}
