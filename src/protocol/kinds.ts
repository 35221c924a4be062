/** Which areas of the interface devices of a kind have; a device's own capabilities and answers decide in the end. */
import type { DeviceKind } from '../shared/model.ts';
import type { Area } from './definition.ts';

const AREAS_OF_KIND: Readonly<Record<DeviceKind, readonly Area[]>> = {
  gate: ['accessControl', 'gate'],
  thermal: ['thermal', 'events', 'storage'],
  ai: ['aiPlatform', 'humanRecognition', 'storage'],
  counter: ['peopleCounting', 'storage'],
  recorder: ['passback', 'events', 'storage'],
};
/** Every device has these. */
const AREAS_OF_EVERY_KIND: readonly Area[] = ['system', 'token'];

/** True where a device of these kinds is expected to have the area; of unknown kinds everything is possible. */
export function isExpectedArea(area: Area, kinds: readonly DeviceKind[]): boolean {
  return (
    kinds.length === 0 ||
    AREAS_OF_EVERY_KIND.includes(area) ||
    kinds.some((kind) => AREAS_OF_KIND[kind].includes(area))
  );
}
