/** Announcements as a device sends them: one packet with the service, its place, its serial number and its addresses (RFC 6762, RFC 6763). */

export interface Announced {
  /** Instance name, unique on its link. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly serial: string;
  readonly addresses: readonly string[];
}

const TYPE = '_http._tcp.local';
const TTL_SECONDS = 120;
const KIND = { A: 1, PTR: 12, TXT: 16, SRV: 33 } as const;

function nameBytes(labels: readonly string[]): Buffer {
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.of(Buffer.byteLength(label)), Buffer.from(label)])),
    Buffer.of(0),
  ]);
}
function record(name: Buffer, kind: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(kind, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(TTL_SECONDS, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, head, data]);
}

export function announcement({ name, host, port, serial, addresses }: Announced): Buffer {
  const type = nameBytes(TYPE.split('.'));
  const service = nameBytes([name, ...TYPE.split('.')]);
  const target = nameBytes([host, 'local']);
  const place = Buffer.alloc(6);
  place.writeUInt16BE(port, 4);
  const text = Buffer.from(`serialnumber=${serial}`);
  const records = [
    record(type, KIND.PTR, service),
    record(service, KIND.SRV, Buffer.concat([place, target])),
    record(service, KIND.TXT, Buffer.concat([Buffer.of(text.length), text])),
    ...addresses.map((address) => record(target, KIND.A, Buffer.from(address.split('.').map(Number)))),
  ];
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0x8400, 2);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, ...records]);
}
