/**
 * Services that one interface has received: records come in, resolved services go out. Pure; time is given. A
 * service counts as seen whenever one of its own records is, so that a device which only repeats part of them
 * stays known.
 */
import { getInstanceKey, parseLabels, parseServiceType, type MdnsRecord } from './packet.ts';
import { TLS_PORTS } from '../network.ts';
import type { VanishReason } from '#shared/discovery.ts';

export interface HeardService {
  /** Full name as first announced. */
  readonly service: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  /** Something of this name or on this host prints. */
  readonly prints: boolean;
}

interface Entry {
  readonly service: string;
  source: string;
  server: { readonly target: string; readonly port: number; readonly expires: number } | undefined;
  texts: ReadonlyMap<string, string> | undefined;
  readonly firstHeard: number;
  lastHeard: number;
  unanswered: number;
  announced: boolean;
}

const MOST_SERVICES = 4_096;
const MOST_HOSTS = 4_096;
const MOST_SOURCES = 4;
const MOST_ADDRESSES = 16;
const MOST_QUESTIONS = 40;
const NO_TEXTS: ReadonlyMap<string, string> = new Map();

export class ServiceCache {
  readonly #family: 'IPv4' | 'IPv6';
  readonly #entries = new Map<string, Entry>();
  /**
   * Host to source address of the packets to addresses: the source tells two devices of the same factory name
   * apart.
   */
  readonly #hosts = new Map<string, Map<string, string[]>>();
  /** Services by the host they name: what an address changes concerns those alone. */
  readonly #byHost = new Map<string, Set<Entry>>();
  /** Services that may lack something. */
  readonly #unsure = new Set<Entry>();
  /** Instances and hosts that announced to print. */
  readonly #printing = new Set<string>();
  #announced = 0;
  #askedAt = -Infinity;
  #turnedAway = false;

  constructor(family: 'IPv4' | 'IPv6') {
    this.#family = family;
  }

