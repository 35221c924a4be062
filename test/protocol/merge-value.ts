/**
 * The merge rule on plain values, written a second time and more simply: merged documents are compared with
 * it.
 */
import {
  isPlain,
  matchItems,
  getOwn,
  buildReplacingPatch,
  rootField,
  type Field,
  type Payload,
} from '#protocol/index.ts';

/**
 * Lays `patch` over `value` as a device document would take it: objects deep, items that stay deep too,
 * `null` removes, unnamed fields stay. Neither argument is changed; unknown fields are left out.
 */
export function mergeValue(payload: Payload, value: unknown, patch: unknown): unknown {
  return mergeField(rootField(payload), value, patch);
}

function mergeField(field: Field, value: unknown, patch: unknown): unknown {
  if (patch === undefined) return value;
  if (patch === null) return undefined;
  if (field.kind === 'list') {
    const [held, wanted] = [Array.isArray(value) ? value : [], patch as readonly unknown[]];
    return matchItems(field, held, wanted).map((item) =>
      mergeField(field.item, item.held === undefined ? undefined : held[item.held], wanted[item.want]),
    );
  }
  if (field.kind !== 'object') return patch;
  const members = field.fields.flatMap((inner) => {
    const asked = getOwn(patch as Readonly<Record<string, unknown>>, inner.name);
    const after =
      asked === null
        ? undefined
        : mergeField(inner, isPlain(value) ? getOwn(value, inner.name) : undefined, asked);
    return after === undefined ? [] : [[inner.name, after] as const];
  });
  return Object.fromEntries(members);
}

/**
 * Returns the patch that takes `patch` back on a document that contained `before`: changed members get their
 * old value, added ones are removed.
 */
export function inversePatch(payload: Payload, before: unknown, patch: unknown): unknown {
  return inverseField(rootField(payload), before, patch);
}

function inverseField(field: Field, before: unknown, patch: unknown): unknown {
  if (before === undefined) return null;
  if (field.kind !== 'object' || !isPlain(before) || !isPlain(patch))
    return buildReplacingPatch(field, mergeField(field, before, patch), before);
  const members = field.fields.flatMap((inner) => {
    const asked = getOwn(patch, inner.name);
    return asked === undefined
      ? []
      : [[inner.name, inverseField(inner, getOwn(before, inner.name), asked)] as const];
  });
  return Object.fromEntries(members);
}
