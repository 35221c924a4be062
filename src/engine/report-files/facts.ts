/** Values of devices as lines of a document: the one way in, which no secret passes. */
import {
  findField,
  listFieldsBelow,
  resolveUnit,
  isSensitiveAt,
  identifyItemsAlong,
  joinPath,
  listFieldLeaves,
  namePath,
  redactValue,
  rootField,
  parsePath,
  getValueAt,
  type Field,
  type Operation,
  type Payload,
} from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Change } from '#shared/model.ts';
import type { Fact, Proof, Value, DocumentText } from '#shared/report-document.ts';
import { getSpecifiedField } from '../operations/specified.ts';

export interface FactOptions {
  /** How well the value is proved; without, the line claims nothing. */
  readonly proof?: Proof;
  /** Source of the value; default: the operation itself. */
  readonly source?: DocumentText;
}

/** Returns the operation by its name, in the language of the reader. */
export function getOperationText({ id, label }: Pick<Operation, 'id' | 'label'>): DocumentText {
  return { root: id, label };
}

/**
 * Builds the fact for the field at `path` of what the operation answers (or, where that is only a status, of
 * what it is sent), with its name, unit and resolution, and its value in `document`. Of a secret it only says
 * whether it is set.
 */
export function buildFact(
  operation: Operation,
  path: string,
  document: unknown,
  { proof, source }: FactOptions = {},
): Fact {
  const payload = payloadOf(operation);
  const field = getSpecifiedField(payload, path);
  return {
    label: labelOf(operation, payload, path, identifyItemsAlong(payload, path, document)),
    value: valueOf(operation, field, path, document),
    ...removeUndefined({ proof }),
    source: source ?? getOperationText(operation),
  };
}

/** Lists a line for each single value at or below `path` that `document` holds. */
export function listFacts(
  operation: Operation,
  document: unknown,
  { path = '', ...options }: FactOptions & { readonly path?: string } = {},
): readonly Fact[] {
  const payload = payloadOf(operation);
  const field = path === '' ? rootField(payload) : getSpecifiedField(payload, path);
  return listFieldLeaves(field, getValueAt(document, path)).map((leaf) =>
    buildFact(operation, joinPath(path, leaf.path), document, options),
  );
}

/**
 * Lists the first of those lines, without their source, and how many more there are: a device may answer with
 * any number. A secret that it leaves empty is no line: most devices never show one, whether it is set or
 * not.
 */
export function listFirstFacts(
  operation: Operation,
  document: unknown,
  most: number,
): { readonly facts: readonly Fact[]; readonly omitted: number } {
  const shown = redactValue(operation.response, document);
  const leaves = listFieldLeaves(rootField(payloadOf(operation)), shown).filter(
    ({ sensitive, path }) => !sensitive || (getValueAt(document, path) ?? '') !== '',
  );
  const facts = leaves.slice(0, most).map(({ path }): Fact => {
    const { label, value } = buildFact(operation, path, shown);
    return { label, value };
  });
  return { facts, omitted: leaves.length - facts.length };
}

/** Returns the name of an item of a list from the name of something in it: `Time block Tuesday`. */
export function nameOfItem(operation: Operation, path: string, inner: DocumentText): DocumentText {
  const items = typeof inner === 'object' && 'root' in inner ? inner.items : undefined;
  const depth = parsePath(path).filter((step) => typeof step === 'number').length;
  return labelOf(operation, payloadOf(operation), path, items?.slice(0, depth));
}

/** Lists what a job sent, as lines like those of what is read; nothing of what it deleted. */
export function listChangeFacts(
  operation: Operation,
  { path, to, unit, sensitive, items }: Pick<Change, 'path' | 'to' | 'unit' | 'sensitive' | 'items'>,
): readonly { readonly path: string; readonly fact: Fact }[] {
  const payload = payloadOf(operation);
  const field = path === '' ? rootField(payload) : findField(payload, path);
  if (field === undefined || to === undefined) return [];
  return listFieldLeaves(field, to).map(({ field: inner, path: below, value }) => {
    const at = joinPath(path, below);
    const shown =
      sensitive === true
        ? { isSet: true }
        : shownValue(
            operation,
            inner,
            at,
            value,
            (held) => ({ ...held, ...removeUndefined({ unit }) }) as Field,
          );
    return { path: at, fact: { label: labelOf(operation, payload, at, items), value: shown } };
  });
}

