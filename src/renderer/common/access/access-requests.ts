/** How a screen that met a closed door asks for the dialog that opens it; one host in app/ shows it. */
import { shallowRef, type Ref } from 'vue';
import type { ErrorShape } from '#shared/errors.ts';

export interface AccessRequest {
  /** `sign-in`: give a sign-in; `certificate`: compare what the device shows. */
  readonly kind: 'sign-in' | 'certificate';
  readonly deviceIds: readonly string[];
  /** The error that led here, where it belongs to one device: newer than what the list knows. */
  readonly error?: ErrorShape;
}

const current = shallowRef<AccessRequest>();
const gained = shallowRef<readonly string[]>([]);

export function requestAccess(request: AccessRequest): void {
  current.value = request;
}
export function endAccessRequest(): void {
  current.value = undefined;
}
export function useAccessRequest(): Readonly<Ref<AccessRequest | undefined>> {
  return current;
}

/** Announces that these devices now accept the sign-in; called by the dialogs. */
export function tellAccessGained(deviceIds: readonly string[]): void {
  if (deviceIds.length > 0) gained.value = [...deviceIds];
}
/** Ids of the devices that let us in last; a screen that watches it reads them again. */
export function useAccessGained(): Readonly<Ref<readonly string[]>> {
  return gained;
}
