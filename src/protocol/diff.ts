/** What differs between two values of a payload, field by field, for plans and screens. */
import { MASK } from '../shared/exchange.ts';
import type { Change } from '../shared/model.ts';
import type { Field, ListField, Payload } from './definition.ts';
import { isPlain, joinPath, own, rootField, sameValue } from './value.ts';

/**
 * Changes that turn `before` into `after`, in the specification's order. Numbers compare by value;
 * sensitive values are masked, and whether they changed is told without showing them. Labels of
 * nested fields name their holders: `Time block 2 › Begin`.
 */
export function diff(payload: Payload, before: unknown, after: unknown): readonly Change[] {
  const changes: Change[] = [];
  compare(rootField(payload), before, after, { path: '', labels: [], sensitive: false }, changes);
  return changes;
}

interface Spot {
  readonly path: string;
  readonly labels: readonly string[];
  readonly sensitive: boolean;
}

function compare(field: Field, before: unknown, after: unknown, spot: Spot, changes: Change[]): void {
  if (field.kind === 'object' && (isPlain(before) || before === undefined) && (isPlain(after) || after === undefined) && bothOrFull(before, after)) {
    for (const inner of field.fields) {
      compare(inner, isPlain(before) ? own(before, inner.name) : undefined, isPlain(after) ? own(after, inner.name) : undefined, {
        path: joinPath(spot.path, inner.name), labels: [...spot.labels, inner.label], sensitive: spot.sensitive || inner.sensitive === true,
      }, changes);
    }
    return;
  }
  if (field.kind === 'list' && Array.isArray(before) && Array.isArray(after)) {
    compareItems(field, before, after, spot, changes);
    return;
  }
  if (!sameValue(field, before, after)) changes.push(changeOf(field, before, after, spot));
}

/** An empty object that comes or goes is a change of its own; a filled one is told by its fields. */
function bothOrFull(before: unknown, after: unknown): boolean {
  if (before !== undefined && after !== undefined) return true;
  const one = before ?? after;
  return isPlain(one) && Object.values(one).some((value) => value !== undefined && value !== null);
}

/** Items that keep their number are told field by field; a list that grows or shrinks also item by item. */
function compareItems(field: ListField, before: readonly unknown[], after: readonly unknown[], spot: Spot, changes: Change[]): void {
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const inner: Spot = { ...spot, path: `${spot.path}[${index}]`, labels: [...spot.labels, `${field.item.label} ${index + 1}`], sensitive: spot.sensitive || field.item.sensitive === true };
    const [from, to] = [before[index], after[index]];
    if (index < before.length && index < after.length) compare(field.item, from, to, inner, changes);
    else changes.push(changeOf(field.item, from, to, inner));
  }
}

function changeOf(field: Field, from: unknown, to: unknown, spot: Spot): Change {
  const label = spot.labels.join(' › ') || field.label;
  return {
    path: spot.path, label,
    ...(field.unit !== undefined && { unit: field.unit }),
    ...(from !== undefined && { from: shown(field, from, spot.sensitive) }),
    ...(to !== undefined && { to: shown(field, to, spot.sensitive) }),
    ...(spot.sensitive && { sensitive: true }),
  };
}

function shown(field: Field, value: unknown, sensitive: boolean): unknown {
  if (sensitive || field.sensitive) return MASK;
  if (field.kind === 'list') return Array.isArray(value) ? value.map((item: unknown) => shown(field.item, item, false)) : value;
  if (field.kind !== 'object' || !isPlain(value)) return value;
  const out: Record<string, unknown> = {};
  for (const inner of field.fields) {
    const held = own(value, inner.name);
    if (held !== undefined) out[inner.name] = shown(inner, held, false);
  }
  return out;
}

/** The value with every sensitive part masked, for logs of answers, captures and screens. */
export function masked(payload: Payload, value: unknown): unknown {
  return shown(rootField(payload), value, false);
}
