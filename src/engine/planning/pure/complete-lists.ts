/** Lists that a section changes in part, made whole with what the device has. */
import {
  appendIndex,
  changeItems,
  findField,
  getPartKey,
  getValueAt,
  joinPath,
  readPartKey,
  rootField,
  setAt,
  type Field,
  type Issue,
  type ListField,
} from '#protocol/index.ts';
import { createDetail, formatDetail } from '#shared/details.ts';
import type { ResolvedSection } from '#engine/template/document.ts';
import type { ListChange } from '#template/list-change.ts';
import type { DeviceState } from './desired.ts';
import { rememberByPair } from './remembered.ts';

interface CompleteSection {
  /** The section's value with whole lists; the very value if it changes none in part. */
  readonly patch: unknown;
  /** Paths in `patch` of secrets that are not given yet. */
  readonly open: ReadonlySet<string>;
  /** Keys that the device lacks and the template does not add. */
  readonly issues: readonly Issue[];
}

const onceForEach = rememberByPair<CompleteSection>();

export function completeLists(section: ResolvedSection, state: DeviceState): CompleteSection {
  const { value: patch, open, change = [] } = section;
  return change.length === 0
    ? { patch, open, issues: [] }
    : onceForEach(section, state.document, () =>
        change.reduce(completeOne(section, state), { patch, open, issues: [] }),
      );
}

function completeOne(section: ResolvedSection, state: DeviceState) {
  return (complete: CompleteSection, { path, removed, missing }: ListChange): CompleteSection => {
    const payload = section.resource.put.request;
    const list: Field | undefined = path === '' ? rootField(payload) : findField(payload, path);
    const [items, shown] = [getValueAt(section.value, path), getValueAt(state.value, path)];
    if (list?.kind !== 'list' || !Array.isArray(items)) return complete;
    const held: readonly unknown[] = Array.isArray(shown) ? shown : [];
    const whole = changeItems(list, held, { items, removed: new Set(removed) });
    const isNothing = shown === undefined && whole.items.length === 0;
    return {
      patch: setAt(complete.patch, path, isNothing ? undefined : whole.items),
      open: new Set([...complete.open].map((at) => movePath(at, path, whole.positions))),
      issues:
        missing === 'refuse'
          ? [...complete.issues, ...whole.missing.map((index) => describeMissing(list, path, items[index]))]
          : complete.issues,
    };
  };
}

/** Returns the path with the position that the item has in the whole list. */
function movePath(at: string, path: string, positions: readonly (number | undefined)[]): string {
  const inner = at.startsWith(`${path}[`) ? /^\[(\d+)\](.*)$/.exec(at.slice(path.length)) : null;
  const position = inner === null ? undefined : positions[Number(inner[1])];
  return position === undefined
    ? at
    : joinPath(appendIndex(path, position), (inner?.[2] ?? '').replace(/^\./, ''));
}

function describeMissing(list: ListField, path: string, item: unknown): Issue {
  const detail = createDetail('device-lacks-key', {
    field: path || list.name,
    key: getPartKey(list) ?? '',
    value: readPartKey(list, item) ?? '',
  });
  return { code: 'not-allowed', path, message: formatDetail(detail), detail };
}
