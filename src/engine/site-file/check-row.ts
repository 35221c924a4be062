/** Checks rows of a site file before they are kept anywhere: each is as this program would have written it itself. */
import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { say } from '#shared/details.ts';
import { FieldwrightError, isErrorShape, userError } from '#shared/errors.ts';
import { DEVICE_KINDS, DEFAULT_PROFILE } from '#shared/model.ts';
import { JOB_STATES, UNIT_OUTCOMES } from '#shared/model/jobs.ts';
import { readJson } from '#shared/read-json.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { parseAddress } from '../device/transport/address.ts';
import { checkIdentity, checkTags, requireName } from '../inventory/device-text.ts';
import { mergeProfile } from '../inventory/profile.ts';
import type { JobKinds } from '../jobs/job-kind.ts';
import { linkOf } from '../report-files/chain.ts';
import { hashOf } from '../report-files/seal.ts';
import { hashTemplate } from '../template/versions.ts';
import { hashSha256 } from '../text/sha256.ts';
import { LINE_BOUNDS } from './read-lines.ts';
import type { ColumnType, SiteTable, SiteTableName } from './tables.ts';

/** Plain value of a column: what is to be sealed again is an object. */
export type Value = string | number | Uint8Array | { readonly sealed: string } | null;
export type CheckedRow = Readonly<Record<string, Value>>;

const JSON_BOUNDS = { bytes: LINE_BOUNDS.bytes, depth: 64, nodes: 2_000_000 };
const INFLATED_BYTES = 64 * 1024 * 1024;
/** Longest text of a column that is a name, a time or a number of something. */
const SHORT = 4_000;
/** Columns of text that may be as long as a document. */
const LONG = new Set(['text', 'content', 'body', 'value', 'sealed', 'search_text']);

const sealedValue = z.strictObject({ sealed: z.string() });
const bytesValue = z.strictObject({ base64: z.base64() });

/** Returns the row with its columns. @throws `unreadable-file` that names table and column */
export function checkRow(table: SiteTable, row: unknown, kinds: Pick<JobKinds, 'find'>): CheckedRow {
  let column = '';
  try {
    if (typeof row !== 'object' || row === null) throw new Error('no row');
    const given = row as Readonly<Record<string, unknown>>;
    const checked: Record<string, Value> = {};
    for (const [name, type] of Object.entries(table.columns)) {
      column = name;
      checked[name] = checkValue(name, type, given[name] ?? null);
    }
    column = '';
    RULES[table.name as SiteTableName]?.(checked, kinds);
    return checked;
  } catch (cause) {
    // A kind or a word of a later version is no damage.
    if (cause instanceof FieldwrightError && cause.shape.code === 'not-available') throw cause;
    const place = column === '' ? table.name : `${table.name}.${column}`;
    throw userError('unreadable-file', say('site-file.row', { place }), { path: place, cause });
  }
}

function checkValue(name: string, type: string, value: unknown): Value {
  if (value === null) {
    if (type.endsWith('?')) return null;
    throw new Error('missing');
  }
  switch (type.replace('?', '') as ColumnType) {
    case 'int':
      return z.int().parse(value);
    case 'text':
      return z
        .string()
        .max(LONG.has(name) ? LINE_BOUNDS.bytes : SHORT)
        .parse(value);
    case 'json':
      return checkJson(value, z.looseObject({}));
    case 'list':
      return checkJson(value, z.array(z.unknown()));
    case 'bytes':
      return Buffer.from(bytesValue.parse(value).base64, 'base64');
    case 'sealed':
      return sealedValue.parse(value);
    case 'content':
      return z.union([z.string(), z.int().positive(), sealedValue]).parse(value);
  }
}

function checkJson(value: unknown, schema: z.ZodType): string {
  const text = z.string().parse(value);
  schema.parse(readJson(text, JSON_BOUNDS));
  return text;
}

type Rule = (row: CheckedRow, kinds: Pick<JobKinds, 'find'>) => void;

const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const id = z.string().regex(/^[\w.:@-]{1,100}$/);
const owner = z.strictObject({ id, name: z.string().max(200), at: time, handedAt: time.optional() });
const archived = z.looseObject({
  id,
  siteId: id,
  kinds: z.array(z.string()),
  tags: z.array(z.string()),
  profile: z.looseObject({}),
  strength: z.int(),
  reach: z.literal('unknown'),
  signIn: z.literal('unknown'),
  credentialId: z.undefined().optional(),
  lastError: z.undefined().optional(),
  addedAt: time,
});
const formerPlace = z.looseObject({
  name: z.string().max(200),
  tags: z.array(z.string()),
  credentialId: z.undefined().optional(),
});
const movedWork = z.array(z.strictObject({ job: id, position: z.int().min(0), name: z.string().max(200) }));
const agreedBy = z.looseObject({ at: z.string(), user: z.string() });
const differences = z.array(
  z.looseObject({
    set: z.string(),
    params: z.looseObject({}),
    path: z.string(),
    label: z.string(),
    since: z.string(),
    changes: z.array(z.looseObject({ path: z.string() })),
    agreedBy,
  }),
);
const planDevices = z.array(
  z.looseObject({ deviceId: z.string(), url: z.string(), sections: z.array(z.looseObject({})) }),
);

/** Checks of the fields of a device, by the text that a row or a history has; an empty one is a value that is missing. */
const FIELDS: Readonly<Record<string, (value: string) => void>> = {
  name(value) {
    if (requireName(value) !== value) throw new Error('name');
  },
  url(value) {
    if (parseAddress(value).url !== value) throw new Error('address');
  },
  kinds: (value) => void z.array(z.enum(DEVICE_KINDS)).parse(parse(value)),
  tags: (value) => void checkTags(z.array(z.string()).parse(parse(value))),
  profile: (value) => void mergeProfile(DEFAULT_PROFILE, z.looseObject({}).parse(parse(value))),
  identity(value) {
    if (value !== '') checkIdentity(value);
  },
};
const OTHER_FIELDS = ['certificate', 'site_id', 'removed', 'ports', 'services', 'details', 'branding'];

