/** What would keep devices from fetching a file from this computer, and what speaks for it. */
import type { Detail } from './details.ts';

export interface PullFinding {
  /** The same as that of its words; stable. */
  readonly id: string;
  readonly tone: 'good' | 'warning' | 'danger';
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Both as data, for other languages. */
  readonly detail: Detail;
  /** Devices it is about, by their address as it was given; bounded. None: this computer. */
  readonly devices: readonly string[];
}
