/** Types of a connection to one device, as the rest of the engine sees it. */
import type { Operation } from '#protocol/definition.ts';
import type { Status, UnlistedNode, WireDocument } from '#protocol/index.ts';
import type { Detail } from '#shared/details.ts';
import type { Exchange } from '#shared/exchange.ts';
import type { Params } from '#shared/model.ts';

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  /** Nothing is sent (`changed-meanwhile`) where the device has another address than this one by then. */
  readonly address?: string;
  /** Reads that the person waits for go before background reads. */
  readonly priority?: number;
  /** A person tries a sign-in out: with many devices one goes first. */
  readonly isTrial?: boolean;
  /** Hears of the last exchange of this request, as it was: it holds secrets. */
  readonly onExchange?: (exchange: WireExchange) => void;
}

/** A request and what came of it, for a trace; unredacted, so it must not leave the engine. */
export interface WireExchange {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Absent where no answer came. */
  readonly answer?: {
    readonly http: number;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly text: string;
  };
  readonly ms: number;
  /** Masks what must not be read from any of it beside what its names tell: password and signature that went along. */
  readonly hide: <T>(value: T) => T;
}

/** One HTTP exchange, decoded as far as its bytes and status. */
export interface Answer {
  readonly http: number;
  readonly contentType: string;
  /** Body as text (UTF-8 unless the answer says otherwise), a byte order mark included; bounded. */
  readonly text: string;
  readonly charset: string;
  /** Bytes that the answer's character set does not know are carried in the text, and go back as they came. */
  readonly carried: boolean;
  /** Such bytes were replaced: the text must not be written back. */
  readonly lossy: boolean;
  readonly status: Status;
  /**
   * Masks a value of the answer before it is shown or kept; never use it for what is written back. `status`
   * is masked already.
   */
  readonly shown: <T>(value: T) => T;
  /** Returns request and answer, redacted and short, for an error that is made of this answer. */
  readonly exchange: () => Exchange;
}

export interface ReadAnswer extends Answer {
  /** Decoded value; undefined if the status is not ok. */
  readonly value: unknown;
  readonly document: WireDocument | undefined;
  readonly notes: readonly Detail[];
  /** Nodes of the document that the definition does not know. */
  readonly unlisted: readonly UnlistedNode[];
}

/** A body too large to be held: of known length, and read anew for each attempt. */
export interface BodyStream {
  /** Bytes that `open` gives, exactly. */
  readonly length: number;
  readonly contentType: string;
  /**
   * Opens the content from its beginning. A piece is requested only when the one before it has been dealt
   * with.
   */
  readonly open: () => AsyncIterable<Uint8Array>;
}

/**
 * Connection to one device: its queue, its sign-in, its deadlines. Reads and idempotent writes of
 * one device share the queue; at most `profile.inFlight` are under way.
 *
 * Errors thrown are FieldwrightErrors: `unreachable`, `connection-refused`, `timeout`,
 * `connection-lost` (after the request was sent: for a write the outcome is unknown),
 * `certificate-untrusted`, `sign-in-*`, `answer-too-large`, `malformed-answer`, `too-many-files`, `cancelled`.
 * A refusal by the device is an Answer, not an error.
 */
export interface DeviceClient {
  readonly deviceId: string;
  /** Masks a value made of several answers, as in Answer. */
  readonly shown: <T>(value: T) => T;
  /** Returns the namespace of the last XML document that declared one, if any. */
  readonly namespace: () => string | undefined;
  /** Sends the GET of an operation with a response payload. */
  read(operation: Operation, params: Params, options: RequestOptions): Promise<ReadAnswer>;
  /** Sends PUT, POST or DELETE; `body` is wire text already encoded or merged. */
  write(
    operation: Operation,
    params: Params,
    body: string | undefined,
    options: RequestOptions,
  ): Promise<Answer>;
  /**
   * Sends the body while it is read, else acts like `write`. Sign in with a read first: a device that asks
   * for the sign-in only now gets much of the body in vain. @throws `not-supported` if the device wants the
   * whole body signed
   */
  upload(
    operation: Operation,
    params: Params,
    body: BodyStream,
    options: RequestOptions & { readonly deadlineMs: number },
  ): Promise<Answer>;
  /** Sends a request to any path below the prefix, bytes as they are. */
  raw(
    request: {
      readonly method: string;
      readonly path: string;
      readonly body?: string;
      readonly contentType?: string;
    },
    options: RequestOptions,
  ): Promise<Answer>;
}

/** Gives the client of a device; one client a device for the engine's lifetime. */
export interface DeviceClients {
  get(deviceId: string): DeviceClient;
}
