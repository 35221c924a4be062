/** Builds the problems of a template, each with its place in the text and in the forms, and its fix. */
import { findResource } from '#protocol/catalogue.ts';
import { getUsualParam } from '#protocol/variable-of.ts';
import { findNearestName } from '#protocol/nearest.ts';
import { formatDetail, splitSentences } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { dropVariable, setSectionMember, setVariable } from '../yaml/edits.ts';
import { VARIABLE_NAME } from '#template/placeholder.ts';
import type { YamlProblem } from '#template/read-yaml.ts';
import type { TemplateDoc } from '../yaml/template-doc.ts';

export interface Finding {
  readonly code: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  /** Section, and the path of the field inside its value, where the finding belongs to one. */
  readonly section?: number;
  readonly field?: string;
  readonly nearest?: string;
  readonly error: ErrorShape;
}

/** Offset of a line and column, both from 1; never outside of the text. */
function offsetAt(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return Math.min(start + Math.max(0, column - 1), end < 0 ? text.length : end);
}
function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}

/** The word, quoted text or placeholder that begins at an offset; at least one character wide where there is one. */
function tokenEnd(text: string, from: number): number {
  const match = /^(?:"(?:[^"\\\n]|\\.)*"?|'(?:[^'\n]|'')*'?|\$\{[^}\n]*\}|[^\s,[\]{}#]+)/.exec(
    text.slice(from, from + 400),
  );
  return from + (match?.[0].replace(/:$/, '').length ?? Math.min(1, text.length - from));
}

const FIELD_PATH = /^sections\[(\d+)\](?:\.(?:value|change)(?:\.(.*)|(\[.*))?)?/;

/** The section and field that a path of the document leads to. */
function placeOf(path: string): { readonly section?: number; readonly field?: string } {
  const match = FIELD_PATH.exec(path);
  if (match === null) return {};
  // Items of a list that is changed in part stand one level deeper than in the value.
  const inner = (match[2] ?? match[3])?.replace(/(^|\.)items(?=\[)/, '');
  return { section: Number(match[1]), ...(inner !== undefined && { field: inner }) };
}

const NONE: readonly Finding[] = [];

export function buildFindings(
  text: string,
  syntax: readonly YamlProblem[],
  errors: readonly ErrorShape[],
): readonly Finding[] {
  // The page reports invalid YAML at once; the engine reads it the same way.
  if (syntax.length > 0)
    return syntax.map(({ code, detail, from, to, path }) => ({
      code,
      from: Math.min(from, text.length),
      to: Math.min(Math.max(to, from), text.length),
      path,
      error: { code, source: 'user', ...splitSentences(formatDetail(detail)), detail },
      ...lineAndColumn(text, from),
    }));
  return errors.length === 0
    ? NONE
    : errors.map((error) => {
        const from = offsetAt(text, error.line ?? 1, error.column ?? 1);
        return {
          code: error.code,
          from,
          to: tokenEnd(text, from),
          line: error.line ?? 1,
          column: error.column ?? 1,
          path: error.path ?? '',
          error,
          ...(error.nearest !== undefined && { nearest: error.nearest }),
          ...placeOf(error.path ?? ''),
        };
      });
}

/** Fix of a finding at one press. `name` is the name in its button. */
export interface Fix {
  readonly kind: 'use' | 'declare' | 'drop' | 'param' | 'value';
  readonly name: string;
  readonly text: string;
}

export function fixOf(finding: Finding, doc: TemplateDoc | undefined): Fix | undefined {
  if (doc === undefined) return undefined;
  const { text } = doc;
  if (finding.code === 'undefined-variable') return variableFix(finding, doc);
  if (finding.code === 'unused-variable') return unusedFix(finding, doc);
  if (finding.code === 'missing-parameter') return paramFix(finding, doc);
  if (finding.nearest === undefined) return undefined;
  const now = text.slice(finding.from, finding.to);
  const quote = now[0] === '"' || now[0] === "'" ? now[0] : '';
  return {
    kind: 'use',
    name: finding.nearest,
    text: withText(text, finding.from, finding.to, `${quote}${finding.nearest}${quote}`),
  };
}

function withText(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}

function variableFix(finding: Finding, doc: TemplateDoc): Fix | undefined {
  const declared = doc.variables.map((variable) => variable.name);
  const end = doc.text.indexOf('\n', finding.from);
  const line = doc.text.slice(finding.from, end < 0 ? doc.text.length : end);
  for (const match of line.matchAll(/\$\{([^}]*)\}/g)) {
    const name = match[1]?.trim() ?? '';
    if (declared.includes(name)) continue;
    const nearest = finding.nearest ?? findNearestName(name, declared);
    const from = finding.from + match.index;
    if (nearest !== undefined)
      return {
        kind: 'use',
        name: nearest,
        text: withText(doc.text, from, from + match[0].length, `\${${nearest}}`),
      };
    if (!VARIABLE_NAME.test(name)) return undefined;
    const edited = setVariable(doc, name, { type: 'string' });
    return edited === undefined ? undefined : { kind: 'declare', name, text: edited.text };
  }
  return undefined;
}
function unusedFix(finding: Finding, doc: TemplateDoc): Fix | undefined {
  const name = doc.variables.find((variable) => finding.path === `variables.${variable.name}`)?.name;
  const edited = name === undefined ? undefined : dropVariable(doc, name);
  return name === undefined || edited === undefined ? undefined : { kind: 'drop', name, text: edited.text };
}
function paramFix(finding: Finding, doc: TemplateDoc): Fix | undefined {
  const section = finding.section === undefined ? undefined : doc.sections[finding.section];
  const params = section === undefined ? [] : (findResource(section.set)?.put.params ?? []);
  const missing = params.find((param) => section !== undefined && !Object.hasOwn(section.params, param.name));
  if (section === undefined || missing === undefined) return undefined;
  const edited = setSectionMember(doc, section.index, 'params', {
    ...section.params,
    [missing.name]: getUsualParam(missing),
  });
  return edited === undefined ? undefined : { kind: 'param', name: missing.name, text: edited.text };
}
