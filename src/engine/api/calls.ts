/** Single operations on one device. */
import type { Params } from '../../shared/model.ts';

export interface CallRequest {
  readonly deviceId: string;
  readonly operation: string;
  readonly params?: Params;
  /** Value in the shape of the definition; for `raw` the bytes as they are. */
  readonly body?: unknown;
  readonly raw?: boolean;
  readonly allowPlainFields?: boolean;
  /** Adds the redacted exchange to the answer, or to the error where none was usable. */
  readonly trace?: boolean;
}

/** A request to a path below the prefix, for what the specification names without showing its body. */
export interface RawRequest {
  readonly deviceId: string;
  readonly method: string;
  /** As in the specification, starting with `/API/`; percent-encoded. */
  readonly path: string;
  readonly body?: string;
  /** Default: JSON for a path with `format=json`, else XML. */
  readonly contentType?: string;
  /** As in CallRequest. */
  readonly trace?: boolean;
}

export interface CapabilityOptions {
  /** Default false. */
  readonly probe?: boolean;
  /** Default true. */
  readonly documents?: boolean;
}
