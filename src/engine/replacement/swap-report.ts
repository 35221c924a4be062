/** Reports how a saved state changes on another device, for a person to review before anything is written. */
import {
  isPlain,
  isRelated,
  identifyItemsAlong,
  joinPath,
  namePath,
  getOwn,
  rootField,
  type Field,
} from '#protocol/index.ts';
import type { CapturedSection } from '#shared/template/authoring.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, formatDetail, type Detail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { SwapItem } from '#shared/history.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { Conversion } from './convert-section.ts';

export interface SwapItems {
  readonly kept: readonly SwapItem[];
  readonly converted: readonly SwapItem[];
  readonly lost: readonly SwapItem[];
}

/** Lists the items of one section: one item if it is kept whole, else one for each setting. */
export function listSwapItems(section: ResolvedSection, conversion: Conversion): SwapItems {
  const head = headOf(section);
  const named = (path: string): SwapItem => (path === '' ? head : { ...head, ...nameAt(section, path) });
  const { converted, lost } = conversion;
  const touched = [...converted, ...lost].map(({ path }) => path);
  const kept =
    touched.length === 0
      ? [head]
      : leaves(rootField(section.resource.put.request), section.value, '')
          .filter(([path]) => !touched.some((other) => isRelated(path, other)))
          .map(([path, value]) => ({ ...named(path), from: value, to: value }));
  return {
    kept: lost.some(({ path }) => path === '') ? [] : kept,
    converted: converted.map(({ path, from, to, reasons }) => ({
      ...named(path),
      from,
      to,
      ...because(...reasons),
    })),
    lost: lost.map(({ path, from, reasons }) => ({
      ...named(path),
      ...(path === '' ? {} : { from }),
      ...because(...reasons),
    })),
  };
}

/** The section as a whole. */
export function createLostItem(section: ResolvedSection, error: ErrorShape): SwapItem {
  return { ...headOf(section), reason: error.message, error };
}

function because(...details: readonly Detail[]): Pick<SwapItem, 'reason' | 'details'> {
  return { reason: details.map(formatDetail).join(' '), details };
}

const NOT_KEPT: Readonly<
  Partial<
    Record<
      CapturedSection['left'][number]['reason'],
      'secret-not-kept' | 'shown-not-allowed' | 'shown-inactive'
    >
  >
> = { secret: 'secret-not-kept', invalid: 'shown-not-allowed', inactive: 'shown-inactive' };

/** Lists settings that were not captured in the first place. */
export function listNeverCaptured(sections: readonly CapturedSection[]): readonly SwapItem[] {
  return sections.flatMap(({ set, label, params, state, left, error }): readonly SwapItem[] => {
    const head = { set, label, params };
    if (state === 'secret') return [{ ...head, ...because(createDetail('section-needs-secret')) }];
    if (state === 'failed')
      return [
        {
          ...head,
          ...(error === undefined
            ? because(createDetail('not-read-then'))
            : { reason: error.message, error }),
        },
      ];
    return left.flatMap(({ path, reason, value }) => {
      const reasons = NOT_KEPT[reason];
      return reasons === undefined
        ? []
        : [{ ...head, path, ...removeUndefined({ from: value }), ...because(createDetail(reasons)) }];
    });
  });
}

function headOf({ set, resource, params }: ResolvedSection): SwapItem {
  return { set, label: resource.get.label, params };
}

/** Names a setting as a change does: items of lists by what identifies them in the saved value. */
function nameAt(
  { resource, value }: ResolvedSection,
  path: string,
): Pick<SwapItem, 'path' | 'label' | 'items'> {
  const payload = resource.put.request;
  const items = identifyItemsAlong(payload, path, value);
  return {
    path,
    label: namePath(payload, path, { items }) || resource.get.label,
    ...removeUndefined({ items }),
  };
}

/** Settings with their values; a list is one. */
function leaves(field: Field, value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (field.kind !== 'object' || !isPlain(value)) return value === undefined ? [] : [[path, value]];
  return field.fields.flatMap((inner) =>
    leaves(inner, getOwn(value, inner.name), joinPath(path, inner.name)),
  );
}
