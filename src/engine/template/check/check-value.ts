/**
 * The value of a section against its payload, variables included: a variable with a default is
 * checked with it, one without by its declared type and range.
 */
import {
  listControllerPaths,
  findField,
  resolveUnit,
  isSensitiveAt,
  isWithin,
  joinPath,
  mapLeaves,
  validate,
  listWarnings,
  type Constraints,
  type Field,
  type Issue,
  type Payload,
} from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { VariableDeclaration } from '../document.ts';
import { issueText } from './issues.ts';
import { checkListKeys, isAboutWholeList, locateInSection, type ListChange } from '#template/list-change.ts';
import { findWholeVariable } from '#template/placeholder.ts';
import type { Problems } from './problems.ts';
import { substitute } from '../values/substitute.ts';
import { fitVariable, makeTextStandIn } from '../values/variable-fit.ts';

interface ValueContext {
  readonly payload: Payload;
  /** Path of the section in the document: `sections[0]`. */
  readonly section: string;
  /** Lists that are changed in part. */
  readonly lists: readonly ListChange[];
  readonly operation: string;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly problems: Problems;
  /** Limits of a device, where they are known. */
  readonly constraints?: Constraints;
  /** Out-of-range values will be adjusted when it comes to that device. */
  readonly clamp?: boolean;
}

/** Issues that a later value may mend; the others are about names and stay. */
const VALUE_CODES: ReadonlySet<Issue['code']> = new Set([
  'wrong-type',
  'out-of-range',
  'not-allowed',
  'too-long',
  'missing-field',
  'condition-not-met',
  'invalid-content',
]);

/** Adds what is wrong with the value to `context.problems`. */
export function checkValue(value: unknown, context: ValueContext): void {
  const { payload, problems, lists } = context;
  const open = new Set<string>();
  const complained = new Set<string>();
  const locate = (inner: string): string => joinPath(context.section, locateInSection(lists, inner));
  const complain = (inner: string, code: Issue['code'], detail: Detail): void => {
    complained.add(inner);
    problems.add(code, locate(inner), detail, { operation: context.operation });
  };
  checkSecrets(value, context, complain);

  const patch = substitute(value, '', (name, inner, whole) => {
    const variable = context.variables.get(name);
    const field = findField(payload, inner);
    if (variable === undefined) complained.add(inner);
    if (variable === undefined || field === undefined) {
      open.add(inner);
      return undefined;
    }
    if (variable.default !== undefined) return variable.default;
    open.add(inner);
    if (!whole) {
      if (!takesText(field))
        complain(inner, 'wrong-type', createDetail('variable-beside-text', { field: field.name, name }));
      return '';
    }
    const fit = fitVariable(variable, resolveUnit(field, value, 'patch'));
    if (fit.ok) return fit.standIn;
    complain(inner, fit.code, fit.detail);
    return undefined;
  });

  const filled = fillTexts(patch, value, open, payload);
  for (const list of lists)
    checkListKeys(payload, filled, list, ({ path, code, detail }) => {
      if (!open.has(path)) complain(path, code, detail);
    });
  const narrowed = context.constraints === undefined ? {} : { constraints: context.constraints };
  for (const issue of validate(payload, filled, { mode: 'patch', ...narrowed })) {
    if (problems.isFull) return;
    if (complained.has(issue.path) || mendable(issue, open, payload)) continue;
    if (isAboutWholeList(issue, lists)) continue;
    if (context.clamp === true && issue.code === 'out-of-range') continue;
    problems.addShape({ code: issue.code, ...issueText(payload, issue) }, locate(issue.path), {
      operation: context.operation,
      hint: rootHint(payload, issue),
      atKey:
        issue.code === 'unknown-field' ||
        issue.code === 'read-only-field' ||
        issue.code === 'condition-not-met',
    });
  }
  for (const issue of listWarnings(payload, filled, context.constraints)) {
    // A stand-in says nothing about the value that will stand there.
    if ([...open].some((inner) => isWithin(inner, issue.path))) continue;
    problems.addShape({ code: issue.code, ...issueText(payload, issue) }, locate(issue.path), {
      operation: context.operation,
    });
  }
}

/** The name of the document itself stands on the wire and in captures of it, never in a value. */
function rootHint(payload: Payload, { code, path }: Issue): string | undefined {
  return code === 'unknown-field' && path === payload.root
    ? `The value is what stands inside ${path}: leave this level out.`
    : undefined;
}

function takesText(field: Field): boolean {
  if (field.kind === 'choice') return field.options.some(({ value }) => typeof value === 'string');
  return !['int', 'float', 'bool', 'object', 'list'].includes(field.kind);
}

/** True where the issue hangs on a variable that has no value yet. */
function mendable(issue: Issue, open: ReadonlySet<string>, payload: Payload): boolean {
  if (!VALUE_CODES.has(issue.code)) return false;
  if (open.has(issue.path)) return true;
  return (
    issue.code === 'condition-not-met' &&
    listControllerPaths(payload, issue.path).some((controller) => open.has(controller))
  );
}

/** Texts with an open variable inside get a stand-in of the field's own form. */
function fillTexts(patch: unknown, template: unknown, open: ReadonlySet<string>, payload: Payload): unknown {
  if (open.size === 0) return patch;
  const texts = new Map<string, string>();
  mapLeaves(template, (text, inner) => {
    const field = findField(payload, inner);
    if (
      typeof text === 'string' &&
      open.has(inner) &&
      findWholeVariable(text) === undefined &&
      field !== undefined
    )
      texts.set(inner, makeTextStandIn(field, text));
  });
  return mapLeaves(patch, (leaf, inner) => (typeof leaf === 'string' ? (texts.get(inner) ?? leaf) : leaf));
}

/** A secret stands in secret fields only, and a secret field holds nothing but a secret. */
function checkSecrets(
  value: unknown,
  context: ValueContext,
  complain: (inner: string, code: Issue['code'], detail: Detail) => void,
): void {
  mapLeaves(value, (leaf, inner) => {
    const name = typeof leaf === 'string' ? findWholeVariable(leaf) : undefined;
    const variable = name === undefined ? undefined : context.variables.get(name);
    const secretField = isSensitiveAt(context.payload, inner);
    if (secretField && leaf !== null && name === undefined) {
      complain(inner, 'not-allowed', createDetail('secret-in-template', { field: inner }));
    } else if (secretField && variable !== undefined && variable.type !== 'secret') {
      complain(
        inner,
        'not-allowed',
        createDetail('secret-not-declared', { field: inner, name: variable.name }),
      );
    } else if (!secretField && typeof leaf === 'string') {
      const secret = secretIn(leaf, context.variables);
      if (secret !== undefined)
        complain(inner, 'not-allowed', createDetail('secret-in-plain-field', { name: secret, field: inner }));
    }
  });
}

function secretIn(text: string, variables: ReadonlyMap<string, VariableDeclaration>): string | undefined {
  let found: string | undefined;
  substitute(text, '', (name) => {
    if (variables.get(name)?.type === 'secret') found ??= name;
    return '';
  });
  return found;
}
