/**
 * One multicast DNS socket on one interface and family of addresses. A browser of bonjour-service would send
 * on one interface only, query once and keep every service that it hears of.
 */
import { createSocket } from 'node:dgram';
import multicastDns from 'multicast-dns';
import { getIpv6Zone } from '../network.ts';
import type { InterfaceAddress } from '../types.ts';
import { sortPacket, parseLabels } from './packet.ts';

const GROUP = { IPv4: '224.0.0.251', IPv6: 'ff02::fb' } as const;
const PORT = 5353;

interface MdnsInstance {
  /** Sends one query; an error is given back, never thrown. */
  ask(questions: readonly Question[]): Promise<NodeJS.ErrnoException | undefined>;
  close(): Promise<void>;
}

interface MdnsListener {
  /** A response; `source` is its sender's address. */
  onResponse(packet: unknown, source: string): void;
  onQuery(source: string): void;
  onUnreadable(): void;
  /** The socket could not be opened, could not join the group, or broke. */
  onError(error: NodeJS.ErrnoException): void;
}

export function openMdns(entry: InterfaceAddress, listener: MdnsListener): MdnsInstance {
  const socket = createSocket({
    type: entry.family === 'IPv4' ? 'udp4' : 'udp6',
    reuseAddr: true,
    ...(entry.family === 'IPv6' ? { ipv6Only: true } : {}),
  });
  const mdns = multicastDns({
    socket,
    port: PORT,
    type: entry.family === 'IPv4' ? 'udp4' : 'udp6',
    ip: GROUP[entry.family],
    interface: entry.family === 'IPv4' ? entry.address : `::%${getIpv6Zone(entry.name, [entry])}`,
    // Bound to one address the socket would hear no multicast on Linux.
    bind: entry.family === 'IPv4' ? '0.0.0.0' : '::',
  });
  // Sends that the system has not confirmed; it never will once the socket is closed.
  const pending = new Set<() => void>();
  let closed = false;

  // An error without a listener ends the process.
  mdns.on('error', listener.onError);
  const bound = new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    mdns.once('ready', () => resolve(undefined));
    mdns.once('error', resolve);
  });
  mdns.on('warning', (error: NodeJS.ErrnoException) => {
    // The same event carries what the decoder refuses and what the system refuses; only the latter has a code.
    if (error.syscall === undefined && error.code === undefined) listener.onUnreadable();
    else listener.onError(error);
  });
  mdns.on('response', (packet: unknown, from: { readonly address: string }) => {
    if (!closed) listener.onResponse(packet, from.address);
  });
  // The library would read every packet whole.
  const readers = socket.listeners('message');
  socket.removeAllListeners('message');
  socket.on('message', (bytes, from) => {
    const kind = sortPacket(bytes);
    if (closed) return;
    if (kind === 'unreadable') listener.onUnreadable();
    else if (kind === 'query') listener.onQuery(from.address);
    else for (const read of readers) Reflect.apply(read, socket, [bytes, from]);
  });

  return {
    ask: (questions) =>
      new Promise((resolve) => {
        if (closed) return resolve(undefined);
        const settle = (error?: NodeJS.ErrnoException): void => {
          pending.delete(settle);
          resolve(error);
        };
        pending.add(settle);
        bound
          .then((refused) => {
            if (closed || refused !== undefined) return settle(refused);
            socket.send(encodeQuery(questions), PORT, GROUP[entry.family], (error) =>
              settle(error ?? undefined),
            );
          })
          .catch(settle);
      }),
    close: () =>
      new Promise((resolve) => {
        if (closed) return resolve();
        closed = true;
        for (const settle of [...pending]) settle();
        try {
          mdns.destroy(() => resolve());
        } catch {
          // The socket never opened, or is gone already.
          resolve();
        }
      }),
  };
}

interface Question {
  /** A service or host as `parseLabels` can take it apart; others are left out. */
  readonly name: string;
  readonly type: 'PTR' | 'SRV' | 'TXT' | 'A' | 'AAAA';
}

const TYPES = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const;
const CLASS_IN = 1;

export function encodeQuery(questions: readonly Question[]): Buffer {
  const written = questions.flatMap(({ name, type }) => {
    const labels = parseLabels(name);
    if (labels === undefined) return [];
    const parts = labels.flatMap((label) => [Buffer.of(Buffer.byteLength(label)), Buffer.from(label)]);
    return [Buffer.concat([...parts, Buffer.of(0, 0, TYPES[type], 0, CLASS_IN)])];
  });
  const head = Buffer.alloc(12);
  head.writeUInt16BE(written.length, 4);
  return Buffer.concat([head, ...written]);
}
