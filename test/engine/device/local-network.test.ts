/** A Mac answers "no route" for programs that may not use the local network. */
import { expect, it } from 'vitest';
import { toTransportError } from '#engine/device/transport/transport-errors.ts';

// Would catch: people look for a cable where a switch of the system is off.
it.each([
  ['darwin', 'EHOSTUNREACH', '192.168.1.64', 'device.nobody-there-mac'],
  ['darwin', 'EHOSTUNREACH', 'fe80::1', 'device.nobody-there-mac'],
  ['darwin', 'EHOSTUNREACH', '8.8.8.8', 'device.nobody-there'],
  ['darwin', 'ENETUNREACH', '192.168.1.64', 'device.no-way'],
  ['linux', 'EHOSTUNREACH', '192.168.1.64', 'device.nobody-there'],
] as const)('on %s, %s of %s is %s', (platform, code, address, id) => {
  const thrown = Object.assign(new Error(code), { code, address });

  expect(toTransportError(thrown, false, platform).shape).toMatchObject({
    code: 'unreachable',
    detail: { id },
  });
});
