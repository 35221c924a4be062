/**
 * Computes what a device should hold after an undo: the whole document from before, or only this job's part
 * of it.
 */
import {
  changeItems,
  computeChanges,
  decode,
  isRelated,
  isWithin,
  restoreSpelling,
  getFreeNumber,
  getPartKey,
  isPlain,
  joinPath,
  merge,
  getOwn,
  buildReplacingPatch,
  readPartKey,
  rootField,
  isSameValue,
  type Field,
  type ListField,
  type Payload,
} from '#protocol/index.ts';
import type { Desired, DeviceState } from '#engine/planning/pure/desired.ts';

export interface UndoGoal {
  /** State before the job wrote. */
  readonly before: DeviceState;
  /**
   * States that the job produced: as the device showed it, else as it was sent. Values are compared with the
   * first one.
   */
  readonly ours: readonly DeviceState[];
  /** Path of the one setting that is put back; all of them if absent. */
  readonly only?: string;
}

export interface Undone extends Desired {
  /** `exactly`: the whole document as it was. `merged`: others changed it too, only our changes are taken back. */
  readonly how: 'exactly' | 'merged';
  /** The device already holds it. */
  readonly nothing: boolean;
  /** Paths that this job changed and another client changed again. */
  readonly conflicts: readonly string[];
}

/**
 * Computes the document after the undo. Pure. If the document is untouched since our write: byte for byte;
 * else field by field.
 */
export function computeUndoneState(payload: Payload, goal: UndoGoal, now: DeviceState): Undone {
  const { before, ours, only } = goal;
  const shown = now.document.text;
  if (only !== undefined && !coversAll(payload, goal, only)) return restoreOne(payload, goal, now, only);
  if (shown === before.document.text || ours.some((state) => state.document.text === shown)) {
    return {
      how: 'exactly',
      nothing: shown === before.document.text,
      text: before.document.text,
      value: before.value,
      changes: computeChanges(payload, now.value, before.value),
      lost: [],
      conflicts: [],
    };
  }
  const conflicts: string[] = [];
  const patch = inverse(
    rootField(payload),
    { before: before.value, ours: ours[0]?.value, now: now.value, path: '' },
    conflicts,
  );
  if (patch === undefined)
    return { how: 'merged', nothing: true, text: shown, value: now.value, changes: [], lost: [], conflicts };
  const merged = merge(now.document, payload, patch, isSameValue);
  return {
    how: 'merged',
    nothing: merged.text === shown,
    text: merged.text,
    value: merged.value,
    changes: computeChanges(payload, now.value, merged.value),
    lost: merged.lost,
    conflicts,
  };
}

/** Returns true if the job changed nothing but this setting. */
function coversAll(payload: Payload, { before, ours }: UndoGoal, only: string): boolean {
  const [left] = ours;
  return (
    left !== undefined &&
    computeChanges(payload, left.value, before.value).every(({ path }) => isWithin(path, only))
  );
}

/** Computes the document with one setting as it was before, spelled as it was; all else stays as it is now. */
function restoreOne(payload: Payload, { before, ours }: UndoGoal, now: DeviceState, only: string): Undone {
  const shown = now.document.text;
  const conflicts: string[] = [];
  const patch = inverse(
    rootField(payload),
    { before: before.value, ours: ours[0]?.value, now: now.value, path: '', only },
    conflicts,
  );
  if (patch === undefined)
    return { how: 'merged', nothing: true, text: shown, value: now.value, changes: [], lost: [], conflicts };
  const spelled = restoreSpelling(now.document, before.document, only);
  const { text, value, lost } =
    spelled === undefined
      ? merge(now.document, payload, patch, isSameValue)
      : { text: spelled, value: decode(payload, spelled).value, lost: [] };
  return {
    how: spelled === undefined ? 'merged' : 'exactly',
    nothing: text === shown,
    text,
    value,
    changes: computeChanges(payload, now.value, value),
    lost,
    conflicts,
  };
}

interface Values {
  readonly before: unknown;
  readonly ours: unknown;
  readonly now: unknown;
  readonly path: string;
  /** Path of the one setting that is taken back. */
  readonly only?: string;
}

/** Returns the patch that takes our changes back; undefined if there is nothing to take back. */
function inverse(field: Field, { before, ours, now, path, only }: Values, conflicts: string[]): unknown {
  if (only !== undefined && path !== '' && !isRelated(path, only)) return undefined;
  if (isSameValue(field, before, ours) || isSameValue(field, before, now)) return undefined;
  if (field.kind === 'object' && isPlain(before) && isPlain(ours)) {
    const members = field.fields.flatMap((inner) => {
      const patch = inverse(
        inner,
        {
          before: getOwn(before, inner.name),
          ours: getOwn(ours, inner.name),
          now: isPlain(now) ? getOwn(now, inner.name) : undefined,
          path: joinPath(path, inner.name),
          only,
        },
        conflicts,
      );
      return patch === undefined ? [] : [[inner.name, patch] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const wanted = isSameValue(field, now, ours)
    ? before
    : field.kind === 'list'
      ? (takeKeysBack(field, { before, ours, now }) ?? before)
      : before;
  if (wanted === before && !isSameValue(field, now, ours)) conflicts.push(path);
  return buildReplacingPatch(field, now, wanted);
}

/**
 * Returns the list that the device has now with only the keys taken back that the job changed; undefined if that cannot
 * be done: the list has no keys, or others changed the same ones.
 */
function takeKeysBack(
  list: ListField,
  { before, ours, now }: Omit<Values, 'path'>,
): readonly unknown[] | undefined {
  if (getPartKey(list) === undefined || getFreeNumber(list) !== undefined) return undefined;
  if (!Array.isArray(before) || !Array.isArray(ours) || !Array.isArray(now)) return undefined;
  const [old, changed, shown] = [before, ours, now].map((items: readonly unknown[]) =>
    Map.groupBy(items, (item) => readPartKey(list, item)),
  );
  const isSame = (key: string | undefined, one: typeof old, other: typeof old): boolean =>
    isSameValue(list, one?.get(key) ?? [], other?.get(key) ?? []);
  const keys = [...new Set([...(old?.keys() ?? []), ...(changed?.keys() ?? [])])].filter(
    (key) => !isSame(key, old, changed),
  );
  if (keys.some((key) => key === undefined || !isSame(key, changed, shown))) return undefined;
  const removed = new Set<number>();
  const items = keys.flatMap((key) => old?.get(key) ?? changed?.get(key)?.slice(0, 1) ?? []);
  items.forEach((item, index) => {
    if (old?.has(readPartKey(list, item)) !== true) removed.add(index);
  });
  return changeItems(list, now, { items, removed }).items;
}
