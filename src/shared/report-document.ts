/**
 * The one document model: what commissioning records, reports and hand-over documents are before they are
 * HTML, PDF or JSON. A document is data in no language: its prose is entries of the catalogue with values,
 * names of fields, or plain text that people and devices gave. It holds no secret: values of device fields
 * come in through `buildFact`. Schema (`report-document-schemas.ts`) and types are one declaration.
 */
import { z } from 'zod';
import type { Detail } from './details.ts';
import { buildSchemas } from './report-document-schemas.ts';

export { REPORT_FORMAT, REPORT_LIMITS } from './report-document-schemas.ts';
export type { Mark } from './report-document-schemas.ts';

let built: ReturnType<typeof buildSchemas> | undefined;

/**
 * Returns the schemas of a document's parts, to validate one from outside. Builds them on the first call:
 * most commands need none.
 */
export function reportSchemas(): ReturnType<typeof buildSchemas> {
  return (built ??= buildSchemas());
}
type Inferred<Name extends keyof ReturnType<typeof buildSchemas>> = z.infer<
  ReturnType<typeof buildSchemas>[Name]
>;

/** Prose: an entry of the catalogue, the name of a field, or text of a person or a device. */
export type DocumentText = Inferred<'words'>;

/** Lowest first. A line shows the level that it has and never a higher one. */
export type Proof = Inferred<'proof'>;

/** Result of a step or a check; `skipped` has a reason. */
export type Result = Inferred<'result'>;

/** A value of a line or a cell; null where there is none. */
export type Value = Inferred<'value'>;
export type Fact = Inferred<'fact'>;
export type Tone = Inferred<'tone'>;
export type Table = Inferred<'table'>;
export type Matrix = Inferred<'matrix'>;
export type Check = Inferred<'check'>;
export type Plot = Inferred<'plot'>;
export type ShapeState = Inferred<'state'>;

/** Shape in units of the drawing; y grows downwards and is the baseline of a text. */
export type Shape = Inferred<'shapes'>;
export type Drawing = Inferred<'drawing'>;

/** A defect, or other remaining work. */
export type OpenPoint = Inferred<'openPoint'>;
export type Cover = Inferred<'cover'>;
export type Leaf = Inferred<'leaf'>;
export type Block = Inferred<'block'>;
export type Section = Inferred<'section'>;
export type ReportDocument = Inferred<'reportDocument'>;

/** The record of the same site before this one. */
export type Previous = Inferred<'previous'>;

/**
 * A document with the hash of its content and its place in the chain of a site's records. The hash shows that
 * the content is unchanged since it was hashed; it is no signature: a person who changes the content can hash
 * it anew.
 */
export type SealedDocument = Inferred<'sealedDocument'>;

/** Fault in the chain of a site's records; `id` is the record concerned. */
export interface ChainFault {
  readonly kind: 'missing' | 'changed' | 'inserted' | 'reordered';
  readonly id: string;
  readonly finding: Detail;
}

/** A line of a document, to compare it with another one's. */
export interface Line {
  readonly value: Value;
  readonly proof?: Proof;
  readonly reason?: DocumentText;
}

/**
 * A line that two documents do not have alike; without `before` it is new, without `after` it was removed.
 */
export interface Difference {
  readonly where: DocumentText;
  readonly what: DocumentText;
  /** Column, of a table. */
  readonly field?: DocumentText;
  readonly before?: Line;
  readonly after?: Line;
}

export interface RecordComparison {
  readonly same: boolean;
  readonly differences: readonly Difference[];
  /** The same to be shown. */
  readonly table: Table;
}

/** Returns the published schema (draft 2020-12), which is kept in `resources/schema/report.schema.json`. */
export function reportSchemaText(): string {
  const schema = z.toJSONSchema(reportSchemas().sealedDocument, {
    reused: 'ref',
    // The keyword would mean something else in a schema for others.
    override: ({ jsonSchema }) => delete jsonSchema.readOnly,
  });
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
