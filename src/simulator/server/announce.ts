/** Announces devices by mDNS as `_http._tcp` (or `_https._tcp`), so that discovery has something to find. */
import type { EventEmitter } from 'node:events';
import { isIPv6 } from 'node:net';
import { Bonjour } from 'bonjour-service';

interface Announcement {
  readonly name: string;
  readonly port: number;
  readonly secure: boolean;
  readonly prefix: string;
}

const GOODBYE_MS = 500;
/** RFC 6762, 10. */
const ADDRESS_TTL_S = 120;

interface AnnounceOptions {
  /** Address on which the site listens; it is announced only there. */
  readonly host: string;
  readonly onProblem: (reason: string) => void;
}

interface AnnouncedRecord {
  readonly type: string;
  readonly name: string;
  data?: unknown;
}
interface AnnouncingServer {
  readonly mdns: EventEmitter;
  register(records: AnnouncedRecord[]): void;
}

/**
 * Limits the announcement to one address: the library announces every address of the machine but those of the
 * loopback, and the site is at one of them only.
 */
function announceOnly(host: string, server: AnnouncingServer): void {
  const register = server.register.bind(server);
  server.register = (records) => {
    const name =
      (records.find(({ type }) => type === 'SRV')?.data as { readonly target: string } | undefined)?.target ??
      '';
    const others = records.filter(({ type }) => type !== 'A' && type !== 'AAAA');
    // The array is changed in place: the library sends the registered records.
    records.splice(0, records.length, ...others, {
      name,
      type: isIPv6(host) ? 'AAAA' : 'A',
      ttl: ADDRESS_TTL_S,
      data: host,
    } as AnnouncedRecord);
    register(records);
  };
}

/** Listening on every address of a family is no interface of its own. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/**
 * Announces them all; closing takes everything back. A network that cannot do multicast is reported
 * once through `onProblem` and costs nothing else: the site stays reachable by address.
 */
export function announce(
  announcements: readonly Announcement[],
  { host, onProblem }: AnnounceOptions,
): { close(): Promise<void> } {
  let reported = false;
  const problem = (error: unknown): void => {
    if (!reported) onProblem(error instanceof Error ? error.message : String(error));
    reported = true;
  };

  const bonjour = new Bonjour(
    EVERYWHERE.includes(host) ? {} : ({ interface: host, bind: '0.0.0.0' } as object),
    problem,
  );
  // Socket errors are thrown as unhandled events without a listener, and the library has no way to ask for
  // them.
  const { server } = bonjour as unknown as { readonly server: AnnouncingServer };
  server.mdns.on('error', problem);
  server.mdns.on('warning', problem);
  if (!EVERYWHERE.includes(host)) announceOnly(host, server);
  for (const item of announcements) {
    // The call skips probing, because the library prints a name already in use.
    bonjour.publish({
      name: item.name,
      type: item.secure ? 'https' : 'http',
      port: item.port,
      probe: false,
      txt: { path: item.prefix, product: 'Fieldwright virtual device' },
    });
  }
  return {
    close: () =>
      new Promise((resolve) => {
        const destroy = (): void => bonjour.destroy(() => resolve());
        // The goodbye may not get out if the network is down.
        const timer = setTimeout(destroy, GOODBYE_MS);
        bonjour.unpublishAll(() => {
          clearTimeout(timer);
          destroy();
        });
      }),
  };
}