  /**
   * Takes the records of one packet from `source`. Returns what is new or was seen again, and what said
   * goodbye.
   */
  take(
    records: readonly MdnsRecord[],
    source: string,
    now: number,
  ): { readonly heard: readonly HeardService[]; readonly gone: readonly string[] } {
    const heard = new Set<Entry>();
    const gone: string[] = [];
    const touchedHosts = this.#takeAddresses(records, source);
    for (const record of records) {
      if (record.kind === 'address' || record.kind === 'printing') continue;
      if (record.ttl === 0) {
        // A text that is withdrawn does not take its service along.
        if (record.kind !== 'text' && this.#forget(record.service)) gone.push(record.service);
        continue;
      }
      const entry = this.#entryOf(record.service, now);
      if (entry === undefined) continue;
      heard.add(entry);
      if (record.kind === 'server') {
        this.#unsure.add(entry);
        this.#place(entry, { target: record.target, port: record.port, expires: now + record.ttl * 1000 });
        entry.source = source;
      } else if (record.kind === 'text') {
        entry.texts = record.entries;
      }
    }
    for (const entry of heard) {
      entry.lastHeard = now;
      entry.unanswered = 0;
    }
    // New addresses of a host concern its services too, where they come from the same device.
    for (const host of touchedHosts) {
      for (const entry of this.#byHost.get(host) ?? []) {
        this.#unsure.add(entry);
        if (entry.source === source || this.#addressesOf(entry).length === 0) heard.add(entry);
      }
    }
    for (const entry of this.#takePrinting(records)) heard.add(entry);
    return {
      heard: [...heard]
        .filter((entry) => this.#entries.get(entry.service.toLowerCase()) === entry)
        .flatMap((entry) => this.#tell(entry, false)),
      gone,
    };
  }

  /** Questions for what is still missing, those asked longest ago first. */
  missing(): readonly { readonly name: string; readonly type: 'SRV' | 'TXT' | 'A' | 'AAAA' }[] {
    const questions: { name: string; type: 'SRV' | 'TXT' | 'A' | 'AAAA' }[] = [];
    const ask = (name: string, type: (typeof questions)[number]['type']): void => {
      if (parseLabels(name) !== undefined) questions.push({ name, type });
    };
    for (const entry of [...this.#unsure]) {
      const before = questions.length;
      if (entry.server === undefined) ask(entry.service, 'SRV');
      else if (this.#addressesOf(entry).length === 0)
        ask(entry.server.target, this.#family === 'IPv4' ? 'A' : 'AAAA');
      if (entry.texts === undefined && !entry.announced) ask(entry.service, 'TXT');
      // A service that never answers goes behind all others, or a few such would keep all others from being
      // asked.
      this.#unsure.delete(entry);
      if (questions.length > before) this.#unsure.add(entry);
      if (questions.length >= MOST_QUESTIONS) break;
    }
    return questions;
  }

  get isUnsure(): boolean {
    return this.#unsure.size > 0;
  }

  /** Notes a query for all remaining services. */
  asked(now: number): void {
    this.#askedAt = now;
    for (const entry of this.#entries.values()) entry.unanswered += 1;
  }

  /**
   * Returns services whose details did not arrive in `graceMs`, with what is known; a host without address is
   * where its packets come from.
   */
  settle(now: number, graceMs: number): readonly HeardService[] {
    return [...this.#entries.values()]
      .filter((entry) => !entry.announced && now - entry.firstHeard >= graceMs)
      .flatMap((entry) => this.#tell(entry, true));
  }

  /** Forgets what no longer answers. */
  expire(
    now: number,
    { graceMs, missed }: { readonly graceMs: number; readonly missed: number },
  ): readonly { readonly service: string; readonly reason: VanishReason }[] {
    if (now - this.#askedAt < graceMs) return [];
    const over = [...this.#entries.values()].flatMap((entry): { service: string; reason: VanishReason }[] => {
      if (entry.unanswered >= missed) return [{ service: entry.service, reason: 'unanswered' }];
      // Everything expires during a suspend, so a service has vanished only if it also does not answer.
      return entry.server !== undefined && entry.server.expires < now && entry.unanswered >= 1
        ? [{ service: entry.service, reason: 'expired' }]
        : [];
    });
    for (const { service } of over) this.#forget(service);
    return over;
  }

  get size(): number {
    return this.#announced;
  }

  /** More were announced than are kept, and those that are kept still leave no room. */
  get isFull(): boolean {
    return this.#turnedAway && this.#entries.size >= MOST_SERVICES;
  }

  services(): readonly string[] {
    return [...this.#entries.values()].filter((entry) => entry.announced).map((entry) => entry.service);
  }

  #entryOf(service: string, now: number): Entry | undefined {
    const key = service.toLowerCase();
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#entries.size >= MOST_SERVICES) {
      this.#turnedAway = true;
      return undefined;
    }
    const made: Entry = {
      service,
      source: '',
      server: undefined,
      texts: undefined,
      firstHeard: now,
      lastHeard: now,
      unanswered: 0,
      announced: false,
    };
    this.#entries.set(key, made);
    this.#unsure.add(made);
    return made;
  }

  #place(entry: Entry, server: Entry['server']): void {
    const [before, after] = [entry.server, server].map((each) => each?.target.toLowerCase());
    entry.server = server;
    if (before === after) return;
    const left = before === undefined ? undefined : this.#byHost.get(before);
    if (left?.delete(entry) === true && left.size === 0) this.#byHost.delete(before ?? '');
    if (after === undefined) return;
    const there = this.#byHost.get(after);
    if (there === undefined) this.#byHost.set(after, new Set([entry]));
    else there.add(entry);
  }

  #forget(service: string): boolean {
    const entry = this.#entries.get(service.toLowerCase());
    if (entry === undefined) return false;
    this.#place(entry, undefined);
    this.#unsure.delete(entry);
    if (entry.announced) this.#announced -= 1;
    return this.#entries.delete(service.toLowerCase());
  }

  #takeAddresses(records: readonly MdnsRecord[], source: string): Set<string> {
    const touched = new Set<string>();
    for (const record of records) {
      if (record.kind !== 'address') continue;
      const host = record.host.toLowerCase();
      const bySource = this.#hosts.get(host) ?? new Map<string, string[]>();
      if (!this.#hosts.has(host)) {
        if (this.#hosts.size >= MOST_HOSTS) continue;
        this.#hosts.set(host, bySource);
      }
      const before = bySource.get(source) ?? [];
      // A packet holds all addresses of a family, so what it does not repeat is no longer true.
      const family = record.address.includes(':') ? 'IPv6' : 'IPv4';
      const kept =
        record.ttl === 0 || touched.has(`${family} ${host}`)
          ? before
          : before.filter((address) => address.includes(':') !== (family === 'IPv6'));
      touched.add(`${family} ${host}`).add(host);
      const next =
        record.ttl === 0
          ? kept.filter((address) => address !== record.address)
          : [...new Set([...kept, record.address])].slice(0, MOST_ADDRESSES);
      bySource.delete(source);
      bySource.set(source, next);
      for (const old of [...bySource.keys()].slice(0, -MOST_SOURCES)) bySource.delete(old);
    }
    return touched;
  }

  #addressesOf(entry: Entry): readonly string[] {
    const bySource = this.#hosts.get(entry.server?.target.toLowerCase() ?? '');
    if (bySource === undefined) return [];
    return bySource.get(entry.source) ?? [...bySource.values()].at(-1) ?? [];
  }

  /** Takes note of who prints; gives the services this is news about. */
  #takePrinting(records: readonly MdnsRecord[]): readonly Entry[] {
    const before = this.#printing.size;
    for (const record of records) {
      if (record.kind !== 'printing') continue;
      for (const name of record.names) {
        if (record.ttl === 0) this.#printing.delete(name);
        else if (this.#printing.size < MOST_HOSTS) this.#printing.add(name);
      }
    }
    return this.#printing.size > before
      ? [...this.#entries.values()].filter((entry) => entry.announced && this.#prints(entry))
      : [];
  }

  #prints(entry: Entry): boolean {
    return (
      this.#printing.size > 0 &&
      (this.#printing.has(getInstanceKey(entry.service)) ||
        this.#printing.has(entry.server?.target.toLowerCase() ?? ''))
    );
  }

  #resolved(entry: Entry, fallback: boolean): HeardService | undefined {
    const { server } = entry;
    if (server === undefined) return undefined;
    const known = this.#addressesOf(entry);
    if (!fallback && (known.length === 0 || entry.texts === undefined)) return undefined;
    const addresses = known.length > 0 || entry.source === '' ? known : [entry.source];
    if (addresses.length === 0) return undefined;
    return {
      service: entry.service,
      secure: isSecure(entry.service, server.port),
      prints: this.#prints(entry),
      host: server.target,
      port: server.port,
      addresses,
      texts: entry.texts ?? NO_TEXTS,
    };
  }

  #tell(entry: Entry, fallback: boolean): HeardService[] {
    const service = this.#resolved(entry, fallback || entry.announced);
    if (service === undefined) return [];
    if (!entry.announced) this.#announced += 1;
    entry.announced = true;
    return [service];
  }
}

/**
 * Returns true for an encrypted service. A service type says whether it is; one of a device's own kind leaves
 * that to the port.
 */
function isSecure(service: string, port: number): boolean {
  const type = parseServiceType(service) ?? '';
  return type.startsWith('_https.') || (!type.startsWith('_http.') && TLS_PORTS.has(port));
}
