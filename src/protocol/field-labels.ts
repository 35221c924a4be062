/** Gives sections, settings and options their names in a language, from `resources/locales`. */
import { findOperation, findResource } from './catalogue.ts';
import type { Change } from '#shared/model.ts';
import type { Field, Payload } from './definition.ts';
import { findField } from './fields/field-at.ts';
import { toGeneralPath, appendIndex, joinPath, appendKey } from './fields/path.ts';
import { formatPath } from './item-names.ts';

/** Words of operations, fields and options in one language, by the keys of `resources/locales`. */
export type FieldLabels = Readonly<Record<string, string>>;

function payloadOf(set: string): { readonly payload: Payload; readonly root: string } | undefined {
  const put = findResource(set)?.put ?? findOperation(set);
  return put?.request === undefined ? undefined : { payload: put.request, root: put.request.root ?? put.id };
}

/** The definition of the field at a path of a section's value. */
export function findSectionField(set: string, path: string): Field | undefined {
  const payload = payloadOf(set)?.payload;
  return payload && findField(payload, path);
}

/** Returns the name of a section, or of the operation of a single call; the engine's own where the language has none. */
export function getSectionLabel(words: FieldLabels, set: string, label: string): string {
  return words[`${set}.put`] ?? words[`${set}.get`] ?? words[set] ?? label;
}

/** Name of what an operation reports at a path; the engine's own where the language has none. */
export function getReportedLabel(
  words: FieldLabels,
  { operation, path, label }: { readonly operation: string; readonly path: string; readonly label: string },
): string {
  const root = findOperation(operation)?.response?.root ?? operation;
  return words[joinPath(root, toGeneralPath(path))] ?? label;
}

/** Word for one of the values that an operation reports at a path, where it has one that says more than the value itself. */
export function findReportedOption(
  words: FieldLabels,
  { operation, path }: { readonly operation: string; readonly path: string },
  value: string,
): string | undefined {
  const response = findOperation(operation)?.response;
  const field = response && findField(response, path);
  if (response === undefined || field?.kind !== 'choice') return undefined;
  return (
    words[`${joinPath(response.root ?? operation, toGeneralPath(path))}=${value}`] ??
    field.options.find((option) => String(option.value) === value)?.label
  );
}

/** Returns the name of a changed field with everything that holds it: `时段 星期二 › 开始`. */
export function changeLabel(
  words: FieldLabels,
  set: string,
  { path, label, items }: { readonly path: string; readonly label: string; readonly items?: Change['items'] },
): string {
  const known = payloadOf(set);
  if (known === undefined) return label;
  const { root, payload } = known;
  return formatPath(payload, path, { root, wordOf: (key) => words[key], items }) ?? label;
}

/** Word for one of the choices of a field, where it has one that says more than the value itself. */
export function findOptionLabel(
  words: FieldLabels,
  set: string,
  path: string,
  value: unknown,
): string | undefined {
  const root = payloadOf(set)?.root;
  const field = findSectionField(set, path);
  if (root === undefined || field?.kind !== 'choice') return undefined;
  const option = field.options.find((candidate) => String(candidate.value) === String(value));
  const key = joinPath(root, toGeneralPath(path));
  return words[`${key}=${String(value)}`] ?? option?.label;
}

/** Characters of JSON: a week with several periods a day is described in words, a longer value is not. */
const LONGEST = 2_000;

/**
 * A list or an object in words, by what its fields are called: `Day Monday · Begin 08:00:00`; `leaf` says single values.
 * Undefined for single values themselves, for what the definition does not know and for what is too long.
 */
export function formatComposite(
  words: FieldLabels,
  set: string,
  path: string,
  value: unknown,
  leaf: (path: string, value: unknown) => string,
): string | undefined {
  const root = payloadOf(set)?.root;
  if (root === undefined || !isComposite(value) || JSON.stringify(value).length > LONGEST) return undefined;
  const member = (at: string, held: unknown): string | undefined => {
    const field = findSectionField(set, at);
    const text = field && textOf(at, held);
    if (text === undefined || isComposite(held)) return text;
    return `${words[joinPath(root, toGeneralPath(at))] ?? field?.label} ${text}`;
  };
  const textOf = (at: string, held: unknown): string | undefined => {
    if (!isComposite(held)) return leaf(at, held);
    return Array.isArray(held)
      ? joined(
          '; ',
          held.map((item, index) => textOf(appendIndex(at, index), item)),
        )
      : joined(
          ' · ',
          Object.entries(held).map(([name, inner]) => member(appendKey(at, name), inner)),
        );
  };
  return textOf(path, value);
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function joined(separator: string, texts: readonly (string | undefined)[]): string | undefined {
  return texts.every((text) => text !== undefined) ? texts.join(separator) : undefined;
}
