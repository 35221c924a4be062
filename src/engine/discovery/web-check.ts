/**
 * Checks announced web pages. A service that announces a web page and nothing more may be a device, a router
 * or a foreign recorder: it is asked once, without a sign-in, before it is shown. A service that cannot be
 * asked in time is passed on as announced.
 */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { VanishReason } from '#shared/discovery.ts';
import type { Clock } from '../api/host.ts';
import { parseAddress } from '../device/transport/address.ts';
import { createQueue } from '../device/queue.ts';
import { probe } from './sweep/probe.ts';
import type { Claim } from './types.ts';

interface WebCheck {
  heard(claim: Claim): void;
  gone(key: string, reason: VanishReason): void;
  /** Stops waiting: what is not known yet is passed on. */
  flush(): void;
  /** Resolves when no check is under way. */
  settled(): Promise<void>;
}

interface WebCheckOptions {
  readonly prefixes: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onHeard: (claim: Claim) => void;
  readonly onGone: (key: string, reason: VanishReason) => void;
}

type Verdict = Pick<Claim, 'recognised' | 'pathPrefix' | 'certificate'> & {
  readonly at: number;
  /** Address that the service redirects to and that answers as a device. */
  readonly url?: string;
};

const LIMITS = { connectMs: 800, totalMs: 2_000 };
const AT_ONCE = 16;
/** Addresses that wait to be asked; a flood of announcements goes past. */
const MOST_ASKED = 256;
const MOST_VERDICTS = 4_096;
/** Something that starts may answer otherwise a little later; a device stays one. */
const AGAIN_MS = { web: 300_000, none: 30_000 };

export function createWebCheck({ prefixes, clock, signal, onHeard, onGone }: WebCheckOptions): WebCheck {
  const queue = createQueue(AT_ONCE);
  const verdicts = new Map<string, Verdict>();
  const asking = new Map<string, Promise<void>>();
  /** Latest claim of each key that waits for its result. */
  const waiting = new Map<string, Claim>();

  const speaksForItself = ({ isAnyWeb, outside, pathPrefix }: Claim) =>
    isAnyWeb !== true || outside === true || (pathPrefix !== undefined && prefixes.includes(pathPrefix));

  function isFresh({ recognised, at }: Verdict): boolean {
    return (
      recognised === 'interface' ||
      recognised === 'sign-in' ||
      clock.now().getTime() - at < AGAIN_MS[recognised ?? 'none']
    );
  }

  function pass(claim: Claim): void {
    waiting.delete(claim.key);
    const { at: _at, ...known } = verdicts.get(claim.url) ?? { at: 0 };
    onHeard({ ...claim, ...known });
  }

  async function ask(url: string): Promise<void> {
    const { host, port, secure } = parseAddress(url);
    const result = await queue
      .run(() => probe(host, port, secure ? 'https' : 'http', { prefixes, limits: LIMITS, signal }), {
        signal,
      })
      .catch(() => undefined);
    if (signal.aborted || result === undefined) return;
    const [oldest] = verdicts.size < MOST_VERDICTS ? [] : verdicts.keys();
    if (oldest !== undefined) verdicts.delete(oldest);
    const at = clock.now().getTime();
    if (result.kind === 'device') {
      const { recognised, pathPrefix, certificate } = result;
      verdicts.set(url, {
        at,
        recognised,
        url: result.url,
        ...removeUndefined({ pathPrefix, certificate }),
      });
    } else {
      verdicts.set(url, { at, ...(result.kind === 'web' ? { recognised: 'web' as const } : {}) });
    }
    for (const claim of [...waiting.values()]) if (claim.url === url) pass(claim);
  }

  return {
    heard(claim) {
      waiting.delete(claim.key);
      if (speaksForItself(claim)) return onHeard(claim);
      const verdict = verdicts.get(claim.url);
      if (verdict !== undefined) pass(claim);
      if (verdict !== undefined && isFresh(verdict)) return;
      if (!asking.has(claim.url)) {
        if (asking.size >= MOST_ASKED || signal.aborted)
          return verdict === undefined ? pass(claim) : undefined;
        asking.set(
          claim.url,
          ask(claim.url).finally(() => asking.delete(claim.url)),
        );
      }
      waiting.set(claim.key, claim);
    },
    gone(key, reason) {
      waiting.delete(key);
      onGone(key, reason);
    },
    flush() {
      for (const claim of [...waiting.values()]) pass(claim);
    },
    settled: async () => {
      await Promise.all(asking.values());
    },
  };
}
