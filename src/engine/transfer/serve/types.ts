/** Types of the file server: a file offered to one device, and the state of the offer. */
import type { Detail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { PackageFile } from './package-file.ts';

/** A line of the log: a sentence and the same as data. */
export interface ServeNote {
  readonly message: string;
  readonly detail: Detail;
}

export interface OfferRequest {
  readonly file: PackageFile;
  /** The device that may fetch it, by its address as the inventory has it. */
  readonly peer: { readonly url: string };
  /** Called at most a few times a second, and whenever a request ends; never before `offer` resolves. */
  readonly onProgress?: (served: Served) => void;
  readonly log?: (line: ServeNote) => void;
  /** Token of an earlier offer: the same address is served again, so that a device continues where it was. */
  readonly token?: string;
  /** Preferred; another one is taken where it is in use. */
  readonly port?: number;
  /** `spans` of an earlier offer of the same address: the device may go on behind them. */
  readonly before?: Served['spans'];
  /** An own address to serve at; else the one that the connection to the device really uses. */
  readonly address?: string;
  readonly signal?: AbortSignal;
}

/** Why an offer ended by itself. */
export type OfferEnd = 'file-changed' | 'file-unreadable' | 'address-gone';

export interface Served {
  /**
   * Bytes of the file that were handed over and not asked for again: each counts once, however often it went out.
   * Before `complete` some of them may still be on their way.
   */
  readonly bytes: number;
  readonly total: number;
  /** The same as half-open spans, the first few. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  /** Bytes a second over the last few seconds, repeats included. */
  readonly rate: number;
  /** GET requests that were answered with some of the file. */
  readonly requests: number;
  /** Answers that are under way. */
  readonly open: number;
  /** The whole file arrived, as far as TCP shows it, and was that which was hashed. Once true it stays so. */
  readonly complete: boolean;
  /** ISO 8601, of the first and the last request. */
  readonly firstAt?: string;
  readonly lastAt?: string;
  /**
   * Hash of what was fetched: only once `complete`, and only if every byte matched the file that was hashed.
   */
  readonly sha256?: string;
  /** Another client that knew the address, usually the device itself behind another address. */
  readonly stranger?: { readonly address: string; readonly count: number; readonly at: string };
  /** The offer has ended by itself; nothing is served any more. */
  readonly end?: OfferEnd;
  readonly problem?: ErrorShape;
}

/** One file at one address of its own for one device, until it is closed. */
export interface Offer extends AsyncDisposable {
  /** Address of at most 256 characters (part 1, 8). */
  readonly url: string;
  readonly address: string;
  readonly port: number;
  /** Unguessable part of the address; with `port` it gives the same address again. */
  readonly token: string;
  /** Address that alone is answered. */
  readonly peer: string;
  served(): Served;
  close(): Promise<void>;
}
