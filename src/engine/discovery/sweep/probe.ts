/** Asks one address whether a device of this interface lives there, plain or encrypted, below which prefix. */
import { defined } from '../../../shared/defined.ts';
import { wantsTls } from '../../device/transport/wants-tls.ts';
import { TLS_PORTS } from '../network.ts';
import { getOnce, type GetLimits, type GetResult, type Target } from './get-once.ts';
import { recognise } from './recognise.ts';

export type ProbeResult =
  | {
      readonly kind: 'device';
      readonly url: string;
      readonly recognised: 'interface' | 'sign-in';
      /** Only where a document below it was answered; a refused sign-in proves no prefix. */
      readonly pathPrefix?: string;
      readonly certificate?: string;
      /** Nobody answers in the clear at this port. */
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

/** `scheme` undefined: the port decides which is tried first, the other follows where it fits better. */
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

/** Nothing sensible is answered in this scheme; the other one may be spoken. */
export function isMismatch(result: GetResult): boolean {
  return result.kind === 'garbled' || (result.kind === 'answer' && wantsTls(result.answer));
}

async function judge(
  target: Target,
  first: GetResult,
  options: ProbeOptions,
  tlsOnly: boolean,
): Promise<ProbeResult> {
  const url = urlOf(target);
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
      ...defined({ certificate: result.certificate }),
    } as const;
    if (http === 200) return { ...found, pathPrefix: prefix };
    best ??= found;
    // Asked for a sign-in, it will say the same below any prefix.
    if (http === 401 || http === 403) return found;
  }
  return best ?? { kind: 'web', url };
}

export function urlOf({ host, port, secure }: Target): string {
  const written = host.includes(':') ? `[${host.replace('%', '%25')}]` : host;
  return `${secure ? 'https' : 'http'}://${written}${port === (secure ? 443 : 80) ? '' : `:${port}`}`;
}
