/** A setting that a step writes: as a section, as it may be kept. */
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { isSensitiveAt, mapLeaves } from '#protocol/index.ts';
import type { ResolvedSection } from '../template/document.ts';
import type { Setting, Values } from './flow.ts';
import { getSpecifiedResource } from '../operations/specified.ts';

export interface KeptSetting extends Pick<Setting, 'set' | 'params' | 'value'> {
  /** The document of which `value` is a part, as it was wanted. */
  readonly whole: unknown;
}

export function toResolvedSection({ set, params = {}, value }: Setting): ResolvedSection {
  return {
    index: 0,
    set,
    resource: getSpecifiedResource(set),
    params,
    value,
    optional: false,
    clamp: false,
    open: new Set(),
  };
}

/** Removes the secrets from a setting before it is kept: they are in the vault or nowhere. */
export function removeSecrets({ set, params, value }: Setting, whole: unknown): KeptSetting {
  const { request } = getSpecifiedResource(set).put;
  const shown = (all: unknown): unknown =>
    mapLeaves(all, (leaf, path) => (isSensitiveAt(request, path) ? undefined : leaf));
  return { set, params, value: shown(value) as Values, whole: shown(whole) };
}

export function describeUnwritable({ set }: Setting, device: string): ErrorShape {
  return { code: 'not-available', source: 'app', device, ...say('flow-not-writable', { name: set }) };
}
