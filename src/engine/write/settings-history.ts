/** History rows of units that write settings, by section and setting. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Change, Params } from '#shared/model.ts';
import type { JobKind } from '../jobs/job-kind.ts';

interface WrittenDetail {
  readonly set: string;
  readonly params: Params;
  readonly changes: readonly Change[];
}

export const settingsHistory = {
  words: ({ set }: WrittenDetail) => set,
  rows({ set, params, changes }: WrittenDetail, label: string) {
    const section = { section: set, params };
    return changes.length === 0
      ? [{ ...section, label }]
      : changes.map((change) => ({ ...section, ...shownChange(change, label) }));
  },
} satisfies NonNullable<
  JobKind<{
    readonly body: object;
    readonly device: object;
    readonly detail: WrittenDetail;
    readonly unit: object;
  }>['history']
>;

function shownChange({ path, label, from, to }: Change, section: string) {
  return {
    path,
    label: `${section} › ${label}`,
    ...removeUndefined({ from, to }),
  };
}
