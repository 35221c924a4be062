/** Parts of the overview: what each shows, and the areas of the interface that a device has it with. */
import { defineAsyncComponent, type Component } from 'vue';
import type { DevicePart } from '#shared/device-facts.ts';
import type { AreaPresence } from '../workspace/presence.ts';

interface OverviewPart {
  /** A device with one of these areas shows the part. */
  readonly areas: readonly (DevicePart | 'humanRecognition')[];
  readonly component: Component;
  /** True for a part that needs the whole width. */
  readonly isWide?: boolean;
}

/** All parts, in the order in which they are shown. Each is loaded when a device has it. */
const PARTS: readonly OverviewPart[] = [
  {
    areas: ['thermal'],
    component: defineAsyncComponent(() => import('./ThermalOverview.vue')),
    isWide: true,
  },
  { areas: ['gate'], component: defineAsyncComponent(() => import('./GatePart.vue')), isWide: true },
  { areas: ['passback'], component: defineAsyncComponent(() => import('./BackfillPart.vue')), isWide: true },
  { areas: ['aiPlatform'], component: defineAsyncComponent(() => import('./EnginesPart.vue')), isWide: true },
  {
    areas: ['accessControl'],
    component: defineAsyncComponent(() => import('./TerminalPart.vue')),
    isWide: true,
  },
  {
    areas: ['peopleCounting', 'humanRecognition'],
    component: defineAsyncComponent(() => import('./CountingPart.vue')),
  },
  { areas: ['storage'], component: defineAsyncComponent(() => import('./StoragePart.vue')) },
];

/** Returns the parts for what the device has, each once: a device may have several tasks. */
export function listOverviewParts(areas: readonly AreaPresence[]): readonly OverviewPart[] {
  const there = areas.filter(({ isThere }) => isThere).map(({ area }) => area);
  return PARTS.filter((part) => part.areas.some((area) => there.some((one) => one === area)));
}
