/** Asks one address whether a device of this interface lives there, plain or encrypted, below which prefix. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { needsTls } from '#engine/device/transport/needs-tls.ts';
import { TLS_PORTS } from '../network.ts';
import { getOnce, formatUrl, type GetLimits, type GetResult, type Target } from './get-once.ts';
import { MOST_MOVES, moveOf } from './moved.ts';
import { recognise } from './recognise.ts';

export type ProbeResult =
  | {
      readonly kind: 'device';
      readonly url: string;
      readonly recognised: 'interface' | 'sign-in';
      /**
       * Prefix under which a document was answered; absent otherwise, since a refused sign-in proves no
       * prefix.
       */
      readonly pathPrefix?: string;
      readonly certificate?: string;
      /** True if this port does not answer in the clear. */
      readonly tlsOnly: boolean;
      /** It is this interface, but none of the prefixes is known there. */
      readonly otherPrefix: boolean;
    }
  | { readonly kind: 'web'; readonly url: string }
  | { readonly kind: 'not-http'; readonly url: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'failed'; readonly code: string };

interface ProbeOptions {
  readonly prefixes: readonly string[];
  readonly limits: GetLimits;
  readonly signal: AbortSignal;
}

/**
 * Probes a port. `scheme` undefined: the port decides which is tried first, the other follows if it fits
 * better. A redirect to another port or scheme of the same host is followed, and the device is found there.
 */
export async function probe(
  host: string,
  port: number,
  scheme: 'http' | 'https' | undefined,
  options: ProbeOptions,
): Promise<ProbeResult> {
  const secure = scheme === undefined ? TLS_PORTS.has(port) : scheme === 'https';
  const target: Target = { host, port, secure };
  const first = await ask(target, options, options.prefixes[0] ?? '/API');
  if (scheme !== undefined || !isMismatch(first)) return judge(target, first, options, false);
  const other: Target = { host, port, secure: !secure };
  const second = await ask(other, options, options.prefixes[0] ?? '/API');
  return second.kind === 'answer'
    ? judge(other, second, options, other.secure)
    : judge(target, first, options, false);
}

function ask(target: Target, options: ProbeOptions, prefix: string): Promise<GetResult> {
  return getOnce(target, `${prefix}/System/capabilities`, options.limits, options.signal);
}

/** Returns true if there is no sensible answer in this scheme; the other one may be spoken. */
export function isMismatch(result: GetResult): boolean {
  return result.kind === 'garbled' || (result.kind === 'answer' && needsTls(result.answer));
}

async function judge(
  target: Target,
  first: GetResult,
  options: ProbeOptions,
  tlsOnly: boolean,
  moves = 0,
): Promise<ProbeResult> {
  const url = formatUrl(target);
  const moved = first.kind === 'answer' ? moveOf(first.answer, target)?.target : undefined;
  if (moved !== undefined && moves < MOST_MOVES) {
    const there = await ask(moved, options, options.prefixes[0] ?? '/API');
    const found = await judge(moved, there, options, moved.secure, moves + 1);
    return found.kind === 'device' ? found : { kind: 'web', url };
  }
  if (first.kind === 'garbled') return { kind: 'not-http', url };
  if (first.kind !== 'answer') return first;
  let best: Extract<ProbeResult, { kind: 'device' }> | undefined;
  for (const [index, prefix] of options.prefixes.entries()) {
    const result = index === 0 ? first : await ask(target, options, prefix);
    if (result.kind !== 'answer') break;
    const { http } = result.answer;
    const recognised = recognise(result.answer);
    if (recognised === 'web') continue;
    const found = {
      kind: 'device',
      url,
      recognised,
      tlsOnly,
      otherPrefix: http === 404,
      ...removeUndefined({ certificate: result.certificate }),
    } as const;
    if (http === 200) return { ...found, pathPrefix: prefix };
    best ??= found;
    // Asked for a sign-in, it will say the same below any prefix.
    if (http === 401 || http === 403) return found;
  }
  return best ?? { kind: 'web', url };
}
