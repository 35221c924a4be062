/** How messages travel between the page and its face, whatever carries them. */

/** One established or pending line; a new one is opened after it was lost. */
export interface Wire {
  /** Does nothing once the wire is closed. */
  send(message: string): void;
  close(): void;
}

export interface WireEvents {
  opened(): void;
  message(message: string): void;
  /** Exactly once. `refused`: the face does not accept this page any more, trying again is useless. */
  closed(reason: 'lost' | 'refused'): void;
}

export interface Transport {
  readonly face: 'desktop' | 'browser';
  open(events: WireEvents): Wire;
}