const RULES: Partial<Record<SiteTableName, Rule>> = {
  sites: (row) => checkNamed(row, 'created_at'),
  profiles(row) {
    checkNamed(row, 'created_at');
    mergeProfile(DEFAULT_PROFILE, parse(row['profile']) as object);
    z.array(z.int().min(1).max(65_535)).max(8).parse(parse(row['ports']));
    z.array(z.string().max(32)).max(8).parse(parse(row['services']));
  },
  credentials: (row) => {
    id.parse(row['id']);
    requireName(text(row['label']));
    time.parse(row['updated_at']);
  },
  devices(row) {
    checkNamed(row, 'added_at');
    for (const [field, check] of Object.entries(FIELDS)) check(text(row[field]));
  },
  device_secrets(row) {
    z.enum(['pending', 'current', 'former']).parse(row['state']);
    time.parse(row['changed_at']);
  },
  inventory_changes(row) {
    id.parse(row['entity']);
    time.parse(row['at']);
    const field = z.enum([...Object.keys(FIELDS), ...OTHER_FIELDS]).parse(row['field']);
    FIELDS[field]?.(text(row['value']));
  },
  templates: (row) => void id.parse(row['id']),
  template_versions(row) {
    if (hashTemplate(text(row['text'])) !== row['hash']) throw new Error('hash');
  },
  plans: (row) => void id.parse(row['id']),
  plan_parts: (row) => void planDevices.parse(parse(row['devices'])),
  jobs(row, kinds) {
    id.parse(row['id']);
    z.enum(JOB_STATES).exclude(['running', 'waiting']).parse(row['state']);
    time.parse(row['created_at']);
    const kind = kinds.find(text(row['kind']));
    if (kind === undefined)
      throw new FieldwrightError({ code: 'not-available', source: 'app', ...say('site-file.newer') });
    kind.schemas().body.parse(parse(row['body']));
  },
  job_devices(row) {
    z.enum(['pending', 'running', 'done', 'failed']).parse(row['state']);
    if (row['error'] !== null && !isErrorShape(parse(row['error']))) throw new Error('error');
    if (row['work_owner'] !== null) owner.parse(parse(row['work_owner']));
    if (row['url'] !== '' && !URL.canParse(text(row['url']))) throw new Error('address');
  },
  job_units(row) {
    z.enum(UNIT_OUTCOMES).parse(row['outcome']);
    z.enum(['planned', 'intent', 'settled']).parse(row['phase']);
    if (typeof row['detail'] === 'string') checkJson(row['detail'], z.looseObject({}));
    if (row['error'] !== null && !isErrorShape(parse(row['error']))) throw new Error('error');
  },
  flow_effects: (row) => void readJson(text(row['value']), JSON_BOUNDS),
  accepted_values: (row) => void readJson(text(row['value']), JSON_BOUNDS),
  agreement_looks: (row) => void differences.parse(parse(row['differences'])),
  document_contents(row) {
    if (hashSha256(text(row['body'])) !== row['sha256']) throw new Error('hash');
  },
  document_versions(row) {
    time.parse(row['at']);
    time.parse(row['until']);
  },
  records(row) {
    const link = linkOf(readJson(text(row['sealed']), JSON_BOUNDS) as SealedDocument);
    if (!link.isIntact || link.id !== row['id'] || link.sha256 !== row['sha256']) throw new Error('hash');
  },
  archived_devices(row) {
    const record = archived.parse(parse(row['record']));
    if (record.id !== row['device_id']) throw new Error('device');
    for (const field of ['name', 'url'] as const) FIELDS[field]?.(z.string().parse(record[field]));
    for (const field of ['kinds', 'tags', 'profile'] as const) FIELDS[field]?.(JSON.stringify(record[field]));
    for (const column of ['replaced_by', 'job_id']) id.parse(row[column]);
    time.parse(row['at']);
    formerPlace.parse(parse(row['place_before']));
    movedWork.parse(parse(row['moved_work']));
  },
  proposal_rules(row) {
    for (const column of ['id', 'template_id']) id.parse(row[column]);
    if (row['kind'] !== null) z.enum(DEVICE_KINDS).parse(row['kind']);
    if (row['tag'] !== null) checkTags([text(row['tag'])]);
    time.parse(row['at']);
  },
  proposal_answers(row) {
    for (const column of ['since', 'at']) time.parse(row[column]);
  },
  readings: (row) => void inflate(row['body']),
  documents(row) {
    const sealed = inflate(row['body']) as SealedDocument;
    if (hashOf(sealed) !== row['sha256']) throw new Error('hash');
    readJson(text(row['title']), JSON_BOUNDS);
  },
};

function checkNamed(row: CheckedRow, since: string): void {
  id.parse(row['id']);
  if (requireName(text(row['name'])) !== row['name']) throw new Error('name');
  time.parse(row[since]);
}

function text(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Parses a text whose bounds were checked with its column. */
function parse(value: Value | undefined): unknown {
  return readJson(text(value), JSON_BOUNDS);
}

function inflate(body: Value | undefined): unknown {
  if (!(body instanceof Uint8Array)) return undefined;
  const plain = inflateRawSync(body, { maxOutputLength: INFLATED_BYTES }).toString('utf8');
  return readJson(plain, JSON_BOUNDS);
}
