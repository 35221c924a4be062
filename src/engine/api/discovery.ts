/** Finding devices. */
import type { DiscoveryEvent, OwnNetwork } from '../../shared/discovery.ts';

/** What a search does; without anything: mDNS on every interface until the signal aborts. */
export interface DiscoveryOptions {
  /** How long to listen; a sweep is finished all the same. Up to 3600. */
  readonly seconds?: number;
  /** Default true. */
  readonly mdns?: boolean;
  /** Names; an internal interface is only used when named. Default: all others. */
  readonly interfaces?: readonly string[];
  /** An IPv4 range of at most /20, in a network of this computer unless `force`. */
  readonly sweep?: { readonly cidr: string; readonly force?: boolean; readonly ports?: readonly number[] };
  /** Addresses to look at, as people write them. */
  readonly addresses?: readonly string[];
  /** Path prefixes to ask below. Default: `/API` and those of the inventory. */
  readonly prefixes?: readonly string[];
  /** Adds the doctor's reports. */
  readonly doctor?: boolean;
}

export interface DiscoveryApi {
  /**
   * Devices as they are seen, change and vanish. Throws `usage`, `out-of-range` or `not-allowed`
   * before anything is sent; ends when the time is over, or when the signal aborts.
   */
  watch(options: DiscoveryOptions, signal: AbortSignal): AsyncIterable<DiscoveryEvent>;
  /** Networks of this computer that can be swept; sends nothing. */
  networks(): readonly OwnNetwork[];
}
