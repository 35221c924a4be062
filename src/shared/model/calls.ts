/** Answers to single operations, and what a device says it can do. */
import type { Detail } from '../details.ts';
import type { ErrorShape, StatusReport } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { DeviceKind } from './devices.ts';

export type Params = Readonly<Record<string, string | number>>;

/**
 * Outcome of a call. `ignored`: the device said yes and shows what it held before; `unknown`: its answer was lost, or
 * says neither yes nor no, and nothing shows what became of it.
 */
export type CallOutcome = 'ok' | 'needs-reboot' | 'refused' | 'ignored' | 'unknown';

/** Answer of `call`. */
export interface CallAnswer {
  readonly outcome: CallOutcome;
  readonly status: StatusReport;
  readonly value: unknown;
  /** Parts of the answer that were repaired or not understood, for people. */
  readonly notes: readonly Detail[];
  /** Unusual parts of the body that was sent; absent if there are none. */
  readonly warnings?: readonly ErrorShape[];
  /** Parts of the answer outside the specification; absent if there are none. */
  readonly unlisted?: readonly Unlisted[];
  /**
   * Limits of each field by the document: a capability document, or one that holds limits of its own write.
   */
  readonly limits?: readonly CapabilityLimit[];
  readonly raw?: string;
  /** Id of the job; absent where the call only read. */
  readonly job?: string;
  readonly error?: ErrorShape;
  /** Request and answer, redacted; only where the caller asked for a trace. */
  readonly exchange?: Exchange;
}

/** A member without a field of its own, such as `Region[0].vendorMode`: text, or its own members by name. */
export interface Unlisted {
  readonly path: string;
  readonly value: unknown;
}

/** One capability flag or limit as the device reports it. */
export interface CapabilityFlag {
  readonly operation: string;
  readonly path: string;
  readonly label: string;
  readonly state: 'true' | 'false' | 'not-reported';
  /** Path of another flag of the operation without which this one means nothing, where that one is not true. */
  readonly needs?: string;
  /** The specification does not know it. */
  readonly unlisted?: true;
}
export interface CapabilityLimit {
  readonly operation: string;
  readonly path: string;
  readonly label: string;
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly default?: string;
  readonly size?: number;
  /** A count that is reported as such: tasks, channels, disks. */
  readonly count?: number;
  /** The specification does not know it. */
  readonly unlisted?: true;
}
export interface ProbedRead {
  readonly operation: string;
  readonly answered: boolean;
  readonly status: StatusReport;
  readonly error?: ErrorShape;
}
export interface DeviceCapabilities {
  /** Flags of the full system report that the device leaves out where it is not asked for all; absent where the two agree. */
  readonly onlyWhenAskedForAll?: readonly { readonly path: string; readonly label: string }[];
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly kinds: readonly DeviceKind[];
  readonly flags: readonly CapabilityFlag[];
  readonly limits: readonly CapabilityLimit[];
  /** Result of each capability document that was asked for. */
  readonly documents?: readonly ProbedRead[];
  /** Answers to harmless reads, claim beside reality; only with `probe`. */
  readonly probes?: readonly ProbedRead[];
  /** Capability documents that could not be read, with the reason. */
  readonly problems: readonly ErrorShape[];
}

/** Values that a device has for one parameter of a read. `isWhole`: there are no more. */
export interface ParamValues {
  readonly values: readonly (string | number)[];
  readonly isWhole: boolean;
}
