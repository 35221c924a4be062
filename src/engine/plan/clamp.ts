/** `clamp: true`: a number outside the limits of a device moves to the nearest limit, and says so. */
import type { Issue } from '../../protocol/index.ts';
import { detailOf, detailText } from '../../shared/details.ts';
import type { Detail } from '../../shared/details.ts';
import { stepsOf } from '../template/field-path.ts';
import type { PathStep } from '../template/field-path.ts';

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
  const steps = stepsOf(issue.path);
  const asked = steps.reduce<unknown>(child, patch);
  const { min, max } = issue.allowed ?? {};
  if (typeof asked !== 'number' || (min === undefined && max === undefined)) return undefined;
  const given = clamp(asked, min, max);
  if (given === undefined || given === asked) return undefined;
  const detail = rangeDetail(min, max);
  return {
    patch: replaceAt(patch, steps, given),
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

function child(value: unknown, step: PathStep): unknown {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;
}

function replaceAt(value: unknown, steps: readonly PathStep[], given: number): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return given;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaceAt(item, rest, given) : item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === step ? replaceAt(item, rest, given) : item]),
  );
}
