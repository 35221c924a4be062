/** A directory of one device for tests of connections; remembers its observations. */
import { createClients, type DeviceConnections } from '#engine/device/clients.ts';
import type { Answer } from '#engine/device/client-types.ts';
import type { AccountLock, DeviceSettings, Observation } from '#engine/device/directory.ts';
import type { Clock, LogEntry } from '#engine/api.ts';
import { systemClock } from '#engine/host/clock.ts';
import type { ShownCertificate } from '#engine/device/transport/certificate.ts';
import { createLog } from '#engine/host/log.ts';
import { DEFAULT_PROFILE, type ConnectionProfile } from '#shared/model.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { CertificateOffer } from '#shared/trust.ts';

export interface OneDevice {
  readonly clients: DeviceConnections;
  readonly observations: Observation[];
  readonly log: LogEntry[];
  /** The ways to sign in that were noted as turned away, for later runs. */
  readonly refusals: string[];
  password: string | undefined;
  strength: number;
  /** Facts that are kept for later runs. */
  lessons: { readonly realm?: string; readonly accountLock?: AccountLock };
  get(
    path: string,
    options?: { readonly signal?: AbortSignal; readonly deadlineMs?: number; readonly priority?: number },
  ): Promise<Pick<Answer, 'http' | 'text' | 'status'>>;
  put(path: string, body: string): Promise<Pick<Answer, 'http' | 'text' | 'status'>>;
}

export function oneDevice(
  url: string,
  options: {
    readonly profile?: Partial<ConnectionProfile>;
    readonly password?: string;
    readonly certificate?: string;
    readonly clock?: Clock;
  } = {},
): OneDevice {
  const observations: Observation[] = [];
  const log: LogEntry[] = [];
  const clients = createClients({
    clock: options.clock ?? systemClock,
    log: createLog((entry) => log.push(entry)),
    devices: {
      settings: (id): DeviceSettings => ({
        id,
        name: 'device',
        url,
        profile: { ...DEFAULT_PROFILE, ...options.profile },
        strength: device.strength,
        ...(device.lessons.realm === undefined ? {} : { realm: device.lessons.realm }),
        ...(options.certificate === undefined ? {} : { certificate: options.certificate }),
      }),
      signIn: () =>
        device.password === undefined ? undefined : { userName: 'admin', password: device.password },
      judge: (_id, _url, shown) => judge(shown),
      refused: {
        has: () => false,
        note: (_url, _credentials, way) => void device.refusals.push(way),
        lock: () => device.lessons.accountLock,
        noteLock: (_url, accountLock) => (device.lessons = { ...device.lessons, accountLock }),
        forget: () => (device.lessons = { ...device.lessons, accountLock: undefined }),
      },
      observe: (_id, observation) => {
        observations.push(observation);
        if (observation.type === 'offered') device.strength = observation.strength;
        if (observation.type === 'realm') device.lessons = { ...device.lessons, realm: observation.realm };
      },
    },
  });
  function judge({ info, trusted, reason }: ShownCertificate): CertificateOffer | undefined {
    const { certificate } = options;
    if (certificate === undefined) return trusted ? undefined : { offered: info, reason };
    return certificate === info.fingerprint
      ? undefined
      : {
          offered: info,
          pinned: { fingerprint: certificate, how: 'given', since: '2026-01-01T00:00:00.000Z' },
          reason: 'changed',
        };
  }
  const device: OneDevice = {
    clients,
    observations,
    log,
    refusals: [],
    password: options.password,
    strength: 0,
    lessons: {},
    get: (path, request = {}) =>
      clients.get('d-1').raw({ method: 'GET', path }, { signal: new AbortController().signal, ...request }),
    put: (path, body) =>
      clients
        .get('d-1')
        .raw(
          { method: 'PUT', path, body, contentType: 'application/xml' },
          { signal: new AbortController().signal },
        ),
  };
  return device;
}

/** Returns the error of a promise; fails the test if there is none. */
export async function errorOf(promise: Promise<unknown>): Promise<FieldwrightError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FieldwrightError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
