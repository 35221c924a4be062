/** Templates as a face sees them. */
import type { ErrorShape } from '../errors.ts';
import type { DeviceKind } from './devices.ts';

export interface TemplateVariable {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'secret';
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly unknown[];
  readonly description?: string;
  readonly required: boolean;
  /** True for a secret if the open vault has a value for it, so that it need not be given. */
  readonly saved?: true;
}
export interface TemplateSummary {
  readonly name: string;
  readonly description?: string;
  readonly kinds: readonly DeviceKind[];
  readonly variables: readonly TemplateVariable[];
  readonly sections: readonly {
    readonly set: string;
    readonly label: string;
    readonly optional: boolean;
    readonly clamp: boolean;
  }[];
}
export interface TemplateCheck {
  readonly ok: boolean;
  readonly errors: readonly ErrorShape[];
  /** Unusual parts that are not wrong: the template can be used. */
  readonly warnings: readonly ErrorShape[];
  /** Summary, present whenever the document could be read at all. */
  readonly summary?: TemplateSummary;
}
/** Check against the last readings of devices. */
export interface KnownTemplateCheck extends TemplateCheck {
  /** Devices of the template's kinds that were read before. */
  readonly devices: number;
}
export interface TemplateEntry {
  readonly id: string;
  readonly source: 'bundled' | 'own';
  readonly name: string;
  readonly description?: string;
  readonly text: string;
  /** Version of `text` in an own template, from 1, and the time it was saved (ISO 8601). */
  readonly version?: number;
  readonly savedAt?: string;
}
