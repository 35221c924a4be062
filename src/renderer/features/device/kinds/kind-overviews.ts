/** Overviews by the kind of a device: one component a kind, loaded when such a device is opened. */
import type { Component } from 'vue';
import type { DeviceKind } from '#shared/model.ts';

/** A kind without an entry is shown by its states (`health-pages.ts`). */
const KIND_OVERVIEWS: Readonly<Partial<Record<DeviceKind, Component>>> = {};

/** Returns the components of the device's kinds, each once. */
export function listKindOverviews(kinds: readonly DeviceKind[]): readonly Component[] {
  return [...new Set(kinds.flatMap((kind) => KIND_OVERVIEWS[kind] ?? []))];
}
