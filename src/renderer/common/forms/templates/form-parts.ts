/** Lists that a template changes in part, as a form edits them: their items in the value, the keys that go beside it. */
import type { Payload } from '#protocol/definition.ts';
import { findField, rootField } from '#protocol/fields/field-at.ts';
import { getValueAt, setAt } from '#protocol/fields/values.ts';
import { getPartKey } from '#protocol/list-parts.ts';
import { readListChanges, type ListChange } from '#template/list-change.ts';

interface FormPart extends Pick<ListChange, 'missing'> {
  /** Keys of which the device keeps nothing. */
  readonly removed: readonly unknown[];
}
/** Parts by the path of their list. */
export type FormParts = Readonly<Record<string, FormPart>>;

export const NEW_PART: FormPart = { missing: 'add', removed: [] };

function keyOf(payload: Payload, path: string): string {
  const list = path === '' ? rootField(payload) : findField(payload, path);
  return (list?.kind === 'list' ? getPartKey(list) : undefined) ?? '';
}

/** Returns the value of a section with the items of all lists that it changes in part. */
export function readParts(
  payload: Payload,
  { value, change }: { readonly value: unknown; readonly change: unknown },
): { readonly value: unknown; readonly parts: FormParts } {
  if (change === undefined) return { value, parts: {} };
  const read = readListChanges(payload, change, value, () => undefined);
  let whole = read.value;
  const parts = read.lists.map(({ path, missing, removed }): [string, FormPart] => {
    const items = getValueAt(whole, path) as readonly unknown[];
    const key = keyOf(payload, path);
    whole = setAt(
      whole,
      path,
      items.filter((_item, index) => !removed.includes(index)),
    );
    return [path, { missing, removed: removed.map((index) => getValueAt(items[index], key)) }];
  });
  return { value: whole, parts: Object.fromEntries(parts) };
}

/** Returns what stands behind `value` and `change` for a value and its lists in part; undefined for what says nothing. */
export function writeParts(
  payload: Payload,
  { value, parts }: { readonly value: unknown; readonly parts: FormParts },
): { readonly value: unknown; readonly change: unknown } {
  let [rest, change]: unknown[] = [value, undefined];
  for (const [path, { missing, removed }] of Object.entries(parts)) {
    const items = getValueAt(value, path);
    if (!Array.isArray(items)) continue;
    const key = keyOf(payload, path);
    rest = setAt(rest, path, undefined);
    change = setAt(change, path, {
      keep: 'others',
      ...(missing !== 'add' && { missing }),
      items: [...items, ...removed.map((gone) => setAt({ remove: true }, key, gone))],
    });
  }
  const isEmpty = change !== undefined && typeof rest === 'object' && Object.keys(rest ?? {}).length === 0;
  return { value: isEmpty ? undefined : rest, change };
}
