/** Walks over the definitions for the tests of this folder. */
import { findOperation } from '#protocol/catalogue.ts';
import type { Condition, Field, Operation, Payload } from '#protocol/definition.ts';

export function operationById(id: string): Operation {
  const found = findOperation(id);
  if (found === undefined) throw new Error(`No operation ${id}`);
  return found;
}

export function payloadsOf(operations: readonly Operation[]): readonly Payload[] {
  return [
    ...new Set(
      operations
        .flatMap((operation) => [operation.request, operation.response])
        .filter((payload) => payload !== undefined),
    ),
  ];
}

/** The fields at the top of a payload; those of one item where the root is a list. */
export function topFields(payload: Payload): readonly Field[] {
  if (payload.rootItem === undefined) return payload.fields;
  return payload.rootItem.kind === 'object' ? payload.rootItem.fields : [payload.rootItem];
}

export interface Visit {
  /** `TimeBlockList[].TimeRange.beginTime`. */
  readonly path: string;
  readonly field: Field;
  /** Fields of the object that holds this one. */
  readonly siblings: readonly Field[];
}

/** Every field of a payload with its path; the items of lists have the path of their list and `[]`. */
export function visitFields(payload: Payload): readonly Visit[] {
  return walk(topFields(payload), payload.rootItem === undefined ? '' : '[]');
}

function walk(fields: readonly Field[], prefix: string): readonly Visit[] {
  return fields.flatMap((field) =>
    visit(field, prefix === '' ? field.name : `${prefix}.${field.name}`, fields),
  );
}

function visit(field: Field, path: string, siblings: readonly Field[]): readonly Visit[] {
  const here = { path, field, siblings };
  if (field.kind === 'object') return [here, ...walk(field.fields, path)];
  return field.kind === 'list' ? [here, ...visit(field.item, `${path}[]`, [])] : [here];
}

/** The field that a condition looks at, or undefined where there is none. */
export function controller(
  payload: Payload,
  siblings: readonly Field[],
  condition: Condition,
): Field | undefined {
  const relative = condition.path.startsWith('^.');
  const names = (relative ? condition.path.slice(2) : condition.path).split('.');
  let fields = relative ? siblings : topFields(payload);
  let found: Field | undefined;
  for (const name of names) {
    found = fields.find((field) => field.name === name);
    fields = found?.kind === 'object' ? found.fields : [];
  }
  return found;
}
