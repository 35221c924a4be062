/** `clamp: true`: a number outside the limits of a device moves to the nearest limit, and says so. */
import {
  identifyItemsAlong,
  namePath,
  setAt,
  getValueAt,
  type Issue,
  type Payload,
} from '#protocol/index.ts';
import type { Change } from '#shared/model.ts';
import { createDetail, formatDetail, type Detail } from '#shared/details.ts';

export interface Adjustment {
  readonly path: string;
  /** Name of the field and what identifies the items along its path, as in a change. */
  readonly label: string;
  readonly items?: Change['items'];
  readonly asked: number;
  readonly given: number;
  readonly reason: string;
  readonly detail: Detail;
}

/** The patch with the number at the issue's path moved inside its limits; undefined where that is not possible. */
export function clampIssue(
  payload: Payload,
  patch: unknown,
  issue: Issue,
): { readonly patch: unknown; readonly adjustment: Adjustment } | undefined {
  const asked = getValueAt(patch, issue.path);
  if (typeof asked !== 'number') return undefined;
  const { min, max } = issue.allowed ?? {};
  const given = clamp(asked, min, max);
  if (given === asked) return undefined;
  const detail = rangeDetail(min, max);
  const items = identifyItemsAlong(payload, issue.path, patch);
  const label = namePath(payload, issue.path, { items });
  return {
    patch: setAt(patch, issue.path, given),
    adjustment: {
      path: issue.path,
      label,
      items,
      asked,
      given,
      reason: formatDetail(detail),
      detail,
    },
  };
}

/** Returns the detail that names the device's range; at least one of the two limits is given. */
function rangeDetail(min: number | undefined, max: number | undefined): Detail {
  if (min === undefined) return createDetail('device-takes-up-to', { max: max ?? 0 });
  return max === undefined
    ? createDetail('device-takes-from', { min })
    : createDetail('device-takes', { min, max });
}

/** A whole number stays whole; any stays as it is where no value is allowed, or no limit named. */
function clamp(value: number, min = -Infinity, max = Infinity): number {
  const [low, high] = Number.isInteger(value) ? [Math.ceil(min), Math.floor(max)] : [min, max];
  return low > high ? value : Math.min(Math.max(value, low), high);
}
