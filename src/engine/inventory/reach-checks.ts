/**
 * Checks gently whether the devices are still there, while a person looks at them: a connection is opened and
 * closed, nothing is sent over it and there is no sign-in. Of a device whose certificate was accepted, the certificate
 * is looked at now and then: one that changed is met before a password would go there. Devices that were seen a moment ago are skipped,
 * and no more than a few dozen are asked in a second. Those of another site are not checked from here, where
 * their addresses may belong to others.
 */
import { connect } from 'node:net';
import { constants } from 'node:crypto';
import PQueue from 'p-queue';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Device, ReachRound } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import { parseAddress } from '../device/transport/address.ts';
import type { DeviceDirectory, Observation } from '../device/directory.ts';
import { CertificateRefusal, getShownCertificate } from '../device/transport/certificate.ts';
import { WITHOUT_DHE } from '../device/transport/ciphers.ts';
import { toTransportError } from '../device/transport/transport-errors.ts';
import { UNSEEN_MS } from './observe.ts';

interface ReachChecksOptions {
  readonly list: () => readonly Device[];
  readonly directory: Pick<DeviceDirectory, 'observe' | 'judge'>;
  readonly clock: Clock;
  /** Returns true if a host, as an address, lies in a network that this computer is connected to now. */
  readonly isNear: (host: string) => boolean;
  /** Returns true if the network that led to this address is gone: who cannot be reached for it is not looked at. */
  readonly isCut?: (url: string) => boolean;
}

/** A device is asked again after this at the earliest, so a round over few devices takes as long. */
const ROUND_MS = 15_000;
const AT_ONCE = 16;
/** 1,000 devices take half a minute. */
const STARTS_A_SECOND = 32;
const CONNECT_MS = 3_000;
/** A handshake costs a small device more than a connection. */
const HANDSHAKE_EVERY_MS = 120_000;
/** One lost packet is no absence: who does not answer is asked once more. */
const SECOND_TRY_MS = 2_000;

/**
 * Creates checks that run round after round while they are read; several readers share each. Nothing is done
 * before the first reads.
 */
export function createReachChecks(
  options: ReachChecksOptions,
): (signal: AbortSignal) => AsyncGenerator<ReachRound> {
  const readers = new Set<AbortSignal>();
  /** Time at which each certificate was looked at last, in milliseconds. */
  const handshakes = new Map<string, number>();
  let round: Promise<ReachRound> | undefined;
  let ending = new AbortController();

  function leave(signal: AbortSignal): void {
    readers.delete(signal);
    if (readers.size === 0) ending.abort();
  }

  return async function* rounds(signal) {
    if (signal.aborted) return;
    if (readers.size === 0) ending = new AbortController();
    readers.add(signal);
    // The reader leaves at once, not when the round is over: the round ends with its last reader.
    signal.addEventListener(
      'abort',
      () => {
        leave(signal);
      },
      { once: true },
    );
    try {
      while (!signal.aborted) {
        round ??= oneRound(options, handshakes, ending.signal).finally(() => {
          round = undefined;
        });
        const over = await round;
        if (!signal.aborted) yield over;
      }
    } finally {
      leave(signal);
    }
  };
}

/** Resolves when all that were due have been asked and the time of a round has passed; soon after the signal aborts. */
async function oneRound(
  { list, directory, clock, isNear, isCut = () => false }: ReachChecksOptions,
  handshakes: Map<string, number>,
  signal: AbortSignal,
): Promise<ReachRound> {
  const queue = new PQueue({ concurrency: AT_ONCE, interval: 1_000, intervalCap: STARTS_A_SECOND });
  const now = clock.now().getTime();
  const due = list().filter(({ url, checkedAt }) => {
    const age = checkedAt === undefined ? Infinity : Math.abs(now - Date.parse(checkedAt));
    return !isCut(url) && age >= ROUND_MS && (age <= UNSEEN_MS || isNear(parseAddress(url).host));
  });
  const pause = (ms: number): Promise<void> => clock.delay(ms, signal).catch(() => undefined);
  const passed = pause(ROUND_MS);
  let checked = 0;

  /** Returns true if the certificate is due to be looked at, and notes that it was. */
  function takesHandshake({ id, url, certificate }: Device): boolean {
    const at = clock.now().getTime();
    if (!url.startsWith('https:') || certificate === undefined) return false;
    if (Math.abs(at - (handshakes.get(id) ?? -Infinity)) < HANDSHAKE_EVERY_MS) return false;
    handshakes.set(id, at);
    return true;
  }

  async function check(device: Device): Promise<void> {
    const { id, url, reach } = device;
    if (takesHandshake(device)) {
      const refusal = await findRefusal(device, directory, signal);
      if (signal.aborted) return;
      if (refusal !== undefined) {
        checked += 1;
        return directory.observe(id, { type: 'checked', ...refusal });
      }
    }
    let failure = await tryConnection(url, signal);
    if (failure !== undefined && reach !== 'unreachable') {
      await pause(SECOND_TRY_MS);
      failure = await tryConnection(url, signal);
    }
    if (signal.aborted) return;
    checked += 1;
    directory.observe(id, {
      type: 'checked',
      ...removeUndefined({
        error: failure === undefined ? undefined : toTransportError(failure, false).with({ device: url }),
      }),
    });
  }

  // Those still waiting are turned away when the signal aborts.
  await Promise.allSettled(due.map((device) => queue.add(() => check(device), { signal })));
  await passed;
  return { checked };
}

/**
 * Opens a connection and closes it; nothing is sent. Returns what kept it from being made; undefined if it was made, or
 * the result is no longer needed.
 */
export function tryConnection(url: string, signal: AbortSignal): Promise<Error | undefined> {
  const { host, port } = parseAddress(url);
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS, signal });
    socket.once('connect', () => {
      socket.destroy();
    });
    socket.once('timeout', () => {
      socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    });
    socket.once('error', (error) => {
      resolve(signal.aborted ? undefined : error);
    });
    socket.once('close', () => {
      resolve(undefined);
    });
  });
}

/**
 * Looks at the certificate that a device shows: an error where it is another one than was accepted, `verified` where it
 * is that one; undefined where there was no handshake, which says nothing about the certificate.
 */
async function findRefusal(
  { id, url }: Device,
  { judge }: Pick<DeviceDirectory, 'judge'>,
  signal: AbortSignal,
): Promise<Pick<Observation & { readonly type: 'checked' }, 'error' | 'verified'> | undefined> {
  const { host, port } = parseAddress(url);
  // Loaded with the first device that needs it.
  const { connect: connectTls } = await import('node:tls');
  return new Promise((resolve) => {
    const raw = connect({ host, port, timeout: CONNECT_MS, signal });
    raw.once('error', () => resolve(undefined));
    raw.once('timeout', () => raw.destroy());
    raw.once('close', () => resolve(undefined));
    // Not "accept anything": the certificate is judged below, and nothing is sent.
    const socket = connectTls({
      socket: raw,
      rejectUnauthorized: false,
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ciphers: `${constants.defaultCipherList}:${WITHOUT_DHE}`,
    });
    socket.once('error', () => resolve(undefined));
    socket.once('secureConnect', () => {
      const shown = getShownCertificate(socket);
      const offer = shown === undefined ? undefined : judge(id, url, shown);
      if (offer !== undefined)
        resolve({ error: toTransportError(new CertificateRefusal(offer), false).with({ device: url }) });
      else resolve(shown === undefined ? undefined : { verified: true });
      raw.destroy();
    });
  });
}
