/**
 * Extracts from a value that was read what a template may set: no secrets, no read-only fields, and nothing
 * that the specification would refuse. Pure.
 */
import {
  findField,
  listFieldsAlong,
  isPlain,
  isSensitiveAt,
  appendIndex,
  joinPath,
  getOwn,
  joinSteps,
  removeAt,
  rootField,
  parsePath,
  validate,
  getValueAt,
  type Field,
  type Issue,
  type ListField,
  type ObjectField,
  type Payload,
  type Step,
} from '#protocol/index.ts';
import type { CapturedSection } from '#shared/template/authoring.ts';
import type { Params } from '#shared/model.ts';

export type Left = CapturedSection['left'][number];

interface Settable {
  /** Value to set; undefined if nothing remains. */
  readonly value: unknown;
  readonly left: readonly Left[];
  /** Paths of what belongs to this very device: addresses, names, ids. */
  readonly perDevice: readonly string[];
  /** It cannot be written without a secret. */
  readonly needsSecret: boolean;
}

/**
 * Number of rounds: dropping one value may reveal the next problem. A document that needs more is omitted.
 */
const MOST_ROUNDS = 20;

/** How the address of what is set calls it. */
export interface Address {
  readonly params: Params;
  /** Segments of its path: `thermometry-1`. */
  readonly segments: readonly string[];
}

export function extractSettable(payload: Payload, value: unknown, address: Address): Settable {
  const root = rootField(payload);
  if (needsSecret(root))
    return { value: undefined, left: secretsIn(root, ''), perDevice: [], needsSecret: true };
  const picker = new Picker(address);
  const picked = dropRefused(payload, picker.pick(root, value, ''), picker.left);
  const perDevice = picker.perDevice.filter((path) => getValueAt(picked, path) !== undefined);
  return { value: picked, left: picker.left, perDevice, needsSecret: false };
}

/** An object that has to be written with a secret inside. */
function needsSecret(field: Field): boolean {
  return (
    field.kind === 'object' &&
    field.fields.some((inner) => inner.required === true && inner.sensitive === true)
  );
}

function secretsIn(field: Field, path: string): readonly Left[] {
  if (field.kind !== 'object') return [];
  return field.fields
    .filter(({ sensitive }) => sensitive === true)
    .map(({ name }) => ({ path: joinPath(path, name), reason: 'secret' }));
}

/** Walks a value along its definition. */
class Picker {
  readonly left: Left[] = [];
  readonly perDevice: string[] = [];
  readonly #address: Address;

  constructor(address: Address) {
    this.#address = address;
  }

  /** The part a template may set; undefined where there is none. */
  pick(field: Field, value: unknown, path: string): unknown {
    if (value === undefined || value === null) return undefined;
    if (field.readOnly === true) return this.#leave(path, 'read-only');
    if (field.sensitive === true || needsSecret(field)) return this.#leave(path, 'secret');
    // Opaque content belongs to the device alone: it may hold anything.
    if (field.kind === 'opaque') return this.#leave(path, 'not-described');
    if (field.kind === 'object')
      return isPlain(value) ? this.#object(field, value, path) : this.#leave(path, 'invalid');
    if (field.kind === 'list')
      return Array.isArray(value) ? this.#list(field, value, path) : this.#leave(path, 'invalid');
    if (field.perDevice === true) {
      if (this.#isPartOfAddress(field, String(value))) return this.#leave(path, 'read-only');
      this.perDevice.push(path);
    }
    return value;
  }

  /** The channel of channel 1, the id `thermometry-1`: every device has its own already, and takes no other. */
  #isPartOfAddress({ name }: Field, value: string): boolean {
    const { params, segments } = this.#address;
    if (name === 'id' && segments.includes(value)) return true;
    return Object.entries(params).some(
      ([param, given]) => String(given) === value && name.toLowerCase().endsWith(param.toLowerCase()),
    );
  }

  #leave(path: string, reason: Left['reason']): undefined {
    this.left.push({ path, reason });
    return undefined;
  }

  #object(field: ObjectField, value: Readonly<Record<string, unknown>>, path: string): unknown {
    const picked = field.fields.flatMap((inner) => {
      const part = this.pick(inner, getOwn(value, inner.name), joinPath(path, inner.name));
      return part === undefined ? [] : [[inner.name, part] as const];
    });
    return picked.length === 0 ? undefined : Object.fromEntries(picked);
  }

  /** Items that say nothing of their own keep their places: the device's stay as they are. A value that is none makes the list unusable. */
  #list(field: ListField, value: readonly unknown[], path: string): unknown {
    const items = value.map(
      (item: unknown, index) =>
        this.pick(field.item, item, appendIndex(path, index)) ?? (isPlain(item) ? {} : undefined),
    );
    return items.includes(undefined) ? this.#leave(path, 'invalid') : items;
  }
}

/** Drops values that `check` would refuse, until there are no complaints. */
function dropRefused(payload: Payload, picked: unknown, left: Left[]): unknown {
  let value = picked;
  for (let round = 0; round < MOST_ROUNDS && value !== undefined; round += 1) {
    const issues = complaints(payload, value);
    if (issues.length === 0) return value;
    for (const [path, reason] of new Map(
      issues.map((issue) => [droppedFor(payload, issue), reasonOf(payload, issue)] as const),
    )) {
      left.push({ path, reason, ...shownAt(value, path, reason) });
      value = removeAt(value, path, true);
    }
  }
  if (value !== undefined) left.push({ path: '', reason: 'invalid', ...shownAt(value, '', 'invalid') });
  return undefined;
}

/** Longest value that is kept beside what was captured, as JSON. */
const MOST_KEPT = 2_000;

/** Returns the value that the device shows there. Secrets were removed before. */
function shownAt(from: unknown, path: string, reason: Left['reason']): Pick<Left, 'value'> {
  if (reason === 'secret') return {};
  const value = path === '' ? from : getValueAt(from, path);
  return value === undefined || JSON.stringify(value).length > MOST_KEPT ? {} : { value };
}

/** Lists issues, including values without effect beside the rest, although a patch may hold those. */
function complaints(payload: Payload, value: unknown): readonly Issue[] {
  const issues = validate(payload, value, { mode: 'patch' });
  return issues.length > 0
    ? issues
    : validate(payload, value, { mode: 'whole' }).filter(({ code }) => code === 'condition-not-met');
}

/** An item without a secret that it needs is no item. */
function reasonOf(payload: Payload, issue: Issue): Left['reason'] {
  if (issue.code === 'condition-not-met') return 'inactive';
  return issue.code === 'missing-field' && isSensitiveAt(payload, issue.path) ? 'secret' : 'invalid';
}

/**
 * A value that means nothing here goes alone, and so does a wrong one in an item that its key names: the rest of the
 * item is merged into the device's. Of other items a part would not be the device's, so their list goes.
 */
function droppedFor(payload: Payload, issue: Issue): string {
  if (issue.code === 'condition-not-met') return issue.path;
  const steps = parsePath(issue.path);
  const list = steps.findIndex(
    (step, at) =>
      typeof step === 'number' &&
      (issue.code === 'missing-field' ||
        at === steps.length - 1 ||
        keyAt(payload, steps.slice(0, at)) === undefined),
  );
  if (list >= 0) return joinSteps(steps.slice(0, list));
  return listFieldsAlong(payload, issue.path).length === 0 ? '' : issue.path;
}

function keyAt(payload: Payload, steps: readonly Step[]): string | undefined {
  const field = findField(payload, joinSteps(steps));
  return field?.kind === 'list' ? field.key : undefined;
}
