/** Three-state flags of a capability document: true, false, not reported. */
import type { Condition, Field, Payload } from '../definition.ts';
import { toDisplayName } from '../codec/problems.ts';
import { getControllerPath, findFirstUnmet } from '../fields/condition.ts';
import { listFieldsBelow, rootField } from '../fields/field-at.ts';
import type { Constraint, Constraints } from './types.ts';
import { findConstraint } from './narrow.ts';

interface Flag {
  readonly path: string;
  readonly label: string;
  readonly state: 'true' | 'false' | 'not-reported';
  /** False for a flag that the device reports and the specification does not know. */
  readonly listed: boolean;
  /** Path of the flag without which this one means nothing, where that one is not true. */
  readonly needs?: string;
}

/** Settings that a capability document repeats are true or false as well; unless it says so, they claim no support. */
const CLAIMS_SUPPORT = /^is\w*support/i;
/** Names of strangers whose 0 and 1 mean no and yes. */
const NAMES_A_FLAG = /(?:^|\.)(?:is|has)[A-Z]\w*$|(?:[sS]upport|[eE]nabled?)$/;

/** Every flag of the definition and whatever else of it is reported as a mere yes or no, in its order, then those that only the device knows. */
export function listFlags(payload: Payload, constraints: Constraints): readonly Flag[] {
  const known = listFieldsBelow(rootField(payload));
  const paths = new Set(known.map(({ path }) => path.replaceAll('[]', '')));
  const flags = known
    .filter(
      ({ path, field }) =>
        field.kind === 'bool' &&
        (CLAIMS_SUPPORT.test(field.name) || isBareAnswer(findConstraint(constraints, path))),
    )
    .map(({ path, field }): Flag => {
      const state = stateOf(findConstraint(constraints, path));
      const unmet = state === 'not-reported' ? undefined : unmetFlag(field, path, constraints);
      const needs = unmet && getControllerPath(unmet, path);
      return { path, label: field.label, state, listed: true, ...(needs !== undefined && { needs }) };
    });
  for (const [path, constraint] of constraints) {
    if (paths.has(path.replaceAll('[]', '')) || !isStrangersFlag(path, constraint)) continue;
    flags.push({ path, label: ownLabel(path), state: stateOf(constraint), listed: false });
  }
  return flags;
}

/** Yes or no without a word on what else it may be: no setting, then, that could be changed. */
function isBareAnswer(constraint: Constraint | undefined): boolean {
  return constraint !== undefined && constraint.state !== 'reported' && constraint.options === undefined;
}

/**
 * Returns whether a value outside the specification is a flag, and not a number that happens to be 0 or 1.
 */
export function isStrangersFlag(path: string, constraint: Constraint): boolean {
  if (constraint.state === 'reported') return false;
  return (
    NAMES_A_FLAG.test(path) || (isBareAnswer(constraint) && /^(?:true|false)$/i.test(constraint.text ?? ''))
  );
}

function stateOf(constraint: Constraint | undefined): Flag['state'] {
  return constraint === undefined || constraint.state === 'reported' ? 'not-reported' : constraint.state;
}

/** Conditions of flags look at other flags of the same document. */
function unmetFlag({ when }: Field, path: string, constraints: Constraints): Condition | undefined {
  return findFirstUnmet(when, (condition) => {
    const state = stateOf(findConstraint(constraints, getControllerPath(condition, path)));
    return { held: state === 'not-reported' ? undefined : state };
  });
}

/** `SnmpCap isSupport`: this name alone says nothing. */
function ownLabel(path: string): string {
  const names = path.replaceAll('[]', '').split('.').map(toDisplayName);
  return names.slice(names.at(-1) === 'isSupport' ? -2 : -1).join(' ');
}
