/** Converts the issues found by a contract schema to errors that name the field. */
import { say } from '#shared/details.ts';
import type { ErrorCode, ErrorShape } from '#shared/errors.ts';

/** The part of a schema issue that is read here; zod gives more. */
interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>;
  readonly code?: unknown;
  readonly origin?: unknown;
}

/** Further issues are not reported: a hostile input could name thousands. */
const MOST_ISSUES = 20;

/**
 * Returns the first issue with the others beside it. `input` is the checked value, to tell absent from wrong.
 */
export function createInputError(issues: readonly Issue[], input: unknown): ErrorShape {
  const [first, ...others] = issues.slice(0, MOST_ISSUES).map((issue) => toShape(issue, input));
  if (first === undefined) return { code: 'usage', source: 'user', ...say('input-invalid') };
  return others.length === 0 ? first : { ...first, others };
}

function toShape(issue: Issue, input: unknown): ErrorShape {
  const keys = (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return {
    code: codeOf(issue, valueAt(input, keys)),
    source: 'user',
    message: issue.message,
    path: pathText(keys),
  };
}

function codeOf(issue: Issue, value: unknown): ErrorCode {
  if (value === undefined) return 'missing-field';
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string' ? 'too-long' : 'out-of-range';
    case 'too_small':
      return 'out-of-range';
    case 'invalid_value':
    case 'invalid_format':
      return 'not-allowed';
    case 'unrecognized_keys':
      return 'unknown-field';
    default:
      return 'wrong-type';
  }
}

function valueAt(input: unknown, keys: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function pathText(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );
}
