/** Tags of a text with commas: trimmed, without empty ones and repetitions. */
export function parseTags(text: string): readonly string[] {
  return [...new Set(text.split(/[,，;；]/).map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

/** Tags after a change, or undefined where nothing changes. */
export function withTags(tags: readonly string[], change: { readonly add: readonly string[]; readonly remove: readonly string[] }): string[] | undefined {
  const next = [...new Set([...tags.filter((tag) => !change.remove.includes(tag)), ...change.add])];
  return next.length === tags.length && next.every((tag, index) => tag === tags[index]) ? undefined : next;
}
