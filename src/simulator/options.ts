/** Options of a site, checked before anything starts. */
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { NONCE_LIFETIME_MS } from './auth/nonces.ts';
import { MODELS, type Model } from './kinds/models.ts';
import { parseFault, type FaultSetting } from './faults.ts';

export const AUTH_MODES = ['digest', 'digest-sha256', 'basic', 'none'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

export interface TwinDocument {
  readonly operation: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly text: string;
}

/** A device that is made of what a real one showed. */
export interface Twin {
  readonly name: string;
  readonly kind: DeviceKind;
  /** Namespace of its XML documents; undefined where it shows none. */
  readonly namespace?: string;
  readonly documents: readonly TwinDocument[];
}

/** One request whose body the specification does not allow. */
export interface Violation {
  /** Name of the device. */
  readonly device: string;
  readonly method: string;
  readonly path: string;
  /** `subStatusCode: place`. */
  readonly violation: string;
}

export interface SiteOptions {
  /** Number of devices; default 1. */
  readonly devices?: number;
  /** Handed out in this order, round and round; default all kinds, gate first. */
  readonly kinds?: readonly DeviceKind[];
  /** Port of the first device, the others follow; 0 (default): any free ones. */
  readonly port?: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** The same seed gives the same site; default 1. */
  readonly seed?: number;
  /** Prefix that replaces the leading `/API`; default `/API`. */
  readonly prefix?: string;
  /** Namespace of XML documents; empty: none. */
  readonly namespace?: string;
  /** Refuses every body that the specification does not allow, to the letter; default false. */
  readonly strict?: boolean;
  readonly auth?: AuthMode;
  /** HTTPS with a self-signed certificate for each device. */
  readonly tls?: boolean;
  readonly mdns?: boolean;
  /** Milliseconds waited before each answer. */
  readonly latencyMs?: number;
  /** `KIND[:RATE][,NAME=VALUE…]`, see `FaultScope`. */
  readonly faults?: readonly string[];
  /** Default `admin`. */
  readonly user?: string;
  /** The same for all devices; default: one of its own for each. */
  readonly password?: string;
  /** People enrolled on each gate; default 12. */
  readonly users?: number;
  /** Fingerprint readers of each gate, from 1 on; default 2. */
  readonly readers?: number;
  /**
   * Milliseconds until a finger is put on the reader, if it is asked for by its number, is missing, and is
   * asked for again this much later or more. Default: no finger.
   */
  readonly fingerAfterMs?: number;
  /** Room for model packages in MB; default 4096. */
  readonly modelStorageMb?: number;
  /** Model packages that one engine takes; default 1. */
  readonly modelsPerEngine?: number;
  /** Bytes a second at which a device takes in a model package; default: as fast as it can. */
  readonly downloadRate?: number;
  /** Devices also take the file of a model package itself, and say so; default: they do not. */
  readonly pushModels?: boolean;
  /** Handed out like the kinds, beside them; default all `standard`. See `MODELS`. */
  readonly models?: readonly Model[];
  /**
   * Milliseconds after a write that needs a restart (fault `reboot`) until a device restarts by itself;
   * default: never.
   */
  readonly restartAfterMs?: number;
  /** Milliseconds that such a restart takes; default 2 s. */
  readonly awayMs?: number;
  /** Milliseconds over which the fault `slow` spreads an answer; default 30 s. */
  readonly slowMs?: number;
  /** Default 5 minutes. */
  readonly nonceLifetimeMs?: number;
  /** Devices that are each made of what a real one showed; `devices`, `kinds` and `models` then say nothing. */
  readonly twins?: readonly Twin[];
  /** Called for each request whose body the specification does not allow; a strict site finds more of them. */
  readonly onViolation?: (violation: Violation) => void;
  /** Called after a failure that the site can do without (mDNS). */
  readonly onProblem?: (reason: string) => void;
}

export interface CheckedOptions extends Required<
  Omit<SiteOptions, 'faults' | 'password' | 'restartAfterMs' | 'fingerAfterMs' | 'downloadRate'>
> {
  readonly restartAfterMs: number | undefined;
  readonly fingerAfterMs: number | undefined;
  readonly downloadRate: number | undefined;
  readonly faults: readonly FaultSetting[];
  readonly password: string | undefined;
}

const DEFAULT_NAMESPACE = 'urn:fieldwright:virtual-device:1';
const MOST_DEVICES = 2000;
const MOST_USERS = 200_000;
/** cardReaderNo of part 2, 2.7. */
const MOST_READERS = 10;

/** Fills in the defaults; a `usage` error names an invalid option. */
export function checkOptions(options: SiteOptions): CheckedOptions {
  const checked: CheckedOptions = {
    devices: options.twins?.length || (options.devices ?? 1),
    twins: options.twins ?? [],
    kinds: options.kinds ?? DEVICE_KINDS,
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    seed: options.seed ?? 1,
    prefix: options.prefix ?? '/API',
    namespace: options.namespace ?? DEFAULT_NAMESPACE,
    strict: options.strict ?? false,
    auth: options.auth ?? 'digest',
    tls: options.tls ?? false,
    mdns: options.mdns ?? false,
    latencyMs: options.latencyMs ?? 0,
    faults: (options.faults ?? []).map(parseFault),
    user: options.user ?? 'admin',
    password: options.password,
    users: options.users ?? 12,
    readers: options.readers ?? 2,
    fingerAfterMs: options.fingerAfterMs,
    modelStorageMb: options.modelStorageMb ?? 4096,
    modelsPerEngine: options.modelsPerEngine ?? 1,
    downloadRate: options.downloadRate,
    pushModels: options.pushModels ?? false,
    models: options.models ?? ['standard'],
    restartAfterMs: options.restartAfterMs,
    awayMs: options.awayMs ?? 2_000,
    slowMs: options.slowMs ?? 30_000,
    nonceLifetimeMs: options.nonceLifetimeMs ?? NONCE_LIFETIME_MS,
    onViolation: options.onViolation ?? (() => undefined),
    onProblem: options.onProblem ?? (() => undefined),
  };
  whole('devices', checked.devices, 1, MOST_DEVICES);
  whole('port', checked.port, 0, 65_535);
  if (checked.port > 0 && checked.port + checked.devices - 1 > 65_535)
    throw usage('There are not so many ports above the first one.');
  whole('seed', checked.seed, 0, 0xffff_ffff);
  whole('users', checked.users, 0, MOST_USERS);
  whole('readers', checked.readers, 1, MOST_READERS);
  whole('fingerAfterMs', checked.fingerAfterMs ?? 0, 0, 600_000);
  whole('modelStorageMb', checked.modelStorageMb, 0, 1_000_000);
  whole('modelsPerEngine', checked.modelsPerEngine, 1, 16);
  whole('downloadRate', checked.downloadRate ?? 1, 1, 10_000_000_000);
  whole('latencyMs', checked.latencyMs, 0, 600_000);
  whole('slowMs', checked.slowMs, 0, 600_000);
  whole('restartAfterMs', checked.restartAfterMs ?? 0, 0, 86_400_000);
  whole('awayMs', checked.awayMs, 0, 600_000);
  whole('nonceLifetimeMs', checked.nonceLifetimeMs, 1, 86_400_000);
  if (checked.kinds.length === 0) throw usage(`Name at least one kind of ${DEVICE_KINDS.join(', ')}.`);
  for (const kind of checked.kinds) oneOf('kind', kind, DEVICE_KINDS);
  if (checked.models.length === 0) throw usage(`Name at least one model of ${MODELS.join(', ')}.`);
  for (const model of checked.models) oneOf('model', model, MODELS);
  oneOf('auth', checked.auth, AUTH_MODES);
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(checked.prefix))
    throw usage('The prefix is a path such as /API, without a slash at its end.');
  if (/[\s<>"]/.test(checked.namespace)) throw usage('The namespace is a URI.');
  // A colon ends the user name in both schemes (RFC 7617, 2; RFC 7616, 3.4.2).
  if (checked.user === '' || /[:"\p{Cc}]/u.test(checked.user))
    throw usage('The user name may not be empty nor hold a colon, a quotation mark or control characters.');
  return checked;
}

function whole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw usage(`${name} is a whole number from ${min} to ${max}.`);
}

function oneOf(name: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw usage(`Unknown ${name} "${value}"; there are ${allowed.join(', ')}.`);
}

function usage(message: string): FieldwrightError {
  return new FieldwrightError({ code: 'usage', source: 'user', message });
}
