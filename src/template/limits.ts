/** Limits for a template from elsewhere. */
export const TEMPLATE_LIMITS = {
  /** Characters of the document, and of its texts after aliases were followed; a UTF-8 file is never shorter. */
  characters: 1_048_576,
  /** Nested lists and objects. */
  depth: 40,
  /** Values in the whole document, after aliases were followed. */
  nodes: 50_000,
  /** Line breaks; and commas. A file with as many values as it may have needs about two thirds of them. */
  lines: 75_000,
  /** Lexical tokens handed to the parser. */
  tokens: 600_000,
  /** Uses of YAML aliases. */
  aliases: 100,
  /** Characters of the way to a value: `sections[0].value.TimeBlockList[0].dayOfWeek`. */
  path: 1000,
  /** Uses of variables: each may be a long text. */
  placeholders: 5000,
  /** A recorder has schedules and plans for each of its channels. */
  sections: 500,
  variables: 500,
  /** Values that a variable may be chosen from. */
  options: 500,
  /** Errors reported at once: a broken document repeats itself. */
  errors: 200,
} as const;

/** Names that reach into an object's prototype; no document of ours has them. */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
