/** What a saved state becomes on another device, for a person to look at before anything is written. */
import { isPlain, joinPath, own, rootField } from '../../protocol/index.ts';
import type { Field } from '../../protocol/index.ts';
import type { CapturedSection } from '../../shared/authoring.ts';
import type { SwapItem } from '../../shared/history.ts';
import { fieldsAlong } from '../template/field-path.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { Conversion } from './convert-section.ts';
import { isWithin } from './paths.ts';

export interface SwapItems {
  readonly kept: readonly SwapItem[];
  readonly converted: readonly SwapItem[];
  readonly lost: readonly SwapItem[];
}

/** Of one section. One that is kept whole is one item; else every setting is one. */
export function itemsOf(section: ResolvedSection, conversion: Conversion): SwapItems {
  const head = headOf(section);
  const named = (path: string): SwapItem => (path === '' ? head : { ...head, path, label: labelAt(section, path) });
  const { converted, lost } = conversion;
  const payload = section.resource.put.request;
  const touched = [...converted, ...lost].map(({ path }) => path);
  const kept = touched.length === 0 || payload === undefined
    ? [head]
    : leaves(rootField(payload), section.value, '').filter(([path]) => !touched.some((other) => isWithin(path, other))).map(([path, value]) => ({ ...named(path), from: value, to: value }));
  return {
    kept: lost.some(({ path }) => path === '') ? [] : kept,
    converted: converted.map(({ path, from, to, reason }) => ({ ...named(path), from, to, reason })),
    lost: lost.map(({ path, from, reason }) => ({ ...named(path), ...(path === '' ? {} : { from }), reason })),
  };
}

/** The section as a whole. */
export function lostSection(section: ResolvedSection, reason: string): SwapItem {
  return { ...headOf(section), reason };
}

/** What capturing could not take along in the first place. */
export function neverKept(sections: readonly CapturedSection[]): readonly SwapItem[] {
  return sections.flatMap(({ set, label, params, state, left, error }): readonly SwapItem[] => {
    const head = { set, label, params };
    if (state === 'secret') return [{ ...head, reason: 'It cannot be set without a secret, and secrets are never kept.' }];
    if (state === 'failed') return [{ ...head, reason: error?.message ?? 'It could not be read when the state was saved.' }];
    return left.flatMap(({ path, reason }) => {
      if (reason === 'secret') return [{ ...head, path, reason: 'Secrets are never kept: set it anew on the device.' }];
      return reason === 'invalid' ? [{ ...head, path, reason: 'The specification does not allow what the device showed.' }] : [];
    });
  });
}

function headOf({ set, resource, params }: ResolvedSection): SwapItem {
  return { set, label: resource.get.label, params };
}

function labelAt({ resource }: ResolvedSection, path: string): string {
  const payload = resource.put.request;
  const labels = payload === undefined ? [] : fieldsAlong(payload, path).map(({ label }) => label);
  return labels.length === 0 ? resource.get.label : labels.join(' › ');
}

/** Settings with their values; a list is one. */
function leaves(field: Field, value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (field.kind !== 'object' || !isPlain(value)) return value === undefined ? [] : [[path, value]];
  return field.fields.flatMap((inner) => leaves(inner, own(value, inner.name), joinPath(path, inner.name)));
}
