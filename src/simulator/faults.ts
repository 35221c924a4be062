/** Faults a device can be told to have, each with a rate and a reproducible stream of chance. */
import { FieldwrightError } from '../shared/errors.ts';
import { createRandom, deriveSeed, type Random } from './random.ts';

/** In the order in which they are tried; the first that strikes is the only one for that request. */
const REQUEST_FAULTS = [
  'unauthorized',
  'reset',
  'busy',
  'html',
  'ignored',
  'reboot',
  'reset-after',
  'malformed',
  'empty',
  'slow',
  'more-forever',
  'page-repeated',
  'person-lost',
  'total-changed',
  'totals-untold',
  'people-change',
] as const;
type RequestFault = (typeof REQUEST_FAULTS)[number];

/** Of a fingerprint that is sent to a reader, each reader by itself; with the code it answers then (part 2, 2.7). */
export const READER_FAULTS = {
  'reader-failed': 0,
  'reader-offline': 2,
  'poor-quality': 3,
  'reader-full': 4,
  'finger-exists': 5,
  'finger-illegal': 7,
  'reader-idle': 8,
  'reader-old': 10,
  'reader-odd': 6,
} as const;
type ReaderFault = keyof typeof READER_FAULTS;
const READER_KINDS = Object.keys(READER_FAULTS) as readonly ReaderFault[];

/** Of model packages: on their way to the device, and in its engines (part 1, 2.3 to 3). */
const PACKAGE_FAULTS = [
  'download-never',
  'download-elsewhere',
  'download-drops',
  'download-restarts',
  'download-full',
  'percent-lies',
  'percent-back',
  'wrong-hash',
  'decrypt-fails',
  'engine-busy',
] as const;
export type PackageFault = (typeof PACKAGE_FAULTS)[number];

export type FaultKind = RequestFault | ReaderFault | PackageFault;
export const FAULT_KINDS: readonly FaultKind[] = [...REQUEST_FAULTS, ...READER_KINDS, ...PACKAGE_FAULTS];

/** What a device may do wrong while its people are read. */
export const SEARCH_FAULTS = [
  'more-forever',
  'page-repeated',
  'person-lost',
  'total-changed',
  'totals-untold',
  'people-change',
] as const satisfies readonly FaultKind[];
export type SearchFault = (typeof SEARCH_FAULTS)[number];

/** These concern writes alone; a read passes them by and does not use up their chance. */
const WRITES_ONLY: ReadonlySet<FaultKind> = new Set(['ignored', 'reboot', 'reset-after']);

/** These concern one operation alone. */
const ONLY: Partial<Record<FaultKind, string>> = Object.fromEntries(
  SEARCH_FAULTS.map((kind) => [kind, 'accessControl.users.search']),
);

export interface FaultScope {
  /** Strikes at most this often. */
  readonly times?: number;
  /** Only requests of this method. */
  readonly method?: string;
  /** Only this operation, by the id of the definitions. */
  readonly operation?: string;
  /** Strikes every request from the first one that it struck on. */
  readonly lasting?: boolean;
  /** Only this fingerprint reader. */
  readonly reader?: number;
  /** Of `download-drops`, `download-restarts`, `download-full`: at this byte of the package; default: in its middle. */
  readonly at?: number;
}

interface Armed {
  readonly rate: number;
  scope: FaultScope;
  readonly random: Random;
  left: number;
}

interface FaultQuestion {
  readonly method: string;
  readonly operation: string | undefined;
  readonly write: boolean;
}

export class Faults {
  readonly #armed = new Map<FaultKind, Armed>();
  readonly #seed: number;
  #cleared = new AbortController();

  constructor(seed: number) {
    this.#seed = seed;
  }

  set(kind: string, rate = 1, scope: FaultScope = {}): void {
    const known = faultKind(kind);
    this.#armed.set(known, {
      rate: faultRate(rate),
      scope,
      left: scope.times ?? Number.POSITIVE_INFINITY,
      random: createRandom(deriveSeed(this.#seed, 'fault', known)),
    });
  }

  clear(): void {
    this.#armed.clear();
    this.#cleared.abort();
    this.#cleared = new AbortController();
  }

  /** Aborted when the faults that are set now are cleared. */
  get cleared(): AbortSignal {
    return this.#cleared.signal;
  }

  /** The fault that strikes this request, if any. */
  strike(question: FaultQuestion): RequestFault | undefined {
    if (this.#armed.size === 0) return undefined;
    return REQUEST_FAULTS.find((kind) => this.#strikes(kind, question));
  }

  /** The scope of this fault, where it strikes a package. */
  strikePackage(kind: PackageFault): FaultScope | undefined {
    const armed = this.#armed.get(kind);
    if (!armed || armed.left <= 0 || armed.random() >= armed.rate) return undefined;
    armed.left -= 1;
    return armed.scope;
  }

  /** The fault of this reader that strikes a fingerprint sent to it, if any. */
  strikeReader(reader: number): ReaderFault | undefined {
    if (this.#armed.size === 0) return undefined;
    return READER_KINDS.find((kind) => {
      const armed = this.#armed.get(kind);
      if (!armed || armed.left <= 0 || (armed.scope.reader ?? reader) !== reader) return false;
      if (armed.random() >= armed.rate) return false;
      armed.left -= 1;
      return true;
    });
  }

  #strikes(kind: FaultKind, question: FaultQuestion): boolean {
    const armed = this.#armed.get(kind);
    if (!armed || armed.left <= 0 || (WRITES_ONLY.has(kind) && !question.write)) return false;
    if (ONLY[kind] !== undefined && ONLY[kind] !== question.operation) return false;
    if (armed.scope.method !== undefined && armed.scope.method !== question.method) return false;
    if (armed.scope.operation !== undefined && armed.scope.operation !== question.operation) return false;
    if (armed.random() >= armed.rate) return false;
    armed.left -= 1;
    if (armed.scope.lasting === true) armed.scope = {};
    return true;
  }
}

/** `busy` or `busy:0.2` as the command line writes it. */
export function parseFault(text: string): { readonly kind: FaultKind; readonly rate: number } {
  const [kind = '', rate, ...rest] = text.split(':');
  if (rest.length > 0 || rate === '') throw usage(`The fault "${text}" is not KIND or KIND:RATE.`);
  return { kind: faultKind(kind), rate: faultRate(rate === undefined ? 1 : Number(rate)) };
}

function faultKind(kind: string): FaultKind {
  const known = FAULT_KINDS.find((name) => name === kind);
  if (!known) throw usage(`Unknown fault "${kind}". Faults are: ${FAULT_KINDS.join(', ')}.`);
  return known;
}

function faultRate(rate: number): number {
  if (!(rate >= 0 && rate <= 1)) throw usage('The rate of a fault is a number from 0 to 1.');
  return rate;
}

function usage(message: string): FieldwrightError {
  return new FieldwrightError({ code: 'usage', source: 'user', message });
}
