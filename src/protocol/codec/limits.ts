/** Bounds that hold before a document from elsewhere is parsed: a device may be anything. */
export interface Limits {
  /** Size of the document in characters (never more than its bytes). */
  readonly bytes: number;
  /** Nesting of elements, objects and arrays. */
  readonly depth: number;
  /** Tags, comments, CDATA sections, processing instructions and references, attributes twice; or JSON values. */
  readonly nodes: number;
  /** Bare `&` that are mended: each makes the document longer. */
  readonly mends: number;
  /** Characters of an element's name. */
  readonly name: number;
}

/**
 * Twice the largest document of the specification that a full device could give. Whatever stays within is read
 * in one piece of less than 100 ms: nobody waits for a window or for other devices because of one answer.
 */
export const DEFAULT_LIMITS: Limits = {
  bytes: 1024 * 1024,
  depth: 64,
  nodes: 30_000,
  mends: 1000,
  name: 1000,
};
