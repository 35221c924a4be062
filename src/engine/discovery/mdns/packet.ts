/** What a decoded mDNS packet holds of the things discovery needs; everything else is left out (RFC 6762, RFC 6763). */
import { isIPv4, isIPv6 } from 'node:net';
import { replaceUnseen } from '../../../shared/unseen.ts';

export const SERVICE_TYPES = ['_http._tcp.local', '_https._tcp.local'] as const;

export type MdnsRecord =
  | { readonly kind: 'pointer'; readonly service: string; readonly type: string; readonly ttl: number }
  | { readonly kind: 'server'; readonly service: string; readonly target: string; readonly port: number; readonly ttl: number }
  | { readonly kind: 'text'; readonly service: string; readonly entries: ReadonlyMap<string, string>; readonly ttl: number }
  | { readonly kind: 'address'; readonly host: string; readonly address: string; readonly ttl: number };

/** Records of one packet that are looked at; a hostile packet may hold thousands. */
const MOST_RECORDS = 2_000;
const MOST_TEXTS = 64;

/** Reads the answers of a packet as the decoder gives it. Never throws. */
export function readPacket(packet: unknown): MdnsRecord[] {
  if (!isBag(packet)) return [];
  const records = [...listOf(packet['answers']), ...listOf(packet['additionals'])];
  return records.slice(0, MOST_RECORDS).flatMap((record) => {
    const read = isBag(record) ? readRecord(record) : undefined;
    return read === undefined ? [] : [read];
  });
}

function readRecord(record: Readonly<Record<string, unknown>>): MdnsRecord | undefined {
  const { name, type, data } = record;
  const ttl = typeof record['ttl'] === 'number' && record['ttl'] >= 0 ? record['ttl'] : 0;
  if (typeof name !== 'string' || name.length > 255) return undefined;
  switch (type) {
    case 'PTR': {
      const service = SERVICE_TYPES.find((each) => each === name.toLowerCase());
      return service !== undefined && typeof data === 'string' && typeOfService(data) === service ? { kind: 'pointer', service: data, type: service, ttl } : undefined;
    }
    case 'SRV': {
      if (typeOfService(name) === undefined || !isBag(data)) return undefined;
      const { target, port } = data;
      const fits = typeof target === 'string' && target.length <= 255 && target !== '' && typeof port === 'number' && port >= 1 && port <= 65_535;
      return fits ? { kind: 'server', service: name, target, port, ttl } : undefined;
    }
    case 'TXT':
      return typeOfService(name) === undefined ? undefined : { kind: 'text', service: name, entries: readTexts(data), ttl };
    case 'A':
      return typeof data === 'string' && isIPv4(data) ? { kind: 'address', host: name, address: data, ttl } : undefined;
    case 'AAAA':
      return typeof data === 'string' && isIPv6(data) ? { kind: 'address', host: name, address: data.toLowerCase(), ttl } : undefined;
    default:
      return undefined;
  }
}

/** `_http._tcp.local` of `Lobby._http._tcp.local`; undefined where it is no service we look for. */
export function typeOfService(service: string): (typeof SERVICE_TYPES)[number] | undefined {
  const lower = service.toLowerCase();
  return service.length > 255 ? undefined : SERVICE_TYPES.find((type) => lower.endsWith(`.${type}`) && lower.length > type.length + 1);
}

/**
 * Labels of a service or host, as they go into a question; undefined for a name that cannot be asked for: one
 * bad label would make the whole packet unreadable. The dots of an instance are its own (RFC 6763, 4.3).
 */
export function labelsOf(name: string): readonly string[] | undefined {
  const type = typeOfService(name);
  const labels = type === undefined ? name.split('.') : [name.slice(0, -type.length - 1), ...type.split('.')];
  const isWhole = labels.every((label) => label !== '' && Buffer.byteLength(label) <= 63 && !label.includes('\ufffd'));
  return isWhole && Buffer.byteLength(name) <= 253 ? labels : undefined;
}

/** `Lobby` of `Lobby._http._tcp.local`, cleaned. */
export function instanceName(service: string): string {
  const type = typeOfService(service);
  const name = type === undefined ? service : service.slice(0, -type.length - 1);
  return cleanName(name);
}

/** A name from the network without what a screen or terminal would obey, or nobody sees; it may be empty then. */
export function cleanName(name: string): string {
  return replaceUnseen(name, () => '').trim().slice(0, 63).toWellFormed();
}

/** Keys lower case, the first of equal ones counts (RFC 6763, 6.4). */
function readTexts(data: unknown): Map<string, string> {
  const entries = new Map<string, string>();
  for (const part of listOf(data).slice(0, MOST_TEXTS)) {
    if (!(part instanceof Uint8Array)) continue;
    const text = Buffer.from(part).toString('utf8');
    const at = text.indexOf('=');
    const key = (at < 0 ? text : text.slice(0, at)).toLowerCase();
    if (/^[\x20-\x7e]{1,64}$/.test(key) && !entries.has(key)) entries.set(key, at < 0 ? '' : replaceUnseen(text.slice(at + 1), () => ''));
  }
  return entries;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isBag(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
