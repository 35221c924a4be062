/** Compares what a device shows with what was agreed; pure, by the comparison of the read-back. */
import { getSettingPath, getValueAt, isPlain, setAt } from '#protocol/index.ts';
import type { Change } from '#shared/model.ts';
import { completeLists } from '../planning/pure/complete-lists.ts';
import { computeDesiredState, type DeviceState } from '../planning/pure/desired.ts';
import { extractSettable } from '../template/capture/settable.ts';
import type { AgreedSection } from './agreed-sections.ts';

/** A setting that differs: a field, or a list as a whole. */
export interface Differing {
  readonly path: string;
  /** Values as a template may set them; undefined for what no template may. */
  readonly agreed: unknown;
  readonly shown: unknown;
  /** Lead from the value shown to the value agreed. */
  readonly changes: readonly Change[];
}
interface Drift {
  /** Secrets are never compared. */
  readonly settings: readonly Differing[];
  /** Number of agreed settings that the device does not report. */
  readonly unseen: number;
}

export function findDrift({ resource, params, parts }: AgreedSection, state: DeviceState): Drift {
  const payload = resource.put.request;
  let patch: unknown;
  let value = state.value;
  for (const { section } of parts) {
    // A copy for each device: what is remembered of a section holds for the state that it is completed with.
    const whole = completeLists({ ...section }, { ...state, value });
    const own = [...whole.open].reduce((kept, path) => setAt(kept, path, undefined), whole.patch);
    patch = layOver(patch, own);
    value = layOver(value, own);
  }
  const desired = computeDesiredState(payload, patch, state);
  const changes = desired.changes.filter(({ sensitive }) => sensitive !== true);
  const shown = changes.filter((change) => isReported(change, state));
  const settable = (document: unknown, path: string): unknown =>
    getValueAt(
      extractSettable(payload, setAt(undefined, path, getValueAt(document, path)), { params, segments: [] })
        .value,
      path,
    );
  return {
    settings: [...Map.groupBy(shown, ({ path }) => getSettingPath(path))].map(([path, own]) => ({
      path,
      agreed: settable(desired.value, path),
      shown: settable(state.value, path),
      changes: own,
    })),
    unseen: changes.length - shown.length,
  };
}

/** Returns `base` with what `patch` says over it; lists as a whole. */
export function layOver(base: unknown, patch: unknown): unknown {
  if (!isPlain(base) || !isPlain(patch)) return patch === undefined ? base : patch;
  const names = new Set([...Object.keys(base), ...Object.keys(patch)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      layOver(
        Object.hasOwn(base, name) ? base[name] : undefined,
        Object.hasOwn(patch, name) ? patch[name] : undefined,
      ),
    ]),
  );
}

/** A field that is missing is not reported; an item that is missing in a list that is there is. */
function isReported({ path, from }: Change, state: DeviceState): boolean {
  if (from !== undefined) return true;
  const list = path.lastIndexOf('[');
  return list > 0 && getValueAt(state.value, path.slice(0, list)) !== undefined;
}
