/** Three-state flags of a capability document: true, false, not reported. */
import type { Field, Payload } from '../definition.ts';
import type { Limits } from '../codec/limits.ts';
import { shownName } from '../codec/problems.ts';
import { joinPath } from '../value.ts';
import { readConstraints } from './constraints.ts';
import type { Constraints } from './constraints.ts';

export interface Flag {
  readonly path: string;
  readonly label: string;
  readonly state: 'true' | 'false' | 'not-reported';
  /** False for a flag that the device reports and the specification does not know. */
  readonly listed: boolean;
}

const LOOKS_LIKE_FLAG = /(?:^|\.)is[A-Z][A-Za-z0-9]*$/;
/** Settings that a capability document repeats are true or false as well; they claim no support. */
const CLAIMS_SUPPORT = /^is\w*support/i;

/** Every flag of the definition, in its order, then those that only the device knows. Throws like `decode`. */
export function readFlags(payload: Payload, text: string, limits?: Limits): readonly Flag[] {
  return flagsOf(payload, readConstraints(payload, text, limits));
}

export function flagsOf(payload: Payload, constraints: Constraints): readonly Flag[] {
  const listed = boolFields(payload.fields, '');
  const known = new Set(listed.map(({ path }) => path));
  const flags: Flag[] = listed.map(({ path, label }) => {
    const state = constraints.get(path)?.state;
    return { path, label, state: state === 'true' || state === 'false' ? state : 'not-reported', listed: true };
  });
  for (const [path, { state }] of constraints) {
    if (known.has(path) || state === 'reported' || !LOOKS_LIKE_FLAG.test(path)) continue;
    flags.push({ path, label: shownName(path.slice(path.lastIndexOf('.') + 1)), state, listed: false });
  }
  return flags;
}

function boolFields(fields: readonly Field[], path: string): readonly { readonly path: string; readonly label: string }[] {
  return fields.flatMap((field) => {
    const at = joinPath(path, field.name);
    if (field.kind === 'bool') return CLAIMS_SUPPORT.test(field.name) ? [{ path: at, label: field.label }] : [];
    return field.kind === 'object' ? boolFields(field.fields, at) : [];
  });
}
