/** Sends what no decent device sends to the mDNS group; `noise.ts ADDRESS`. Ends when all has left. */
import { createSocket } from 'node:dgram';

const [address = ''] = process.argv.slice(2);
const header = (answers: number): Buffer =>
  Buffer.from([0, 0, 0x84, 0, 0, 0, answers >> 8, answers & 255, 0, 0, 0, 0]);
const type = Buffer.from('\u0005_http\u0004_tcp\u0005local\u0000', 'latin1');
const pointer = Buffer.concat([type, Buffer.from([0, 12, 0, 1, 0, 0, 0, 120])]);
const packets = [
  Buffer.alloc(0),
  Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  header(65_535),
  Buffer.alloc(9_000, 0xc0),
  // a name that points to itself, a record longer than its packet, an empty instance, one full of control characters
  Buffer.concat([header(1), Buffer.from([0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 9, 0, 2, 0xc0, 12])]),
  Buffer.concat([header(1), pointer, Buffer.from([0xff, 0xff, 1])]),
  Buffer.concat([header(1), pointer, Buffer.from([0, type.length]), type]),
  Buffer.concat([
    header(1),
    pointer,
    Buffer.from([0, type.length + 4]),
    Buffer.from('\u0003\u001b[2', 'latin1'),
    type,
  ]),
  ...Array.from({ length: 200 }, (_, seed) =>
    Buffer.from(Array.from({ length: 64 }, (_byte, at) => (seed * 31 + at * 97 + ((at * seed) % 251)) % 256)),
  ),
];
const socket = createSocket({ type: 'udp4', reuseAddr: true });
socket.bind(0, address, () => {
  socket.setMulticastInterface(address);
  let left = packets.length;
  for (const packet of packets)
    socket.send(packet, 5353, '224.0.0.251', () => {
      if ((left -= 1) === 0) socket.close();
    });
});
