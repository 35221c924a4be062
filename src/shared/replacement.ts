/** Replacement of a device by another one, and the archive of devices that were replaced. */
import type { Detail } from './details.ts';
import type { SwapItem } from './history.ts';
import type { Device, PlanEvent } from './model.ts';
import type { PeoplePlanDevice } from './people/people.ts';

/** Parts of a replacement in the order in which they are done; each is a unit of its job. */
export const REPLACEMENT_PARTS = ['settings', 'people', 'place'] as const;

/** Something that a person has to do on the new device. */
export interface ByHand {
  readonly text: Detail;
  /** Guided flow that does it. */
  readonly flow?: string;
}

/** People whom the new device gets from one device. */
export interface ReplacementPeople extends Pick<PeoplePlanDevice, 'people' | 'capacity'> {
  /** Id of their job. */
  readonly job: string;
  readonly deviceId: string;
  readonly name: string;
  readonly added: number;
  /** Fingerprints of them, as far as the device says how many there are. */
  readonly fingerprints: number;
}

/** Plan of a replacement; nothing was written. */
export interface ReplacementPlan {
  readonly id: string;
  readonly old: Pick<Device, 'id' | 'name' | 'url'>;
  readonly by: Pick<Device, 'id' | 'name' | 'url'>;
  /** ISO 8601: when the settings of the old device were last seen; absent if they never were. */
  readonly seenAt?: string;
  readonly kept: readonly SwapItem[];
  readonly converted: readonly SwapItem[];
  readonly lost: readonly SwapItem[];
  readonly byHand: readonly ByHand[];
  readonly people: readonly ReplacementPeople[];
  readonly fingerprints: number;
  /** Settings that are written. */
  readonly changes: number;
  /** Open work that goes on with the new device. */
  readonly openWork: number;
}

export type ReplacementEvent =
  | PlanEvent
  /** People are read from this device. */
  | { readonly type: 'people'; readonly device: string; readonly done: number }
  | { readonly type: 'replacement'; readonly plan: ReplacementPlan };

/** A device that was replaced: its history is kept, and it is not asked any more. */
export interface ArchivedDevice {
  readonly device: Device;
  /** ISO 8601. */
  readonly at: string;
  /** Operating system user. */
  readonly by: string;
  readonly replacedBy: { readonly id: string; readonly name: string };
  readonly jobId: string;
}
