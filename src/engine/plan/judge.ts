/**
 * May the desired document be written? The specification and this device's limits decide over what
 * the template changes; what the device holds already is never held against it.
 */
import { brokenRules, isPlain, validate, warningsOf } from '../../protocol/index.ts';
import type { Constraints, Issue, Payload, ValidateOptions } from '../../protocol/index.ts';
import type { Change } from '../../shared/model.ts';
import type { Desired, DeviceState } from './desired.ts';
import { rememberedByPair } from './remembered.ts';

const onceForEach = rememberedByPair<readonly Issue[]>();
const NO_LIMITS = {};

/** Complaints about the desired document that its changes brought with them. */
export function judge(payload: Payload, state: DeviceState, desired: Desired, constraints: Constraints | undefined): readonly Issue[] {
  if (desired.changes.length === 0) return [];
  return onceForEach(desired, constraints ?? NO_LIMITS, () => judgeChanges(payload, state, desired, constraints));
}

function judgeChanges(payload: Payload, state: DeviceState, desired: Desired, constraints: Constraints | undefined): readonly Issue[] {
  const options = { mode: 'whole', ...(constraints === undefined ? {} : { constraints }) } as const;
  const before = new Set(complaints(payload, state.value, options).map(identity));
  return complaints(payload, desired.value, options).filter((issue) => {
    if (touches(desired.changes, issue.path)) return true;
    // A field the device keeps although another setting made it meaningless is the device's affair.
    return issue.code !== 'condition-not-met' && !before.has(identity(issue));
  });
}

/** What is unusual about the desired document where it changes something. */
export function cautions(payload: Payload, desired: Desired, constraints: Constraints | undefined): readonly Issue[] {
  return desired.changes.length === 0 ? [] : warningsOf(payload, desired.value, constraints).filter(({ path }) => touches(desired.changes, path));
}

/** Rules between fields count although the device holds something odd elsewhere, which keeps `validate` from them. */
function complaints(payload: Payload, value: unknown, options: ValidateOptions): readonly Issue[] {
  const issues = validate(payload, value, options);
  if (issues.length === 0 || !isPlain(value)) return issues;
  return [...issues, ...brokenRules(payload, value)];
}

function identity(issue: Issue): string {
  return `${issue.code} ${issue.path} ${issue.message}`;
}

function touches(changes: readonly Change[], path: string): boolean {
  return changes.some((change) => within(path, change.path) || within(change.path, path));
}

/** True where `path` is `outer` or lies inside it. */
function within(path: string, outer: string): boolean {
  return path === outer || (path.startsWith(outer) && (outer === '' || path[outer.length] === '.' || path[outer.length] === '['));
}
