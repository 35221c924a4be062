/** Documents brought to their bounds and hashed, each with its place in the chain of a site's records. */
import { appError } from '#shared/errors.ts';
import { say } from '#shared/details.ts';
import { maskPlainSecrets } from '#protocol/index.ts';
import { isPlain } from '#protocol/value.ts';
import { getPolicyLogo } from '../files/policy.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { hashSha256 } from '../text/sha256.ts';
import {
  REPORT_LIMITS,
  reportSchemas,
  type Previous,
  type ReportDocument,
  type SealedDocument,
} from '#shared/report-document.ts';

/** The list of a block (or of a series) that may be cut, and tells in `omitted` how much of it was. */
const CUT_LISTS: readonly string[] = ['facts', 'rows', 'items', 'points'];

/**
 * Seals the document within its bounds, with the hash of its content. `previous`: the record of the site
 * before this one. @throws `internal` if it is no document even then: a fault of the caller
 */
export function sealDocument(document: ReportDocument, previous?: SealedDocument | Previous): SealedDocument {
  const read = reportSchemas().reportDocument.safeParse(fitted(withLogo(document)));
  if (!read.success)
    throw appError('internal', say('report.invalid', { path: findInvalidPath(read.error) }), {
      cause: read.error,
    });
  const link = previous === undefined ? undefined : linkTo(previous);
  const content = { document: read.data, ...(link && { previous: link }) };
  return { ...content, sha256: hashOf(content) };
}

/** Returns the document with the logo of the organisation, unless it has one of its own. */
function withLogo(document: ReportDocument): ReportDocument {
  const { logo } = getPolicyLogo();
  return logo === undefined ? document : { ...document, cover: { logo, ...document.cover } };
}

/** Hashes the canonical JSON of `{ document, previous }`, in hexadecimal digits. */
export function hashOf({ document, previous }: Omit<SealedDocument, 'sha256'>): string {
  return hashSha256(encodeCanonicalJson({ document, previous }));
}

/** Returns the text that is kept, sent and hashed: the same bytes wherever it was made. */
export function toCanonicalJson(sealed: SealedDocument): string {
  return encodeCanonicalJson(sealed);
}

/** Returns the path at which a document does not fit its schema. */
export function findInvalidPath({
  issues,
}: {
  readonly issues: readonly { readonly path: PropertyKey[] }[];
}): string {
  return issues[0]?.path.map(String).join('.') ?? '';
}

function linkTo(previous: SealedDocument | Previous): Previous {
  return 'document' in previous ? { id: previous.document.id, sha256: previous.sha256 } : previous;
}

function fitted(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value)) return value.map(fitted);
  if (!isPlain(value)) return value;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const isCut = CUT_LISTS.includes(name) && Array.isArray(member) && member.length > REPORT_LIMITS.rows;
    // A picture is whole or none; the schema bounds it.
    if (name === 'base64') members[name] = member;
    else members[name] = fitted(isCut ? member.slice(0, REPORT_LIMITS.rows) : member);
    if (isCut) members['omitted'] = Number(value['omitted'] ?? 0) + (member.length - REPORT_LIMITS.rows);
  }
  return members;
}

/** Shortens a text and masks the sign-in of an address; the number of omitted characters comes at the end. */
function shortened(text: string): string {
  const most = REPORT_LIMITS.text;
  const kept = maskPlainSecrets(text.slice(0, most)).slice(0, most).toWellFormed();
  return text.length <= most ? kept : `${kept}… (+${text.length - most})`;
}
