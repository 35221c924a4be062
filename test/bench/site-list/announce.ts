/** The devices: announces them by multicast at an even rate, says when it is done, ends with its standard input. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { announcement } from './mdns-packet.ts';
import { announcementAt, NETWORKS, PER_SECOND, SECONDS } from './plan.ts';

const sockets = await Promise.all(
  NETWORKS.map(async (network) => {
    const socket = createSocket('udp4');
    socket.bind(0, `${network}.2`);
    await once(socket, 'listening');
    socket.setMulticastInterface(`${network}.2`);
    return socket;
  }),
);
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const started = performance.now();
let sent = 0;
while (sent < PER_SECOND * SECONDS) {
  const due = Math.min(PER_SECOND * SECONDS, Math.floor(((performance.now() - started) * PER_SECOND) / 1000));
  for (; sent < due; sent += 1) {
    const { network, announced } = announcementAt(sent);
    sockets[network]?.send(announcement(announced), 5353, '224.0.0.251');
  }
  await wait(10);
}
process.stdout.write(`${JSON.stringify({ sent, ms: performance.now() - started })}\n`);
await once(process.stdin, 'end');
for (const socket of sockets) socket.close();
