/**
 * Masks secrets and biometric data in requests and answers before they are shown, by the definition of the field, else by
 * name and form. Everything else stays as it was. Known values are masked by `engine/device/redact.ts`.
 */
import { MASK } from '#shared/exchange.ts';
import type { Unlisted } from '#shared/model.ts';
import type { Field, Payload } from '../definition.ts';
import { maskSecrets } from '../diff.ts';
import { findField, isSensitiveAt, listFieldLeaves, rootField } from '../fields/field-at.ts';
import { getLastName } from '../fields/path.ts';
import { mapLeaves } from '../fields/values.ts';
import { listMembers, parseJson, type JsonNode } from '../codec/json-text.ts';
import { DEFAULT_LIMITS } from '../codec/limits.ts';
import { sniff } from '../codec/problems.ts';
import { getLocalName, parseXml, serializeXml } from '../codec/xml-tree.ts';
import type { Found } from './found.ts';
import { redactJson } from './json.ts';
import { maskKeys } from './keys.ts';
import { isSecretName } from './names.ts';
import { redactPlain, maskPlainSecrets } from './plain.ts';
import { isSecretElement, redactElement } from './xml.ts';
import { readOwnJson } from '#shared/read-json.ts';

export { redactPlain, redactProse, maskPlainSecrets } from './plain.ts';

interface RedactOptions {
  /** Definition of the body; unknown names, and bodies without a definition, are judged by their names. */
  readonly payload?: Payload;
  /** The body holds secrets: one that cannot be read is not shown at all. */
  readonly sensitive?: boolean;
  /** Hears of each secret that was masked. */
  readonly found?: Found;
}

const NOBODY: Found = { add: () => {} };

/** Returns a body with its secrets masked; a body without secrets is returned unchanged. Never throws. */
export function redactBody(
  given: string,
  { payload, sensitive = false, found = NOBODY }: RedactOptions = {},
): string {
  // Keys are masked before parsing: their lines may be members or elements of their own.
  const text = maskKeys(given);
  const kind = sniff(text);
  if (kind === 'empty') return text;
  try {
    return (kind === 'xml' ? xmlBody : jsonBody)(text, payload, found);
  } catch {
    // Not well formed, or neither of the two.
    return sensitive ? `[${text.length}: ${MASK}]` : redactPlain(text);
  }
}

function xmlBody(text: string, payload: Payload | undefined, found: Found): string {
  const document = parseXml(text);
  const field = payload?.root === getLocalName(document.root) ? rootField(payload) : undefined;
  const root = redactElement(
    document.root,
    field,
    field === undefined && isSecretElement(document.root),
    found,
  );
  return serializeXml({
    ...document,
    root,
    prolog: redactPlain(document.prolog),
    epilog: redactPlain(document.epilog),
  });
}

function jsonBody(text: string, payload: Payload | undefined, found: Found): string {
  const tree = parseJson(text, DEFAULT_LIMITS);
  return redactJson(text, tree, payload && documentField(payload, tree), found);
}

/** Returns the payload as a field of the whole document, with its root name if it has one. */
function documentField(payload: Payload, tree: JsonNode): Field {
  const field = rootField(payload);
  return listMembers(tree).some((member) => member.name === payload.root)
    ? { kind: 'object', name: '', label: '', fields: [field] }
    : field;
}

/** Returns a decoded value for display: sensitive fields are masked, addresses lose their sign-in. */
export function redactValue(payload: Payload | undefined, value: unknown): unknown {
  return mapLeaves(payload === undefined ? value : maskSecrets(payload, value), (leaf) =>
    typeof leaf === 'string' ? maskPlainSecrets(leaf) : leaf,
  );
}

/** Lists the secrets in a value to be sent. */
export function listSecrets(payload: Payload, value: unknown): readonly string[] {
  const secrets = listFieldLeaves(rootField(payload), value).flatMap(({ sensitive, value: held }) =>
    sensitive && (typeof held === 'string' || typeof held === 'number') && held !== '' ? [String(held)] : [],
  );
  return [...new Set(secrets)];
}

/** Returns the path of the first text with the mask, such as `[0].password`; undefined if there is none. */
export function findMaskPath(value: unknown): string | undefined {
  let found: string | undefined;
  mapLeaves(value, (leaf, path) => {
    if (typeof leaf === 'string' && leaf.includes(MASK)) found ??= path;
  });
  return found;
}

/** Returns a member that the definition does not know, masked for display. */
export function redactUnlisted(payload: Payload | undefined, { path, value }: Unlisted): Unlisted {
  if (payload !== undefined && isSensitivePath(payload, path)) return { path, value: MASK };
  const name = getLastName(path);
  try {
    const shown = readOwnJson(redactBody(JSON.stringify({ [name]: value }))) as Record<string, unknown>;
    return { path, value: shown[name] };
  } catch {
    return { path, value: MASK };
  }
}

/** Returns true if the field at a path, or one around it, is sensitive; an unknown field is judged by its name. */
export function isSensitivePath(payload: Payload, path: string): boolean {
  return (
    isSensitiveAt(payload, path) ||
    (findField(payload, path) === undefined && isSecretName(getLastName(path)))
  );
}
