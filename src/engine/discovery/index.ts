/** Finding devices: mDNS on every interface, a bounded sweep, addresses by hand; and why some stay invisible. */
import type { NamedProfile } from '#shared/access.ts';
import type { Clock } from '../api/host.ts';
import type { DiscoveryApi } from '../api/routes.ts';
import { lookAtProgramRules, type LookAtRules } from '../host/program-rules.ts';
import type { Inventory } from '../inventory/devices.ts';
import { listOwnNetworks, listSystemInterfaces } from './network.ts';
import { checkOptions, collectSearchOptions, type CheckedOptions } from './options.ts';
import { DEFAULT_TIMING, type DiscoveryTiming, type ListInterfaces } from './types.ts';

interface DiscoveryParts {
  readonly inventory: Inventory;
  readonly clock: Clock;
  /** Connection profiles that a search uses if its options do not say where to look. */
  readonly profiles: () => readonly NamedProfile[];
  readonly timing?: DiscoveryTiming;
  readonly listInterfaces?: ListInterfaces;
  readonly lookAtRules?: LookAtRules;
}

export function createDiscovery({
  inventory,
  clock,
  profiles,
  timing = DEFAULT_TIMING,
  listInterfaces = listSystemInterfaces,
  lookAtRules = () => lookAtProgramRules(),
}: DiscoveryParts): DiscoveryApi & { close(): Promise<void> } {
  const closing = new AbortController();
  const searches = new Set<Promise<void>>();

  const watch: DiscoveryApi['watch'] = (options, signal) => {
    const checked = checkOptions(
      options,
      listInterfaces(),
      collectSearchOptions(profiles(), inventory.list()),
    );
    return tracked(checked, AbortSignal.any([signal, closing.signal]));
  };

  /** Closing the engine waits for whatever still searches. */
  async function* tracked(checked: CheckedOptions, signal: AbortSignal): ReturnType<DiscoveryApi['watch']> {
    const { promise, resolve } = Promise.withResolvers<void>();
    searches.add(promise);
    try {
      // HTTP, TLS and mDNS take a while to load, and most commands never search.
      const { search } = await import('./search.ts');
      yield* search({ checked, inventory, clock, timing, listInterfaces, lookAtRules }, signal);
    } finally {
      searches.delete(promise);
      resolve();
    }
  }

  return {
    watch,
    networks: () => listOwnNetworks(listInterfaces()),
    async close() {
      closing.abort();
      await Promise.all(searches);
    },
  };
}
