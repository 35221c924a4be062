/** How many periods a day a device takes (part 3, 8). */
import type { Model } from '../kinds/models.ts';

export function getPeriodsPerDay({ model }: { readonly model: Model }): number {
  return model === 'compact' ? 4 : 8;
}

/** `days`: the day of every period; one without a day counts for none. */
export function findOverfullDay(days: readonly (string | undefined)[], most: number): string | undefined {
  const counts = Map.groupBy(
    days.filter((day) => day !== undefined),
    (day) => day,
  );
  return [...counts.values()].some(({ length }) => length > most)
    ? `There are more than ${most} periods on one day.`
    : undefined;
}
