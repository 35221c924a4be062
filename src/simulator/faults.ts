/** Faults that a device can have, each with a rate and a reproducible stream of chance. */
import { FieldwrightError } from '#shared/errors.ts';
import { HEAD_SPELLINGS, type HeadSpelling } from './server/odd-head.ts';
import { createRandom, deriveSeed, type Random } from './random.ts';

/** Faults in the order in which they are tried; only the first that strikes applies to a request. */
export const REQUEST_FAULTS = [
  'unauthorized',
  'forbidden',
  'reset',
  'busy',
  'refused',
  'html',
  'ignored',
  'reboot',
  'done-later',
  'reset-after',
  'cut-status',
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
export type RequestFault = (typeof REQUEST_FAULTS)[number];

/**
 * Faults of a fingerprint that is sent to a reader, for each reader separately, with the code of the answer
 * (part 2, 2.7).
 */
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
export const READER_KINDS = Object.keys(READER_FAULTS) as readonly ReaderFault[];

/** Faults of model packages: on their way to the device, and in its engines (part 1, 2.3 to 3). */
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

/** Habits that some devices have and a client has to bear with. */
const QUIRKS = [
  'not-activated',
  'odd-head',
  'short-nonces',
  'one-finger',
  'own-finger-exists',
  'finger-plain',
  'counts-hidden',
  'pin-hidden',
  'person-replaced',
  'fingers-leave',
] as const;

/** Causes for which a thermal camera raises no alarm: its documents as delivered, or its clock, are so. */
const SILENT_ALARMS = [
  'alarm-outside',
  'detection-off',
  'long-filter',
  'not-armed',
  'other-zone',
  'wrong-clock',
  'not-told',
] as const;
export type SilentAlarm = (typeof SILENT_ALARMS)[number];

type FaultKind =
  RequestFault | ReaderFault | PackageFault | (typeof QUIRKS)[number] | (typeof SILENT_ALARMS)[number];
export const FAULT_KINDS: readonly FaultKind[] = [
  ...REQUEST_FAULTS,
  ...READER_KINDS,
  ...PACKAGE_FAULTS,
  ...QUIRKS,
  ...SILENT_ALARMS,
];

/** Faults of a device while its people are read. */
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
const WRITES_ONLY: ReadonlySet<FaultKind> = new Set([
  'ignored',
  'reboot',
  'done-later',
  'reset-after',
  'cut-status',
]);

/** These concern one operation alone. */
const ONLY: Partial<Record<FaultKind, string>> = Object.fromEntries(
  SEARCH_FAULTS.map((kind) => [kind, 'accessControl.users.search']),
);

const FORMS = ['challenge', 'bare', 'low-privilege', 'sign-in', 'status', 'error-only'] as const;
type FaultForm = (typeof FORMS)[number] | HeadSpelling;

export interface FaultScope {
  /** Strikes at most this often. */
  readonly times?: number;
  /** Limits the fault to requests of this method. */
  readonly method?: string;
  /** Limits the fault to this operation, by the id of the definitions. */
  readonly operation?: string;
  /** Strikes every request from the first one that it struck on. */
  readonly lasting?: boolean;
  /** Limits the fault to this fingerprint reader. */
  readonly reader?: number;
  /** Limits the fault to addresses that contain this text. */
  readonly path?: string;
  /**
   * Byte of the package where `download-drops`, `download-restarts` or `download-full` strikes; default: its
   * middle.
   */
  readonly at?: number;
  /** Delay of `done-later` in milliseconds of the device's clock; default 3000. */
  readonly ms?: number;
  /** Delay of `done-later` as a number of requests that still see the former state; replaces `ms`. */
  readonly requests?: number;
  /** Number of uses that `short-nonces` allows; default 1. */
  readonly uses?: number;
  /** True if the device says `stale` when a short nonce ran out; default true. */
  readonly stale?: boolean;
  /**
   * Remaining attempts in the 401 of `forbidden` and `short-nonces`; `later`: only to a request that was
   * signed.
   */
  readonly attempts?: 'shown' | 'hidden' | 'later';
  /** True if `html` or `cut-status` carries the write out; default false with `html`, true with `cut-status`. */
  readonly done?: boolean;
  /** Form of the answer: `forbidden` has `challenge` (default), `bare`, `low-privilege`; `not-activated` has `sign-in` (default), `status`; `refused` has `status` (default), `error-only`; `odd-head` has the spellings of heads, `line-feeds` by default. */
  readonly how?: FaultForm;
  /** `subStatusCode` of `refused`; default `notSupport`. */
  readonly sub?: string;
  /** Key to the next finger of `one-finger`: its `number` (default), or the same `search` again. */
  readonly next?: 'number' | 'search';
}

/** A fault as it is set: `busy:0.2,times=3,method=PUT`. */
export interface FaultSetting {
  readonly kind: FaultKind;
  readonly rate: number;
  readonly scope: FaultScope;
}

interface Armed {
  readonly rate: number;
  scope: FaultScope;
  readonly random: Random;
  left: number;
}

/** Facts about a request that a scope may ask for. */
interface FaultQuestion {
  readonly method?: string;
  readonly operation?: string | undefined;
  readonly path?: string;
  readonly reader?: number;
  /** True if the request would change something. */
  readonly write?: boolean;
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

  /** The first of these faults that strikes, if any. */
  first<K extends FaultKind>(
    kinds: readonly K[],
    question: FaultQuestion,
  ): { readonly kind: K; readonly scope: FaultScope } | undefined {
    if (this.#armed.size === 0) return undefined;
    for (const kind of kinds) {
      const scope = this.strike(kind, question);
      if (scope !== undefined) return { kind, scope };
    }
    return undefined;
  }

  /** Returns the scope of the fault if it strikes, which uses up one of its times. */
  strike(kind: FaultKind, question: FaultQuestion = {}): FaultScope | undefined {
    const armed = this.#armed.get(kind);
    if (!armed || armed.left <= 0 || (WRITES_ONLY.has(kind) && question.write !== true)) return undefined;
    if (ONLY[kind] !== undefined && ONLY[kind] !== question.operation) return undefined;
    const { scope } = armed;
    if (scope.method !== undefined && scope.method !== question.method) return undefined;
    if (scope.operation !== undefined && scope.operation !== question.operation) return undefined;
    if (scope.path !== undefined && question.path?.includes(scope.path) !== true) return undefined;
    if (scope.reader !== undefined && scope.reader !== question.reader) return undefined;
    if (armed.random() >= armed.rate) return undefined;
    armed.left -= 1;
    if (scope.lasting === true) armed.scope = withoutBounds(scope);
    return scope;
  }
}

/** Returns the scope without what narrows it to some requests; the form of the answer stays. */
function withoutBounds(scope: FaultScope): FaultScope {
  const { method: _method, operation: _operation, path: _path, reader: _reader, ...form } = scope;
  return form;
}

const wholeFrom = (least: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;
const word =
  <const W extends string>(...words: readonly W[]) =>
  (text: string) =>
    words.find((known) => known === text);
const yesOrNo = (text: string) => (text === 'yes' ? true : text === 'no' ? false : undefined);
const anyText = (text: string) => text || undefined;

/** Reads each member of a scope as it is written behind the kind; undefined if it cannot be. */
const SCOPE_WORDS: { readonly [N in keyof FaultScope]-?: (text: string) => FaultScope[N] } = {
  times: wholeFrom(1),
  method: anyText,
  operation: anyText,
  lasting: yesOrNo,
  path: anyText,
  reader: wholeFrom(1),
  at: wholeFrom(0),
  ms: wholeFrom(0),
  requests: wholeFrom(0),
  uses: wholeFrom(1),
  stale: yesOrNo,
  attempts: word('shown', 'hidden', 'later'),
  done: yesOrNo,
  how: word(...FORMS, ...HEAD_SPELLINGS),
  sub: (text) => (/^\w{1,64}$/.test(text) ? text : undefined),
  next: word('number', 'search'),
};

/** Reads `KIND[:RATE][,NAME=VALUE…]`, as in `busy:0.2` or `done-later,ms=2000,method=PUT`. @throws usage */
export function parseFault(text: string): FaultSetting {
  const [head = '', ...pairs] = text.split(',');
  const [kind = '', rate, ...rest] = head.split(':');
  if (rest.length > 0 || rate === '') throw usage(`The fault "${text}" is not KIND or KIND:RATE.`);
  return {
    kind: faultKind(kind),
    rate: faultRate(rate === undefined ? 1 : Number(rate)),
    scope: Object.fromEntries(pairs.map(readScopePair)),
  };
}

function readScopePair(pair: string): readonly [string, unknown] {
  const [name = '', ...values] = pair.split('=');
  if (!Object.hasOwn(SCOPE_WORDS, name))
    throw usage(`"${pair}" narrows no fault. Known are: ${Object.keys(SCOPE_WORDS).join(', ')}.`);
  const value = SCOPE_WORDS[name as keyof FaultScope](values.join('='));
  if (value === undefined) throw usage(`The fault has no such ${name}: "${values.join('=')}".`);
  return [name, value];
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
