/** Conditions that all have to hold before a temperature alarm reaches a person, in the order in which a device goes through them. */
import type { Detail } from './details.ts';
import type { Params } from './model.ts';

/** `unknown`: the device did not show what would decide it. */
type LinkState = 'good' | 'bad' | 'unknown';

/** A setting that decides a link. */
export interface AlarmSetting {
  readonly set: string;
  readonly params: Params;
  readonly path: string;
}
export interface AlarmLink {
  readonly link: 'measures' | 'lasts' | 'armed' | 'told';
  readonly state: LinkState;
  /** Reason for the state. */
  readonly says: Detail;
  readonly setting: AlarmSetting;
}

/** Period of a week; day 1 is Monday, minutes from midnight, the end is not part of it. */
export interface ArmedPeriod {
  readonly day: number;
  readonly from: number;
  readonly to: number;
}
/** A linkage method of the interface, with the alarm output it switches. */
export interface AlarmReceiver {
  readonly method: string;
  readonly output?: string;
}

/** The chain of one channel, for those of its presets that tell the same receivers. */
export interface AlarmChain {
  readonly channel: number;
  /** Presets with this chain; empty if the device has none. */
  readonly presets: readonly number[];
  /** `bad` if any link is; `unknown` if a link is unknown and none is bad. */
  readonly state: LinkState;
  readonly links: readonly AlarmLink[];
  /** Temperatures in the unit of the device; a range without ends is automatic. */
  readonly scale: {
    readonly unit: string;
    readonly from?: number;
    readonly to?: number;
    readonly alert?: number;
    readonly alarm?: number;
  };
  /** Seconds that a temperature has to last. */
  readonly filter: { readonly alarm?: number; readonly alert?: number };
  /** Armed periods in the device's own time; absent if the schedule could not be read. */
  readonly week?: readonly ArmedPeriod[];
  /** The device's own time: day and minute of its week, and seconds by which its clock is ahead of this computer's. */
  readonly now: {
    readonly day: number;
    readonly minute: number;
    readonly ahead?: number;
    readonly zone: string;
  };
  readonly receivers: readonly AlarmReceiver[];
}
export interface AlarmReport {
  readonly deviceId: string;
  readonly name: string;
  /** Seconds that the event lasts, as it was asked for. */
  readonly eventSeconds: number;
  readonly chains: readonly AlarmChain[];
}
