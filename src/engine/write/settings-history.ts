/** History rows of units that write settings, by section and setting. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { formatTimes, groupChanges } from '#protocol/differences.ts';
import type { Change, Params } from '#shared/model.ts';
import type { UnitHistory } from '../jobs/types.ts';

interface WrittenDetail {
  readonly set: string;
  readonly params?: Params;
  readonly changes: readonly Change[];
}
type Row = ReturnType<UnitHistory['rows']>[number];

export const settingsHistory = {
  words: ({ set }: WrittenDetail) => set,
  rows({ set, params, changes }: WrittenDetail, label: string, byItem = false): readonly Row[] {
    const section = { section: set, ...removeUndefined({ params }) };
    if (changes.length === 0) return [{ ...section, label }];
    const rows = byItem ? listByItem(set, changes) : changes.map(toRow);
    return rows.map((row) => ({ ...section, ...row, label: `${label} › ${row.label ?? ''}` }));
  },
} satisfies UnitHistory<WrittenDetail>;

function toRow({ path, label, from, to }: Change): Row {
  return { path, label, ...removeUndefined({ from, to }) };
}

/** Weeks by their days, regions by their outlines, everything else by its value. */
function listByItem(set: string, changes: readonly Change[]): readonly Row[] {
  return groupChanges(set, changes).flatMap((difference): readonly Row[] => {
    switch (difference.kind) {
      case 'week':
        return difference.days
          .filter(({ isChanged }) => isChanged)
          .map(({ day, from, to }) => ({
            path: difference.path,
            label: `${difference.label} › ${nameDay(day)}`,
            from: formatTimes(from),
            to: formatTimes(to),
          }));
      case 'regions':
        return difference.regions.flatMap(({ change, name, from, to }) =>
          change === undefined
            ? []
            : [{ path: change.path, label: `${change.label}${name === '' ? '' : ` ${name}`}`, from, to }],
        );
      case 'setting':
        return [toRow(difference.change)];
    }
  });
}

/** Returns the English name of a day; 1 is Monday. */
function nameDay(day: number): string {
  return new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));
}
