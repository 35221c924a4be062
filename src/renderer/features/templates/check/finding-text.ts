import type { ErrorShape } from '#shared/errors.ts';
import { visibleText } from '#renderer/common/labels/format.ts';
import type { Finding, Fix } from './findings.ts';

type Translate = (key: string, named?: Record<string, unknown>) => string;
/** Codes of the YAML reader that have words of their own. */
const SYNTAX = new Set([
  'BAD_INDENT',
  'TAB_AS_INDENT',
  'MISSING_CHAR',
  'UNEXPECTED_TOKEN',
  'BAD_SCALAR_START',
  'BAD_DQ_ESCAPE',
  'BLOCK_IN_FLOW',
  'MULTILINE_IMPLICIT_KEY',
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_ALIAS',
  'NON_STRING_KEY',
  'DUPLICATE_KEY',
  'TOO_LARGE',
  'SECOND_DOCUMENT',
  'DIRECTIVE',
  'PROTOTYPE_KEY',
  'EMPTY',
  'NOT_A_MAP',
]);

/** `line` says what the engine found; what YAML itself complains about is worded by its code. */
export function findingText(finding: Finding, t: Translate, line: (error: ErrorShape) => string): string {
  if (finding.error !== undefined) return line(finding.error);
  return t(`templates.syntax.${SYNTAX.has(finding.code) ? finding.code : 'OTHER'}`);
}
export function fixText(fix: Fix, t: Translate): string {
  return t(`templates.fix.${fix.kind}`, { name: visibleText(fix.name) });
}
