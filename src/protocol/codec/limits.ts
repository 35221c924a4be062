/** Bounds that hold before a document from elsewhere is parsed: a device may be anything. */
export interface Limits {
  /** Size of the document in characters (never more than its bytes). */
  readonly bytes: number;
  /** Nesting of elements, objects and arrays. */
  readonly depth: number;
  /** Elements and attributes, or JSON values. */
  readonly nodes: number;
}

export const DEFAULT_LIMITS: Limits = { bytes: 4 * 1024 * 1024, depth: 64, nodes: 100_000 };
