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
 * Limits of twice the largest document of the specification that a full device could give. A document within
 * them is read in one piece of less than 100 ms, so that it delays neither a window nor other devices.
 */
export const DEFAULT_LIMITS: Limits = {
  bytes: 1024 * 1024,
  depth: 64,
  nodes: 30_000,
  mends: 1000,
  name: 1000,
};
