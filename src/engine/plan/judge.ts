/**
 * May the desired document be written? The specification and this device's limits decide over what
 * the template changes; what the device holds already is never held against it.
 */
import { defined } from '../../shared/defined.ts';
import {
  brokenRules,
  fieldAt,
  isPlain,
  isRelated,
  itemPath,
  joinPath,
  matchItems,
  own,
  rootField,
  sameValue,
  stepsOf,
  validate,
  warningsOf,
} from '../../protocol/index.ts';
import type { Constraints, Field, Issue, Payload, ValidateOptions } from '../../protocol/index.ts';
import type { Change } from '../../shared/model.ts';
import type { Desired, DeviceState } from './desired.ts';
import { rememberedByPair } from './remembered.ts';

const onceForEach = rememberedByPair<readonly Issue[]>();
const cautionsOnce = rememberedByPair<readonly Issue[]>();
const NO_LIMITS = {};

/** Complaints about the desired document that its changes brought with them. */
export function judge(
  payload: Payload,
  state: DeviceState,
  desired: Desired,
  constraints: Constraints | undefined,
): readonly Issue[] {
  if (desired.changes.length === 0) return [];
  return onceForEach(desired, constraints ?? NO_LIMITS, () =>
    judgeChanges(payload, state, desired, constraints),
  );
}

function judgeChanges(
  payload: Payload,
  state: DeviceState,
  desired: Desired,
  constraints: Constraints | undefined,
): readonly Issue[] {
  const options = { mode: 'whole', ...defined({ constraints }) } as const;
  const before = complaints(payload, state.value, options);
  const known = new Set(before.map(identity));
  const odd = new Set(before.map(({ code, path }) => `${code} ${path}`));
  return complaints(payload, desired.value, options).filter((issue) => {
    const kept = isOfRule(payload, issue)
      ? undefined
      : keptFrom(payload, issue, { before: state.value, after: desired.value });
    // Under another unit or mode the same value may be wrong that was not.
    if (kept !== undefined && (odd.has(`${issue.code} ${kept}`) || issue.code === 'condition-not-met'))
      return false;
    // A field the device keeps although another setting made it meaningless is the device's affair.
    if (issue.code === 'condition-not-met') return touches(desired.changes, issue.path);
    return touches(desired.changes, issue.path) || !known.has(identity(issue));
  });
}

/** What is unusual about the desired document where it changes something. */
export function cautions(
  payload: Payload,
  desired: Desired,
  constraints: Constraints | undefined,
): readonly Issue[] {
  if (desired.changes.length === 0) return [];
  return cautionsOnce(desired, constraints ?? NO_LIMITS, () =>
    warningsOf(payload, desired.value, constraints).filter(({ path }) => touches(desired.changes, path)),
  );
}

/** Rules between fields count although the device holds something odd elsewhere, which keeps `validate` from them. */
function complaints(payload: Payload, value: unknown, options: ValidateOptions): readonly Issue[] {
  const issues = validate(payload, value, options);
  if (issues.length === 0 || !isPlain(value)) return issues;
  return [...issues, ...brokenRules(payload, value)];
}

/** About several values at once, of which another one may have changed. */
function isOfRule({ rules = [] }: Payload, { path, detail }: Issue): boolean {
  return detail !== undefined && rules.some((rule) => rule.path === path);
}

/**
 * Where the device shows the very value that is complained about, undefined where it does not: what it returned may be
 * sent back as it is, also in an item whose place or neighbours change.
 */
function keptFrom(
  payload: Payload,
  { path, code }: Issue,
  { before, after }: { readonly before: unknown; readonly after: unknown },
): string | undefined {
  let field: Field = rootField(payload);
  let [was, is, from] = [before, after, ''];
  for (const step of stepsOf(path)) {
    if (typeof step === 'number') {
      if (field.kind !== 'list' || !Array.isArray(was) || !Array.isArray(is)) return undefined;
      const held: number | undefined = matchItems(field, was, is, sameValue).find(
        ({ want }) => want === step,
      )?.held;
      if (held === undefined) return undefined;
      [was, is, from, field] = [was[held], is[step], itemPath(from, held), field.item];
    } else {
      if (field.kind !== 'object' || !isPlain(was) || !isPlain(is)) return undefined;
      const inner: Field | undefined = fieldAt(field, step);
      if (inner === undefined) return undefined;
      [was, is, from, field] = [own(was, step), own(is, step), joinPath(from, step), inner];
    }
  }
  const isSameLength =
    code === 'out-of-range' && Array.isArray(was) && Array.isArray(is) && was.length === is.length;
  return isSameLength || sameValue(field, was, is) ? from : undefined;
}

function identity(issue: Issue): string {
  return `${issue.code} ${issue.path} ${issue.message}`;
}

function touches(changes: readonly Change[], path: string): boolean {
  return changes.some((change) => isRelated(path, change.path));
}
