/**
 * Neighbours of devices on a real network; `mixed-street.ts ADDRESS`. A router's web page, a printer, a
 * device that announces a type of its own alone, one with an address of another network, and one that speaks
 * IPv6 as well.
 */
import { createServer } from 'node:http';
import multicastDns from 'multicast-dns';
import { startSite } from '#test/helpers/strict-site.ts';

const [address = ''] = process.argv.slice(2);
const site = await startSite({ devices: 1, port: 20_001, host: address, auth: 'none' });
createServer((_request, response) =>
  response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Router</html>'),
).listen(8_001, address);

const mdns = multicastDns({ interface: address, bind: '0.0.0.0' });

interface Service {
  readonly type: string;
  readonly name: string;
  readonly port: number;
  readonly host: string;
  readonly addresses: readonly string[];
  readonly texts?: string[];
}
const SERVICES: readonly Service[] = [
  { type: '_http', name: 'Router', port: 8_001, host: 'router', addresses: [address] },
  { type: '_ipp', name: 'Printer', port: 631, host: 'printer', addresses: [address] },
  { type: '_http', name: 'Printer', port: 8_002, host: 'printer', addresses: [address] },
  {
    type: '_http',
    name: 'Office copier',
    port: 8_003,
    host: 'copier',
    addresses: [address],
    texts: ['ty=Copier 9', 'rp=print'],
  },
  { type: '_psia', name: 'Own kind', port: 20_001, host: 'own', addresses: ['fe80::77', address] },
  {
    type: '_http',
    name: 'Far away',
    port: 80,
    host: 'far',
    addresses: ['198.51.100.7'],
    texts: ['path=/API'],
  },
  {
    type: '_http',
    name: 'Two ways',
    port: 20_001,
    host: 'two',
    addresses: ['fe80::78', '198.51.100.8', address],
    texts: ['path=/API'],
  },
];

/** One packet for each service, as devices send them. */
function answer(wanted: ReadonlySet<string>): void {
  for (const { type, name, port, host, addresses, texts = [] } of SERVICES.filter((service) =>
    wanted.has(`${service.type}._tcp.local`),
  )) {
    const service = `${name}.${type}._tcp.local`;
    mdns.respond({
      answers: [{ name: `${type}._tcp.local`, type: 'PTR', ttl: 120, data: service }],
      additionals: [
        { name: service, type: 'SRV', ttl: 120, data: { target: `${host}.local`, port } },
        { name: service, type: 'TXT', ttl: 120, data: texts },
        ...addresses.map((each) => ({
          name: `${host}.local`,
          type: each.includes(':') ? ('AAAA' as const) : ('A' as const),
          ttl: 120,
          data: each,
        })),
      ],
    });
  }
}
mdns.on('query', ({ questions }) => answer(new Set(questions.map(({ name }) => name))));

process.stdout.write(`${JSON.stringify(site.devices.map(({ name, url }) => ({ name, url })))}\n`);
process.once('SIGTERM', () => process.exit(0));
