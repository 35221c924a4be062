/** Finds, by field, what prevents sending the form's contents, before anything is sent. */
import type { Constraints } from '#protocol/capability/types.ts';
import { computeChanges } from '#protocol/diff.ts';
import type { Field, Payload } from '#protocol/definition.ts';
import { findBrokenRules, validate } from '#protocol/validate.ts';
import { listWarnings } from '#protocol/warnings.ts';
import { isPlain, getOwn } from '#protocol/value.ts';
import { isRelated, joinPath } from '#protocol/fields/path.ts';
import { rootField } from '#protocol/fields/field-at.ts';
import { buildBody, patchBetween } from './edit-model.ts';
import type { Issue } from '#protocol/issue.ts';

interface FormState {
  readonly payload: Payload;
  /** Value as read; undefined if the form starts from nothing (a request that is sent whole). */
  readonly original: unknown;
  readonly edited: unknown;
  readonly constraints?: Constraints | undefined;
}

/**
 * Complaints by path, the first of each. A resource is judged by what its changes bring: what the
 * device itself holds is never held against it. A request is judged whole.
 */
export function findIssues(state: FormState): ReadonlyMap<string, Issue> {
  const issues = state.original === undefined ? wholeIssues(state, state.edited) : changeIssues(state);
  const byPath = new Map<string, Issue>();
  for (const issue of issues) if (!byPath.has(issue.path)) byPath.set(issue.path, issue);
  return byPath;
}

/**
 * Returns what is unusual and may be sent all the same, by path; of a resource only what the changes cause.
 */
export function findWarnings({
  payload,
  original,
  edited,
  constraints,
}: FormState): ReadonlyMap<string, Issue> {
  const changed =
    original === undefined ? [''] : computeChanges(payload, original, edited).map((change) => change.path);
  const found = listWarnings(payload, buildBody(payload, edited), constraints);
  return new Map(
    found.filter(({ path }) => changed.some((at) => isRelated(path, at))).map((issue) => [issue.path, issue]),
  );
}

function changeIssues(state: FormState): readonly Issue[] {
  const { payload, original, edited } = state;
  const patch = patchBetween(payload, original, edited);
  if (patch === undefined) return [];
  const changed = computeChanges(payload, original, edited).map((change) => change.path);
  const before = new Set(wholeIssues(state, original).map(identity));
  const brought = wholeIssues(state, edited).filter(
    (issue) => changed.some((path) => isRelated(issue.path, path)) || !before.has(identity(issue)),
  );
  return [
    ...validate(payload, patch, { mode: 'patch', ...limits(state) }),
    ...brought,
    ...missingSecrets(rootField(payload), patch, edited),
  ];
}

/** Rules between fields count although something else is odd, which keeps `validate` from them. */
function wholeIssues(state: FormState, value: unknown): readonly Issue[] {
  const body = buildBody(state.payload, value);
  const issues = validate(state.payload, body, { mode: 'whole', ...limits(state) });
  if (issues.length === 0 || !isPlain(body)) return issues;
  return [...issues, ...findBrokenRules(state.payload, body)];
}

/** A secret that every write needs is never among what was read: it has to be given with the first change. */
function missingSecrets(field: Field, patch: unknown, edited: unknown, path = ''): readonly Issue[] {
  if (field.kind !== 'object' || !isPlain(patch) || !isPlain(edited)) return [];
  return field.fields.flatMap((inner): readonly Issue[] => {
    const at = joinPath(path, inner.name);
    const given = getOwn(edited, inner.name);
    if (inner.sensitive === true && inner.required === true && given === undefined)
      return [{ code: 'missing-field', path: at, message: `${at} is required.` }];
    return missingSecrets(inner, getOwn(patch, inner.name), given, at);
  });
}

function limits({ constraints }: FormState): { readonly constraints?: Constraints } {
  return constraints === undefined ? {} : { constraints };
}
function identity(issue: Issue): string {
  return `${issue.code} ${issue.path} ${issue.message}`;
}
