/** The schema of documents and what bounds them. A file that comes in is untrusted. */
import { z } from 'zod';
import type { DetailId } from './details.ts';

/** Marks a document, and says by which schema it was written. */
export const REPORT_FORMAT = 'fieldwright-report/1';

/** Maximum sizes in one document. `sealDocument` cuts what is longer and states in the document how much. */
export const REPORT_LIMITS = {
  /** Characters of one text. */
  text: 4000,
  /** Rows of one table, entries of one list, points of one series. */
  rows: 20_000,
  columns: 24,
  sections: 5000,
  /** Blocks of one section, series of one plot. */
  blocks: 200,
  /** Parts of one item of a list that is written on one line. */
  parts: 64,
  shapes: 2000,
  logoBytes: 300 * 1024,
  /** Bytes of a file that is verified. */
  fileBytes: 64 * 1024 * 1024,
} as const;

/**
 * Marks that a cell shows as a word and a sign: what a device reports of itself (three states), what it
 * really answered, and how a value compares with the one beside it.
 */
const MARKS = [
  'true',
  'false',
  'not-reported',
  'works',
  'refused',
  'no-permission',
  'not-found',
  'malformed',
  'no-answer',
  'not-read',
  'same',
  'changed',
  'added',
  'gone',
] as const;
export type Mark = (typeof MARKS)[number];

