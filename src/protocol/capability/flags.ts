/** Three-state flags of a capability document: true, false, not reported. */
import type { Condition, Field, Payload } from '../definition.ts';
import { shownName } from '../codec/problems.ts';
import { joinPath, rootField } from '../value.ts';
import type { Constraint, Constraints } from './constraints.ts';
import { constraintAt } from './narrow.ts';

export interface Flag {
  readonly path: string;
  readonly label: string;
  readonly state: 'true' | 'false' | 'not-reported';
  /** False for a flag that the device reports and the specification does not know. */
  readonly listed: boolean;
  /** Path of the flag without which this one means nothing, where that one is not true. */
  readonly needs?: string;
}

const LOOKS_LIKE_FLAG = /(?:^|\.)is[A-Z]\w*$/;
/** Settings that a capability document repeats are true or false as well; they claim no support. */
const CLAIMS_SUPPORT = /^is\w*support/i;

/** Every flag of the definition, in its order, then those that only the device knows. */
export function flagsOf(payload: Payload, constraints: Constraints): readonly Flag[] {
  const known = inside(rootField(payload), '');
  const paths = new Set(known.map(({ path }) => path.replaceAll('[]', '')));
  const flags = known.filter(({ field }) => field.kind === 'bool' && CLAIMS_SUPPORT.test(field.name)).map(({ path, field }): Flag => {
    const state = stateOf(constraintAt(constraints, path));
    const needs = state === 'not-reported' ? undefined : field.when?.find((condition) => !holds(condition, path, constraints))?.path;
    return { path, label: field.label, state, listed: true, ...(needs !== undefined && { needs }) };
  });
  for (const [path, constraint] of constraints) {
    if (paths.has(path.replaceAll('[]', '')) || constraint.state === 'reported' || !LOOKS_LIKE_FLAG.test(path)) continue;
    flags.push({ path, label: ownLabel(path), state: constraint.state, listed: false });
  }
  return flags;
}

function stateOf(constraint: Constraint | undefined): Flag['state'] {
  return constraint === undefined || constraint.state === 'reported' ? 'not-reported' : constraint.state;
}

/** Conditions of flags look at other flags of the same document, from its root or beside the flag. */
function holds(condition: Condition, path: string, constraints: Constraints): boolean {
  const other = condition.path.startsWith('^.') ? path.replace(/[^.]*$/, condition.path.slice(2)) : condition.path;
  const state = stateOf(constraintAt(constraints, other));
  return condition.oneOf.some((allowed) => String(allowed) === state);
}

/** `SnmpCap isSupport`: this name alone says nothing. */
function ownLabel(path: string): string {
  const names = path.replaceAll('[]', '').split('.').map(shownName);
  return names.slice(names.at(-1) === 'isSupport' ? -2 : -1).join(' ');
}

interface Visit {
  readonly path: string;
  readonly field: Field;
}

/** Every field, those of objects and of items too; items have the path of their list and `[]`. */
function visit(fields: readonly Field[], path: string): readonly Visit[] {
  return fields.flatMap((field) => {
    const at = joinPath(path, field.name);
    return [{ path: at, field }, ...inside(field, at)];
  });
}

function inside(field: Field, path: string): readonly Visit[] {
  if (field.kind === 'object') return visit(field.fields, path);
  return field.kind === 'list' ? inside(field.item, `${path}[]`) : [];
}
