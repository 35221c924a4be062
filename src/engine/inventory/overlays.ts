/** Overlays that the command line puts on devices for one run; they are not stored. */
import type { AddDevice } from '../api/routes.ts';
import type { Credentials } from '../device/sign-in/proofs.ts';
import type { Pin } from './access/trust.ts';
import type { DeviceRecord } from './device-rows.ts';
import { mergeProfile } from './profile.ts';

interface Overlay {
  readonly signIn?: Credentials;
  readonly profile?: AddDevice['profile'];
  readonly pin?: Pin;
}

export class Overlays {
  readonly #byId = new Map<string, Overlay>();

  get(deviceId: string): Overlay {
    return this.#byId.get(deviceId) ?? {};
  }

  /** Adds an overlay. Values of an earlier one stay unless this one has them. */
  lay(deviceId: string, overlay: Overlay): void {
    this.#byId.set(deviceId, { ...this.#byId.get(deviceId), ...overlay });
  }

  lift(deviceIds: Iterable<string>): void {
    for (const id of deviceIds) this.#byId.delete(id);
  }

  over(record: DeviceRecord): DeviceRecord {
    const overlay = this.#byId.get(record.id);
    if (overlay === undefined) return record;
    return { ...record, profile: mergeProfile(record.profile, overlay.profile), ...overlay.pin };
  }
}
