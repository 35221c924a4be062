/** Templates, and saved states of devices. */
import type { CaptureEvent, TemplateComparison, TemplateVersion } from '../../shared/authoring.ts';
import type { SavedState, SwapEvent } from '../../shared/history.ts';
import type { Params, TemplateCheck, TemplateEntry } from '../../shared/model.ts';

export interface TemplatesApi {
  list(): readonly TemplateEntry[];
  /**
   * Positions are given relative to `file`, a name for messages only. Where the specification finds nothing wrong,
   * also against capability reports that were saved as JSON; throws `unreadable-file` where one is none.
   */
  check(
    text: string,
    options?: {
      readonly file?: string;
      readonly capabilities?: readonly { readonly text: string; readonly file: string }[];
    },
  ): TemplateCheck;
  /** Saves a new version; throws `changed-meanwhile` where `baseVersion` is not the newest, `not-found`, `invalid-template`. */
  save(entry: {
    readonly id?: string;
    readonly text: string;
    readonly note?: string;
    readonly baseVersion?: number;
  }): TemplateEntry;
  remove(id: string): boolean;
  /** Newest first; throws `not-found`. */
  versions(id: string): readonly TemplateVersion[];
  version(id: string, version: number): TemplateVersion & { readonly text: string };
  /** Both texts have to be readable templates; throws `invalid-template`. */
  compare(before: string, after: string): TemplateComparison;
  /** Reads a device into a template; writes nothing. Secrets are never captured. */
  capture(request: CaptureRequest, signal: AbortSignal): AsyncIterable<CaptureEvent>;
}

export interface CaptureRequest {
  readonly deviceId: string;
  readonly name?: string;
  /** Default: everything the device has. Without `params` every channel, reader, … the device has. */
  readonly sections?: readonly { readonly set: string; readonly params?: Params }[];
  /** For every section that takes them: one channel instead of all of them. */
  readonly params?: Params;
}

export interface StatesApi {
  list(): readonly SavedState[];
  /** Reads and keeps everything a template can set. */
  save(
    request: { readonly deviceId: string; readonly name?: string },
    signal: AbortSignal,
  ): AsyncIterable<CaptureEvent | { readonly type: 'state'; readonly state: SavedState }>;
  /** With the template that it is; a unique prefix of the id is enough. Throws `not-found`. */
  show(
    id: string,
  ): SavedState & { readonly text: string; readonly values: Readonly<Record<string, unknown>> };
  remove(id: string): boolean;
  /** Reads the other device and says what is kept, converted and lost; the plan in it may be started. */
  swap(
    request: {
      readonly stateId: string;
      readonly deviceId: string;
      readonly secrets?: Readonly<Record<string, string>>;
    },
    signal: AbortSignal,
  ): AsyncIterable<SwapEvent>;
}
