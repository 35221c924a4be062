/**
 * Facts about each kind of device. A new one begins in `DEVICE_KINDS`: then the compiler asks for it here and
 * in every other place that needs it (words of both languages, virtual devices).
 */
import { DEVICE_KINDS, type DeviceKind, type Params } from '#shared/model.ts';
import { AREAS, type Area } from './definition.ts';

interface KindFacts {
  /** Areas that such devices have, the one that they are bought for first; a device's own capabilities and answers decide in the end. */
  readonly areas: readonly [Area, ...Area[]];
  /** Harmless reads that show the kind: the first that answers decides, a refusal leads to the next. */
  readonly signs: readonly [Sign, ...Sign[]];
}
type Sign = readonly [operation: string, params: Params];

export const KIND_FACTS = {
  gate: {
    areas: ['gate', 'accessControl'],
    signs: [
      ['gate.dialAndInfo.get', {}],
      ['gate.status.get', {}],
    ],
  },
  thermal: { areas: ['thermal', 'events', 'storage'], signs: [['thermal.capabilities.get', {}]] },
  ai: {
    areas: ['aiPlatform', 'humanRecognition', 'storage'],
    signs: [['aiPlatform.capabilities.get', {}]],
  },
  counter: { areas: ['peopleCounting', 'storage'], signs: [['peopleCounting.status.get', { channelID: 1 }]] },
  recorder: { areas: ['passback', 'events', 'storage'], signs: [['passback.basic.get', {}]] },
} as const satisfies Record<DeviceKind, KindFacts>;

/** Every device has these. */
const AREAS_OF_EVERY_KIND: readonly Area[] = ['system', 'token'];

/** True where a device of these kinds is expected to have the area; of unknown kinds everything is possible. */
export function isExpectedArea(area: Area, kinds: readonly DeviceKind[]): boolean {
  return (
    kinds.length === 0 ||
    AREAS_OF_EVERY_KIND.includes(area) ||
    kinds.some((kind) => (KIND_FACTS[kind].areas as readonly Area[]).includes(area))
  );
}

/** Returns all areas: first those of the kinds, then those of every device. */
export function sortAreas(kinds: readonly DeviceKind[]): readonly Area[] {
  return [...new Set([...kinds.flatMap((kind) => KIND_FACTS[kind].areas), ...AREAS_OF_EVERY_KIND, ...AREAS])];
}

/**
 * Returns values for a sentence with the word of each kind: `{gate:Gate|}{and_thermal:,
 * |}{thermal:Thermal|}…`.
 */
export function toKindValues(
  kinds: readonly string[],
): Readonly<Record<DeviceKind | `and_${DeviceKind}`, number>> {
  const own = DEVICE_KINDS.filter((kind) => kinds.includes(kind));
  return Object.fromEntries(
    DEVICE_KINDS.flatMap((kind) => [
      [kind, Number(own.includes(kind))],
      [`and_${kind}`, Number(own.indexOf(kind) > 0)],
    ]),
  ) as ReturnType<typeof toKindValues>;
}
