import type { SubscribeOptions } from '../../../client/index.ts';
import type { DiscoveryEvent, OwnNetwork } from '../../../../shared/discovery.ts';
import { api, useClient } from '../../../client/use-client.ts';

/** What one search does; the engine's own bounds hold. */
export interface SearchOptions {
  readonly seconds?: number;
  readonly mdns?: boolean;
  readonly interfaces?: string[];
  readonly sweep?: { readonly cidr: string; readonly ports?: number[]; readonly force?: boolean };
  readonly prefixes?: string[];
  readonly doctor?: boolean;
}

/** Ends, and sends nothing more, when the returned function is called. */
export function watchDiscovery(
  options: SearchOptions,
  onEvent: (event: DiscoveryEvent) => void,
  subscribe: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.discovery.watch, options, onEvent, subscribe);
}
/** Networks of this computer that can be swept; sends nothing. */
export function listNetworks(): Promise<readonly OwnNetwork[]> {
  return api().discovery.networks();
}
