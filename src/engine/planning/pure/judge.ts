/**
 * May the desired document be written? The specification and this device's limits decide over what
 * the template changes; what the device holds already is never held against it.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  findBrokenRules,
  findField,
  isPlain,
  isRelated,
  joinPath,
  matchItems,
  getMember,
  joinSteps,
  rootField,
  isSameValue,
  parsePath,
  validate,
  listWarnings,
  type Constraints,
  type Field,
  type Issue,
  type ListField,
  type Payload,
  type Step,
  type ValidateOptions,
} from '#protocol/index.ts';
import type { Change } from '#shared/model.ts';
import type { Desired, DeviceState } from './desired.ts';
import { rememberByPair } from './remembered.ts';

const onceForEach = rememberByPair<readonly Issue[]>();
const cautionsOnce = rememberByPair<readonly Issue[]>();
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
  const options = { mode: 'whole', ...removeUndefined({ constraints }) } as const;
  const before = complaints(payload, state.value, options);
  const after = complaints(payload, desired.value, options);
  const known = new Set([...before.ofFields, ...before.ofRules].map(identity));
  const odd = new Set(before.ofFields.map(({ code, path }) => `${code} ${path}`));
  const isBrought = (issue: Issue): boolean =>
    touches(desired.changes, issue.path) || !known.has(identity(issue));
  const ofFields = after.ofFields.filter((issue) => {
    const kept = keptFrom(payload, issue, { before: state.value, after: desired.value });
    // A field the device keeps although another setting made it meaningless is the device's affair.
    if (issue.code === 'condition-not-met') return kept === undefined && touches(desired.changes, issue.path);
    // A value that was valid may be wrong under another unit or mode.
    return (kept === undefined || !odd.has(`${issue.code} ${kept}`)) && isBrought(issue);
  });
  return [...ofFields, ...after.ofRules.filter(isBrought)];
}

/** Returns what is unusual about the desired document, if it changes something. */
export function listCautions(
  payload: Payload,
  desired: Desired,
  constraints: Constraints | undefined,
): readonly Issue[] {
  if (desired.changes.length === 0) return [];
  return cautionsOnce(desired, constraints ?? NO_LIMITS, () =>
    listWarnings(payload, desired.value, constraints).filter(({ path }) => touches(desired.changes, path)),
  );
}

interface Complaints {
  readonly ofFields: readonly Issue[];
  /** About several values at once, of which another one may have changed. */
  readonly ofRules: readonly Issue[];
}

/** Rules between fields count although the device holds something odd elsewhere, which keeps `validate` from them. */
function complaints(payload: Payload, value: unknown, options: ValidateOptions): Complaints {
  const ofRules = isPlain(value) ? findBrokenRules(payload, value) : [];
  const ruled = new Set(ofRules.map(identity));
  return {
    ofFields: validate(payload, value, options).filter((issue) => !ruled.has(identity(issue))),
    ofRules,
  };
}

/**
 * Returns the path at which the device shows the very value that is complained about, or undefined if it does
 * not: a value that the device returned may be sent back unchanged, also in an item whose position or
 * neighbours change.
 */
function keptFrom(
  payload: Payload,
  { path, code }: Issue,
  { before, after }: { readonly before: unknown; readonly after: unknown },
): string | undefined {
  let field: Field = rootField(payload);
  let [was, is, from] = [before, after, ''];
  for (const step of parsePath(path)) {
    const inner: Field | undefined = findField(field, joinSteps([step]));
    const held: Step | undefined = field.kind === 'list' ? placeBefore(field, was, is, step) : step;
    if (inner === undefined || held === undefined) return undefined;
    [was, is, from, field] = [
      getMember(was, held),
      getMember(is, step),
      joinPath(from, joinSteps([held])),
      inner,
    ];
  }
  const isSameLength =
    code === 'out-of-range' && Array.isArray(was) && Array.isArray(is) && was.length === is.length;
  return isSameLength || isSameValue(field, was, is) ? from : undefined;
}

/** The place of the item that the one at `index` was. */
function placeBefore(field: ListField, before: unknown, after: unknown, index: Step): number | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  return matchItems(field, before, after, isSameValue).find(({ want }) => want === index)?.held;
}

function identity(issue: Issue): string {
  return `${issue.code} ${issue.path} ${issue.message}`;
}

function touches(changes: readonly Change[], path: string): boolean {
  return changes.some((change) => isRelated(path, change.path));
}
