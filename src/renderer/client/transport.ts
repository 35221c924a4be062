/** Connection between the page and its face: what the desktop (IPC) and the browser (WebSocket) each implement. */

/** One connection, open or being opened; once lost it is replaced by a new one. */
export interface Wire {
  /** Does nothing once the wire is closed. */
  send(message: string): void;
  close(): void;
}

export interface WireEvents {
  opened(): void;
  message(message: string): void;
  /** Called exactly once. `refused`: the face no longer accepts this page, so that another attempt is useless. */
  closed(reason: 'lost' | 'refused'): void;
}

export interface Transport {
  readonly face: 'desktop' | 'browser';
  open(events: WireEvents): Wire;
  /** Hands a file on to the face, which reads it: its content never comes into the page. The desktop has a dialog instead. */
  readonly sendFile?: (path: string, file: Blob) => Promise<unknown>;
}
