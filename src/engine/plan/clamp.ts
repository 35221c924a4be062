/** `clamp: true`: a number outside the limits of a device moves to the nearest limit, and says so. */
import { setAt, valueAt } from '../../protocol/index.ts';
import type { Issue } from '../../protocol/index.ts';
import { detailOf, detailText } from '../../shared/details.ts';
import type { Detail } from '../../shared/details.ts';

export interface Adjustment {
  readonly path: string;
  readonly asked: number;
  readonly given: number;
  readonly reason: string;
  readonly detail: Detail;
}

/** The patch with the number at the issue's path moved inside its limits; undefined where that is not possible. */
export function clampIssue(
  patch: unknown,
  issue: Issue,
): { readonly patch: unknown; readonly adjustment: Adjustment } | undefined {
  if (issue.code !== 'out-of-range') return undefined;
  const asked = valueAt(patch, issue.path);
  const { min, max } = issue.allowed ?? {};
  if (typeof asked !== 'number' || (min === undefined && max === undefined)) return undefined;
  const given = clamp(asked, min, max);
  if (given === undefined || given === asked) return undefined;
  const detail = rangeDetail(min, max);
  return {
    patch: setAt(patch, issue.path, given),
    adjustment: { path: issue.path, asked, given, reason: detailText(detail), detail },
  };
}

/** At least one of the two is given. */
export function rangeDetail(min: number | undefined, max: number | undefined): Detail {
  if (min === undefined) return detailOf('device-takes-up-to', { max: max ?? 0 });
  return max === undefined ? detailOf('device-takes-from', { min }) : detailOf('device-takes', { min, max });
}

function clamp(value: number, min: number | undefined, max: number | undefined): number | undefined {
  const [low, high] = Number.isInteger(value)
    ? [Math.ceil(min ?? -Infinity), Math.floor(max ?? Infinity)]
    : [min ?? -Infinity, max ?? Infinity];
  return low > high ? undefined : Math.min(Math.max(value, low), high);
}
