/** The document a device should hold: what it holds now with only what was asked changed. */
import { computeChanges, merge, type Payload, type WireDocument } from '#protocol/index.ts';
import type { Change } from '#shared/model.ts';
import { rememberByPair } from './remembered.ts';

export interface DeviceState {
  readonly document: WireDocument;
  readonly value: unknown;
}

export interface Desired {
  /** Wire text to write; identical to what was read where nothing changes. */
  readonly text: string;
  readonly value: unknown;
  /** Secrets hidden. Empty: the device already is as asked. */
  readonly changes: readonly Change[];
  /** Paths of what the specification does not know and what goes with the items and groups that are removed. */
  readonly lost: readonly string[];
}

const onceForEach = rememberByPair<Desired>();

/**
 * Lossless merge of `patch` into what was read. Also the judge of a read-back: no changes left
 * means that every wanted field shows.
 */
export function computeDesiredState(payload: Payload, patch: unknown, state: DeviceState): Desired {
  return onceForEach(patch, state.document, () => compute(payload, patch, state));
}

function compute(payload: Payload, patch: unknown, state: DeviceState): Desired {
  const { text, value, lost } = merge(state.document, payload, patch);
  return { text, value, lost, changes: computeChanges(payload, state.value, value) };
}
