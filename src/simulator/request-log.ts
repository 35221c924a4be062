/** Log of the requests to a device: enough to prove that something happened exactly once, no secret. */
import { createHash } from 'node:crypto';
import type { LoggedFacts } from './handler.ts';

export interface LoggedRequest {
  /** Position since the device started, from 1. */
  readonly number: number;
  /** Site clock, milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Id of the definitions; undefined where the address is none of the interface. */
  readonly operation?: string;
  /** Status sent; 0 where the connection was cut instead. */
  readonly http: number;
  /** True where the request changed the device's state. */
  readonly applied: boolean;
  /** The fault that struck. */
  readonly fault?: string;
  /**
   * Facts from an area about a request whose body is not kept: the owner of a fingerprint and its result on
   * each reader.
   */
  readonly told?: LoggedFacts;
  /** First breach of the specification in the body, as `subStatusCode: place`; never a value. */
  readonly violation?: string;
  /** SHA-256 of the body, hexadecimal; undefined without a body. */
  readonly bodyHash?: string;
  /** The body, unless it may hold a secret or biometric data, or is large. */
  readonly body?: string;
}

const ENTRIES = 20_000;
const BODY_BYTES = 64 * 1024;
const BUDGET_BYTES = 4 * 1024 * 1024;

/** Violations that are kept beyond the entries. */
const VIOLATIONS = 1_000;

export class RequestLog {
  #entries: LoggedRequest[] = [];
  readonly #violations: LoggedRequest[] = [];
  readonly #onViolation: (entry: LoggedRequest) => void;
  #count = 0;
  #kept = 0;

  constructor(onViolation: (entry: LoggedRequest) => void = () => undefined) {
    this.#onViolation = onViolation;
  }

  /** Oldest first; the last 20,000 requests, and of their bodies the first 4 MB. */
  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Requests that the specification does not allow, the first 1,000 since the start, also where `clear` came since. */
  get violations(): readonly LoggedRequest[] {
    return this.#violations;
  }

  /** Number of requests in all. */
  get count(): number {
    return this.#count;
  }

  add(
    entry: Omit<LoggedRequest, 'number' | 'bodyHash' | 'body'>,
    body: Uint8Array | undefined,
    mayKeepBody: boolean,
  ): void {
    this.#count += 1;
    const hasBody = body !== undefined && body.length > 0;
    const keep =
      hasBody && mayKeepBody && body.length <= BODY_BYTES && this.#kept + body.length <= BUDGET_BYTES;
    if (keep) this.#kept += body.length;
    const logged = {
      ...entry,
      number: this.#count,
      ...(hasBody ? { bodyHash: createHash('sha256').update(body).digest('hex') } : {}),
      ...(keep ? { body: Buffer.from(body).toString('utf8') } : {}),
    };
    this.#entries.push(logged);
    if (logged.violation !== undefined) {
      if (this.#violations.length < VIOLATIONS) this.#violations.push(logged);
      this.#onViolation(logged);
    }
    // Old entries are removed in one piece now and then instead of one by one.
    if (this.#entries.length > ENTRIES * 1.25) this.#entries = this.#entries.slice(-ENTRIES);
  }

  clear(): void {
    this.#entries = [];
    this.#kept = 0;
  }
}