/** Builds the schemas of a document's parts; `reportSchemas` calls it once. */
export function buildSchemas() {
  const plain = z.string().max(REPORT_LIMITS.text + 40);
  const name = z.string().max(200);
  const count = z.int().nonnegative();
  const finite = z.number();
  const listOf = <T extends z.ZodType>(
    item: T,
    most: number = REPORT_LIMITS.rows,
  ): z.ZodReadonly<z.ZodArray<T>> => z.array(item).max(most).readonly();
  const shape = <const T extends z.ZodRawShape>(fields: T): z.ZodReadonly<z.ZodObject<T, z.core.$strict>> =>
    z.strictObject(fields).readonly();

  /** Time with its offset from UTC; the zone's name is given once, in the document. */
  const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/);

  /** `2026-03-31`. */
  const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

  /** An entry of the catalogue; ids that this version does not know are shown as they are. */
  const entry = shape({
    id: z.string().regex(/^[\w.-]{1,80}$/) as unknown as z.ZodType<DetailId, string>,
    values: z
      .record(name, z.union([plain, finite]))
      .readonly()
      .optional(),
    /** The device's own reason. */
    reason: plain.optional(),
  });
  /**
   * The name of a field or an operation, or of one of a field's options: the root and the path below it, by which
   * `resources/locales/<language>/fields.json` knows it, and its English label. `items`: what identifies each item of a list
   * along the path, the key first; empty where only its position is known.
   */
  const fieldName = shape({
    root: name,
    path: plain.optional(),
    option: plain.optional(),
    label: plain,
    items: z
      .array(
        z
          .array(shape({ path: name, value: plain }))
          .max(100)
          .readonly(),
      )
      .max(20)
      .readonly()
      .optional(),
  });
  const words = z.union([plain, entry, fieldName]).meta({ id: 'words' });

  const proof = z.enum(['written', 'read-back', 'function-tested', 'attested']);

  const result = z.enum(['done', 'failed', 'skipped', 'open']);

  const single = z
    .union([
      words,
      /** `decimals`: the resolution it has; without, as many as it needs. */
      shape({ number: finite, decimals: z.int().min(0).max(9).optional(), unit: name.optional() }),
      shape({ time }),
      shape({ yes: z.boolean() }),
      /** A secret; its value is never included. */
      shape({ isSet: z.boolean() }),
      shape({ proof }),
      shape({ result }),
      shape({ mark: z.enum(MARKS) }),
      z.null(),
    ])
    .meta({ id: 'single' });
  /** `parts`: all of an item of a list at once, each by its name. */
  const value = z
    .union([single, shape({ parts: listOf(shape({ label: words, value: single }), REPORT_LIMITS.parts) })])
    .meta({ id: 'value' });

  const fact = shape({
    label: words,
    value,
    proof: proof.optional(),
    /** Source of the value: an operation, a person, a document. */
    source: words.optional(),
    /** The drawing that follows shows it, so that a page does not repeat it. */
    drawn: z.boolean().optional(),
  });

  /** Number of further entries that the maker or `sealDocument` left out; the document says so. */
  const omitted = count.optional();

  const tone = z.enum(['plain', 'notice', 'good', 'warning', 'danger']);
  const paragraph = shape({ block: z.literal('paragraph'), text: words, tone: tone.optional() });
  /** Channel, preset and the like, by their names in the operation. */
  const params = z.record(name, z.union([plain, finite])).readonly();
  const facts = shape({
    block: z.literal('facts'),
    title: words.optional(),
    /** The read that all of them come from. */
    of: shape({ operation: name, params }).optional(),
    /** Further places of that read where all of them are the same. */
    also: listOf(params).optional(),
    /** Ids of the devices that they hold for; absent: those of the section. */
    devices: listOf(name).optional(),
    facts: listOf(fact),
    omitted,
  });
  /** Settings of devices that are alike and differ in these. Values are in the order of the devices. */
  const matrix = shape({
    block: z.literal('matrix'),
    title: words.optional(),
    devices: listOf(shape({ id: name, name: plain })),
    settings: listOf(
      shape({
        of: shape({ operation: name, params }).optional(),
        also: listOf(params).optional(),
        label: words,
        /** Channel, preset and the like, in words. */
        where: words.optional(),
        proof: proof.optional(),
        values: listOf(value),
        /** Ids of devices that do not show it; their value is null. */
        without: listOf(name).optional(),
        /** Source of each value; absent where all have one and it is said above. */
        sources: listOf(words).optional(),
      }),
    ),
  }).refine(({ devices, settings }) => settings.every(({ values }) => values.length === devices.length));

  const column = shape({
    label: words,
    type: z.enum(['text', 'number', 'time', 'flag', 'proof', 'result', 'mark']),
    unit: name.optional(),
  });
  const table = shape({
    block: z.literal('table'),
    title: words.optional(),
    columns: listOf(column, REPORT_LIMITS.columns),
    /** Each as long as there are columns. */
    rows: listOf(listOf(value, REPORT_LIMITS.columns)),
    omitted,
  }).refine(({ columns, rows }) => rows.every(({ length }) => length === columns.length));

  const check = shape({
    label: words,
    result,
    proof: proof.optional(),
    /** Reason why it was skipped or failed. */
    reason: words.optional(),
    /** A time, or the day alone. */
    at: z.union([time, day]).optional(),
    by: plain.optional(),
  });
  const checklist = shape({
    block: z.literal('checklist'),
    title: words.optional(),
    items: listOf(check),
    omitted,
  });

  const axis = shape({ label: words, unit: name.optional(), decimals: z.int().min(0).max(9).optional() });
  const plot = shape({
    block: z.literal('plot'),
    title: words,
    x: axis,
    y: axis,
    series: listOf(
      shape({
        label: words,
        draw: z.enum(['line', 'points']),
        points: listOf(z.tuple([finite, finite]).readonly()),
        omitted,
      }),
      REPORT_LIMITS.blocks,
    ),
    /** Lines across the plot at a value of y. */
    limits: listOf(shape({ label: words, at: finite }), 20).optional(),
    /** Sentence that says what the plot shows. A table of the points follows below by itself. */
    twin: words.optional(),
  });

  /** Meaning of a shape in a drawing; shown by more than its colour. */
  const state = z.enum(['plain', 'off', 'good', 'warning', 'bad']);
  const coordinate = z.number().min(-10_000).max(10_000);
  const shapes = z.discriminatedUnion('shape', [
    shape({
      shape: z.literal('rect'),
      x: coordinate,
      y: coordinate,
      width: coordinate.nonnegative(),
      height: coordinate.nonnegative(),
      state: state.optional(),
    }),
    shape({
      shape: z.literal('circle'),
      x: coordinate,
      y: coordinate,
      r: coordinate.nonnegative(),
      state: state.optional(),
    }),
    shape({
      shape: z.literal('path'),
      points: listOf(z.tuple([coordinate, coordinate]).readonly(), REPORT_LIMITS.shapes),
      closed: z.boolean().optional(),
      state: state.optional(),
    }),
    shape({
      shape: z.literal('text'),
      x: coordinate,
      y: coordinate,
      text: words,
      size: z.number().positive().max(200).optional(),
      anchor: z.enum(['start', 'middle', 'end']).optional(),
    }),
  ]);
  const drawing = shape({
    block: z.literal('drawing'),
    title: words,
    width: z.number().positive().max(10_000),
    height: z.number().positive().max(10_000),
    shapes: listOf(shapes, REPORT_LIMITS.shapes),
    /** The same in words: one line a fact that the drawing shows. */
    twin: z.array(fact).min(1).max(REPORT_LIMITS.rows).readonly(),
  });

  /** Text drawn as a QR code; it is also printed below the code. */
  const code = shape({ block: z.literal('code'), title: words, text: z.string().min(1).max(500) });

  const signature = shape({
    name: plain,
    role: words.optional(),
    /** Time of the signature; absent if it is still to be signed by hand. */
    at: time.optional(),
    statement: words,
  });
  const signatures = shape({ block: z.literal('signatures'), signatures: listOf(signature, 50) });

  const openPoint = shape({
    text: words,
    severity: z.enum(['note', 'minor', 'major', 'unsafe']),
    owner: plain.optional(),
    due: day.optional(),
  });
  const openPoints = shape({
    block: z.literal('openPoints'),
    title: words.optional(),
    points: listOf(openPoint),
    omitted,
  });

  const leaves = [
    paragraph,
    facts,
    matrix,
    table,
    checklist,
    plot,
    drawing,
    code,
    signatures,
    openPoints,
  ] as const;
  const leaf = z.discriminatedUnion('block', leaves).meta({ id: 'block' });
  const group = shape({
    block: z.literal('group'),
    title: words,
    blocks: listOf(leaf, REPORT_LIMITS.blocks),
  });
  const block = z.discriminatedUnion('block', [...leaves, group]);

  const section = shape({
    title: words,
    /** The one device that it is about, by its id among the devices of the document. */
    device: name.optional(),
    /** Devices that are alike: each is as the blocks say that name the read they come from. */
    devices: listOf(name).optional(),
    /** Begins on a page of its own. */
    page: z.boolean().optional(),
    blocks: listOf(block, REPORT_LIMITS.blocks),
  });

  const person = shape({ name: plain, role: words.optional(), company: plain.optional() });
  const device = shape({
    id: name.optional(),
    name: plain,
    address: plain.optional(),
    model: plain.optional(),
    serial: plain.optional(),
    firmware: plain.optional(),
  });

  /** Company that hands the document over, shown above the title. */
  const cover = shape({
    company: plain.optional(),
    lines: z.array(plain).max(10).readonly().optional(),
    logo: shape({
      type: z.enum(['image/png', 'image/jpeg']),
      base64: z
        .string()
        .regex(/^[A-Za-z0-9+/]+={0,2}$/)
        .max(REPORT_LIMITS.logoBytes * 2),
      width: z.int().positive().max(4000),
      height: z.int().positive().max(4000),
    }).optional(),
  });

  const reportDocument = shape({
    format: z.literal(REPORT_FORMAT),
    /** Kind of the document: `commissioning.gate`, `capability-report`. */
    kind: z.string().regex(/^[a-z][\w.-]{0,79}$/),
    id: z.string().regex(/^[\w-]{1,80}$/),
    title: words,
    cover: cover.optional(),
    site: shape({ id: name.optional(), name: plain, address: plain.optional() }).optional(),
    devices: listOf(device).optional(),
    /** Time at which the document was made. */
    at: time,
    /** The zone's name, as in `Europe/Berlin`, whose offset the times have. */
    zone: name,
    by: listOf(person, 20),
    /** "Prepared with": it never says that something complies with something. */
    preparedWith: shape({ name, version: name }),
    sections: listOf(section, REPORT_LIMITS.sections),
  });

  const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
  const previous = shape({ id: z.string().regex(/^[\w-]{1,80}$/), sha256 });
  const sealedDocument = shape({
    document: reportDocument,
    previous: previous.optional(),
    /** SHA-256 of the canonical JSON of `{ document, previous }`. */
    sha256,
  });

  return {
    words,
    proof,
    result,
    value,
    fact,
    tone,
    table,
    check,
    matrix,
    plot,
    state,
    shapes,
    drawing,
    openPoint,
    cover,
    leaf,
    block,
    section,
    reportDocument,
    previous,
    sealedDocument,
  };
}
