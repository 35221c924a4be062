/** Limits that a device reports in its capability documents. */

/**
 * Report of a device about one field. `true` and `false` for flags, `reported` for all else; a
 * field that is not in the map was not reported, which is a third thing.
 */
export interface Constraint {
  readonly state: 'true' | 'false' | 'reported';
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly def?: string;
  /** Most items of a list. */
  readonly size?: number;
  /** The current value, where the document carries one. */
  readonly text?: string;
}

/** Constraints by the path of their field in the payload; items of lists are written `[]`: `Region[].id`. */
export type Constraints = ReadonlyMap<string, Constraint>;