/** Names a changed value, and shows it before and after; of a secret only whether it is set. */
export function describeChange(
  operation: Operation | undefined,
  change: Change,
): { readonly label: DocumentText; readonly before: Value; readonly after: Value } {
  const { path, label, items, unit, fromUnit = unit, sensitive } = change;
  const payload = operation && (operation.response ?? operation.request);
  const field =
    payload === undefined ? undefined : path === '' ? rootField(payload) : findField(payload, path);
  const show = (value: unknown, inUnit: string | undefined): Value => {
    if (value === undefined) return null;
    if (sensitive === true) return { isSet: value !== '' };
    return operation === undefined || field === undefined
      ? formatPlainValue(redactValue(undefined, value))
      : shownValue(
          operation,
          field,
          path,
          value,
          (held) => ({ ...held, ...removeUndefined({ unit: inUnit }) }) as Field,
        );
  };
  return {
    label:
      operation === undefined || payload === undefined ? label : labelOf(operation, payload, path, items),
    before: show(change.from, fromUnit),
    after: show(change.to, unit),
  };
}

function payloadOf(operation: Operation): Payload {
  const payload = operation.response ?? operation.request;
  if (payload === undefined) throw new TypeError(`${operation.id} describes no document`);
  return payload;
}

/** Names of paths in what an operation answers, without those that depend on what identifies an item. */
const known = new WeakMap<Operation, Map<string, DocumentText>>();
/** Most names kept for an operation: a device may send endless lists. */
const MOST_KNOWN = 5_000;

/** Returns the name of a path: `Time block Tuesday › Begin`. */
function labelOf(
  operation: Operation,
  payload: Payload,
  path: string,
  items?: Change['items'],
): DocumentText {
  if (items !== undefined) return newLabel(operation, payload, path, items);
  const names = known.get(operation) ?? new Map<string, DocumentText>();
  known.set(operation, names);
  let name = names.get(path);
  if (name === undefined) {
    if (names.size >= MOST_KNOWN) names.clear();
    name = newLabel(operation, payload, path);
    names.set(path, name);
  }
  return name;
}

function newLabel(
  operation: Operation,
  payload: Payload,
  path: string,
  items?: Change['items'],
): DocumentText {
  return {
    root: rootName(operation, payload),
    path,
    label: namePath(payload, path, { items, itemsAlone: true }) || operation.label,
    items,
  };
}

function rootName({ id }: Operation, { root }: Payload): string {
  return root ?? id;
}

function valueOf(operation: Operation, field: Field, path: string, document: unknown): Value {
  return shownValue(operation, field, path, getValueAt(document, path) ?? undefined, (inner) =>
    resolveUnit(inner, document),
  );
}

function shownValue(
  operation: Operation,
  field: Field,
  path: string,
  value: unknown,
  inUnit: (field: Field) => Field,
): Value {
  const payload = payloadOf(operation);
  if (holdsSecret(payload, field, path)) return { isSet: value !== undefined && value !== '' };
  if (field.kind === 'choice') {
    const label = field.options.find((one) => one.value === value)?.label;
    if (label !== undefined)
      return { root: rootName(operation, payload), path, option: String(value), label };
  }
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'boolean':
      return { yes: value };
    case 'number':
      return quantity(inUnit(field), value);
    case 'string':
      return value;
    default:
      return formatPlainValue(redactValue(undefined, value));
  }
}

/** Returns a value that has no field of its own in words instead of JSON: `language en · text People without a helmet`. */
export function formatPlainValue(value: unknown): string {
  if (value === null) return '—';
  if (Array.isArray(value)) return value.map(inBrackets).join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${name} ${inBrackets(member)}`)
    .join(' · ');
}

function inBrackets(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `(${formatPlainValue(value)})`
    : formatPlainValue(value);
}

/**
 * Returns true if the field holds a secret, also further down: a device may send a text where an object is
 * due.
 */
function holdsSecret(payload: Payload, field: Field, path: string): boolean {
  return (
    isSensitiveAt(payload, path) ||
    listFieldsBelow(field).some(({ field: inner }) => inner.sensitive === true)
  );
}

function quantity(field: Field, number: number): Value {
  const decimals = field.kind === 'float' ? field.decimals : undefined;
  return { number, decimals, unit: field.unit };
}
