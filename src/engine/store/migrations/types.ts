/** One numbered step of the schema. Steps are only ever added, never changed once released. */
export interface Migration {
  /** Schema version the database has after this step: 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly name: string;
  /** Statements run in one transaction together with the new version number. */
  readonly sql: string;
}
