/**
 * Decodes the parts of an mDNS packet that discovery needs; everything else is omitted (RFC 6762, RFC 6763).
 */
import { isIPv4, isIPv6 } from 'node:net';
import { DEFAULT_SERVICES } from '#shared/access.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';

/** Service types that printers announce beside their web page; they distinguish that page from a device. */
export const PRINTING: readonly string[] = [
  '_ipp._tcp',
  '_ipps._tcp',
  '_printer._tcp',
  '_pdl-datastream._tcp',
];
const PRINTING_TYPES = toServiceTypes(PRINTING);
const STANDARD_TYPES = toServiceTypes(DEFAULT_SERVICES);

/** Converts `_http._tcp` to the ending that names have. */
export function toServiceTypes(services: readonly string[]): ReadonlySet<string> {
  return new Set(services.map((service) => `${service.toLowerCase()}.local`));
}

export type MdnsRecord =
  | { readonly kind: 'pointer'; readonly service: string; readonly type: string; readonly ttl: number }
  | {
      readonly kind: 'server';
      readonly service: string;
      readonly target: string;
      readonly port: number;
      readonly ttl: number;
    }
  | {
      readonly kind: 'text';
      readonly service: string;
      readonly entries: ReadonlyMap<string, string>;
      readonly ttl: number;
    }
  | { readonly kind: 'address'; readonly host: string; readonly address: string; readonly ttl: number }
  /** Printer: names of the instance, and of its host if that was reported, lower case. */
  | { readonly kind: 'printing'; readonly names: readonly string[]; readonly ttl: number };

/** Records of one packet that are looked at; a hostile packet may hold thousands. */
const MOST_RECORDS = 2_000;
const MOST_TEXTS = 64;

/**
 * Maximum number of entries that the header may count, checked before the packet is parsed: enough for many
 * devices that answer together, and for one that knows a whole site.
 */
const MOST_COUNTED = 1_000;
const HEAD = 12;
/** Bits of the third byte: an answer; neither an answer nor a standard query. */
const BITS = { response: 0x80, opcode: 0x78 };

/**
 * Returns the kind of a packet by its header alone (RFC 1035, 4.1.1). Only an answer is worth parsing, and
 * not one of ten thousand records: names point back into each other, and that many in 64 KB take a fifth of a
 * second.
 */
export function sortPacket(bytes: Uint8Array): 'response' | 'query' | 'unreadable' {
  if (bytes.length < HEAD) return 'unreadable';
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  const flags = head.getUint8(2);
  const counted = [4, 6, 8, 10].reduce((sum, at) => sum + head.getUint16(at), 0);
  if (counted > MOST_COUNTED) return 'unreadable';
  if ((flags & BITS.response) !== 0) return 'response';
  return (flags & BITS.opcode) === 0 ? 'query' : 'unreadable';
}

/** Reads the answers of a packet as the decoder gives it; `types`: those of the services looked for. Never throws. */
export function readPacket(packet: unknown, types = STANDARD_TYPES): MdnsRecord[] {
  if (!isBag(packet)) return [];
  const records = [...listOf(packet['answers']), ...listOf(packet['additionals'])];
  return records.slice(0, MOST_RECORDS).flatMap((record) => {
    const read = isBag(record) ? readRecord(record, types) : undefined;
    return read === undefined ? [] : [read];
  });
}

function readRecord(
  record: Readonly<Record<string, unknown>>,
  types: ReadonlySet<string>,
): MdnsRecord | undefined {
  const { name, type, data } = record;
  const ttl = typeof record['ttl'] === 'number' && record['ttl'] >= 0 ? record['ttl'] : 0;
  if (typeof name !== 'string' || name.length > 255) return undefined;
  switch (type) {
    case 'PTR': {
      const type = name.toLowerCase();
      if (typeof data !== 'string' || parseServiceType(data) !== type) return undefined;
      if (PRINTING_TYPES.has(type)) return { kind: 'printing', names: [getInstanceKey(data)], ttl };
      return types.has(type) ? { kind: 'pointer', service: data, type, ttl } : undefined;
    }
    case 'SRV': {
      const type = parseServiceType(name);
      if (type === undefined || !isBag(data)) return undefined;
      const { target, port } = data;
      if (PRINTING_TYPES.has(type) && typeof target === 'string')
        return { kind: 'printing', names: [getInstanceKey(name), target.toLowerCase()], ttl };
      if (!types.has(type)) return undefined;
      const fits =
        typeof target === 'string' &&
        target.length <= 255 &&
        target !== '' &&
        typeof port === 'number' &&
        port >= 1 &&
        port <= 65_535;
      return fits ? { kind: 'server', service: name, target, port, ttl } : undefined;
    }
    case 'TXT':
      return types.has(parseServiceType(name) ?? '')
        ? { kind: 'text', service: name, entries: readTexts(data), ttl }
        : undefined;
    case 'A':
      return typeof data === 'string' && isIPv4(data)
        ? { kind: 'address', host: name, address: data, ttl }
        : undefined;
    case 'AAAA':
      return typeof data === 'string' && isIPv6(data)
        ? { kind: 'address', host: name, address: data.toLowerCase(), ttl }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns `_http._tcp.local` for `Lobby._http._tcp.local`, lower case; undefined if it is no name of a
 * service.
 */
export function parseServiceType(service: string): string | undefined {
  return service.length > 255
    ? undefined
    : /^.+\.(_[^.]{1,63}\._(?:tcp|udp)\.local)$/is.exec(service)?.[1]?.toLowerCase();
}

/** Returns the instance in the name of a service, as names are compared. */
export function getInstanceKey(service: string): string {
  return service.slice(0, -(parseServiceType(service)?.length ?? -1) - 1).toLowerCase();
}

/**
 * Labels of a service or host, as they go into a question; undefined for a name that cannot be asked for: one
 * bad label would make the whole packet unreadable. The dots of an instance are its own (RFC 6763, 4.3).
 */
export function parseLabels(name: string): readonly string[] | undefined {
  const type = parseServiceType(name);
  const labels = type === undefined ? name.split('.') : [name.slice(0, -type.length - 1), ...type.split('.')];
  const isWhole = labels.every(
    (label) => label !== '' && Buffer.byteLength(label) <= 63 && !label.includes('\ufffd'),
  );
  return isWhole && Buffer.byteLength(name) <= 253 ? labels : undefined;
}

/** Returns `Lobby` for `Lobby._http._tcp.local`, cleaned. */
export function getInstanceName(service: string): string {
  const type = parseServiceType(service);
  const name = type === undefined ? service : service.slice(0, -type.length - 1);
  return cleanName(name);
}

/**
 * Removes from a name everything that a screen or terminal would obey, or that is invisible; the result may
 * be empty.
 */
export function cleanName(name: string): string {
  return replaceUnseen(name, () => '')
    .trim()
    .slice(0, 63)
    .toWellFormed();
}

/** Keys lower case, the first of equal ones counts (RFC 6763, 6.4). */
function readTexts(data: unknown): Map<string, string> {
  const entries = new Map<string, string>();
  for (const part of listOf(data).slice(0, MOST_TEXTS)) {
    if (!(part instanceof Uint8Array)) continue;
    const text = Buffer.from(part).toString('utf8');
    const at = text.indexOf('=');
    const key = (at < 0 ? text : text.slice(0, at)).toLowerCase();
    if (/^[\x20-\x7e]{1,64}$/.test(key) && !entries.has(key))
      entries.set(key, at < 0 ? '' : replaceUnseen(text.slice(at + 1), () => ''));
  }
  return entries;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isBag(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
