import { describe, expect, it } from 'vitest';
import { getIpv6Zone } from '#engine/discovery/network.ts';
import { createMdnsClaim } from '#engine/discovery/mdns/claim.ts';
import { getInstanceName, readPacket, sortPacket } from '#engine/discovery/mdns/packet.ts';
import { encodeQuery } from '#engine/discovery/mdns/instance.ts';
import { ServiceCache, type HeardService } from '#engine/discovery/mdns/service-cache.ts';

const TYPE = '_http._tcp.local';
const LIMITS = { graceMs: 2_000, missed: 3 };

/** Makes one answer as the decoder of the library gives it. */
function packet(
  name: string,
  address: string | undefined,
  extra: {
    readonly txt?: readonly string[];
    readonly host?: string;
    readonly ttl?: number;
    readonly port?: number;
  } = {},
): unknown {
  const { ttl = 120, host = 'cam.local' } = extra;
  return {
    answers: [{ name: TYPE, type: 'PTR', ttl, data: `${name}.${TYPE}` }],
    additionals: [
      { name: `${name}.${TYPE}`, type: 'SRV', ttl, data: { target: host, port: extra.port ?? 80 } },
      { name: `${name}.${TYPE}`, type: 'TXT', ttl, data: (extra.txt ?? []).map((text) => Buffer.from(text)) },
      ...(address === undefined ? [] : [{ name: host, type: 'A', ttl, data: address }]),
    ],
  };
}
const records = (...args: Parameters<typeof packet>) => readPacket(packet(...args));
/** Windows has numbers for zones, and this interface has none. */
const ZONE = getIpv6Zone('eth0', []);
const claim = (heard: HeardService | undefined) => {
  if (heard === undefined) throw new Error('nothing was heard');
  const mine = [
    { name: 'eth0', family: 'IPv4', address: '10.0.0.9', cidr: '10.0.0.9/24', internal: false },
  ] as const;
  return createMdnsClaim(heard, {
    name: 'eth0',
    family: 'IPv4',
    mine,
    own: [...mine, { name: 'eth0', family: 'IPv6', address: 'fe80::9', cidr: 'fe80::9/64', internal: false }],
  });
};

describe('packets from the network', () => {
  it.each([
    ['nothing', undefined],
    ['no lists', { answers: 7 }],
    ['no records', { answers: [null, 7, 'x'] }],
    [
      'a port of 0',
      { answers: [{ name: `a.${TYPE}`, type: 'SRV', ttl: 1, data: { target: 'x', port: 0 } }] },
    ],
    ['an address that is none', { answers: [{ name: 'x', type: 'A', ttl: 1, data: '10.0.0.1/../' }] }],
    [
      'a pointer to another type',
      { answers: [{ name: TYPE, type: 'PTR', ttl: 1, data: 'x._ssh._tcp.local' }] },
    ],
    [
      'a name beyond the limit',
      { answers: [{ name: TYPE, type: 'PTR', ttl: 1, data: `${'x'.repeat(300)}.${TYPE}` }] },
    ],
  ])('leaves out %s', (_what, hostile) => {
    expect(readPacket(hostile)).toEqual([]);
  });

  it('reads names with dots and backslashes as they are, without the marks that would deceive a reader', () => {
    expect(
      ['Gate 1.5', 'A\\B', 'evil\u202egnp', 'x\u001b[2J', 'two\u2028lines', `${'x'.repeat(62)}\u{1f600}`].map(
        (name) => getInstanceName(`${name}.${TYPE}`),
      ),
    ).toEqual(['Gate 1.5', 'A\\B', 'evilgnp', 'x[2J', 'twolines', `${'x'.repeat(62)}\ufffd`]);
  });
});

describe('printers', () => {
  const print = {
    answers: [{ name: '_ipp._tcp.local', type: 'PTR', ttl: 120, data: 'Office._ipp._tcp.local' }],
    additionals: [
      { name: 'Office._ipp._tcp.local', type: 'SRV', ttl: 120, data: { target: 'cam.local', port: 631 } },
    ],
  };

  // Would catch: printers among the devices, because they announce their printing in another packet than their web page.
  it.each([
    ['before', true],
    ['after', false],
  ])('are known by what they announce %s their web page', (_when, isFirst) => {
    const cache = new ServiceCache('IPv4');
    const packets = [readPacket(print), records('Office', '10.0.0.5')];
    const [, heard] = (isFirst ? packets : packets.toReversed()).map(
      (each) => cache.take(each, '10.0.0.5', 0).heard,
    );

    expect(heard?.map((service) => claim(service).recognised)).toEqual(['web']);
    expect(
      claim(cache.take(records('Gate', '10.0.0.6', { host: 'other.local' }), '10.0.0.6', 0).heard[0]),
    ).toMatchObject({ isAnyWeb: true });
  });
});

describe('the name of a device', () => {
  // Would catch: a host name that clears the screen or poses as another device, where the service itself has no name.
  it.each([
    ['of the service', 'Lob\u200bby\u2066', 'cam.local', 'Lobby'],
    ['of its host', '\u202e\u200b', 'cam\u001b[2J\u2066\u200d\u061cone.local', 'cam[2Jone.local'],
    ['of its address', '\u200b', '\u2060\ufeff', '10.0.0.5'],
  ])('%s shows nothing else than it is', (_what, service, host, name) => {
    const { heard } = new ServiceCache('IPv4').take(records(service, '10.0.0.5', { host }), '10.0.0.5', 0);

    expect(claim(heard[0])).toMatchObject({ name, identity: `name:${name.toLowerCase()}` });
  });
});

/** Labels and type of each question, read as RFC 1035 says. */
function readQuery(packet: Buffer): (readonly [labels: readonly string[], type: number])[] {
  let at = 12;
  return Array.from({ length: packet.readUInt16BE(4) }, () => {
    const labels: string[] = [];
    for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
      expect(length).toBeLessThanOrEqual(63);
      labels.push(packet.toString('utf8', at + 1, (at += length + 1)));
    }
    at += 5;
    return [labels, packet.readUInt16BE(at - 4)] as const;
  });
}

describe('a query', () => {
  // Would catch: a device called "Gate 2.0" that is never found because "Gate 2" was asked for, below "0".
  it('asks for an instance with dots by its own name', () => {
    const packet = encodeQuery([
      { name: `Gate 2.0 大厅.${TYPE}`, type: 'SRV' },
      { name: 'cam.one.local', type: 'A' },
      { name: TYPE, type: 'PTR' },
    ]);

    expect(readQuery(packet)).toEqual([
      [['Gate 2.0 大厅', '_http', '_tcp', 'local'], 33],
      [['cam', 'one', 'local'], 1],
      [['_http', '_tcp', 'local'], 12],
    ]);
  });

  // Would catch: one neighbour with a name that cannot be written, whose question spoils all others of its packet.
  it.each(['\ufffd\ufffd\ufffd', 'x'.repeat(64), '大'.repeat(22)])(
    'leaves out what cannot be asked for: %s',
    (name) => {
      expect(
        readQuery(
          encodeQuery([
            { name: `${name}.${TYPE}`, type: 'SRV' },
            { name: 'two..dots.local', type: 'A' },
            { name: `Gate.${TYPE}`, type: 'TXT' },
          ]),
        ),
      ).toEqual([[['Gate', '_http', '_tcp', 'local'], 16]]);
    },
  );
});

describe('the cache of one interface', () => {
  // Would catch: forty neighbours that never answer and keep the others from being asked.
  it('asks everybody in turn, also behind those that never answer', () => {
    const cache = new ServiceCache('IPv4');
    for (let index = 0; index < 200; index += 1)
      cache.take(
        records(`n${index}`, undefined).filter(({ kind }) => kind === 'pointer'),
        '10.0.0.5',
        0,
      );

    const asked = new Set(
      Array.from({ length: 10 }, () => cache.missing())
        .flat()
        .map(({ name }) => name),
    );

    expect(asked.size).toBe(200);
    expect(cache.isUnsure).toBe(true);
  });

  it('puts a service together from several packets and asks for what is missing', () => {
    const cache = new ServiceCache('IPv4');
    const all = records('Gate', '10.0.0.5');

    const first = cache.take(
      all.filter(({ kind }) => kind === 'pointer'),
      '10.0.0.5',
      0,
    );
    const questions = cache.missing();
    const second = cache.take(
      all.filter(({ kind }) => kind !== 'pointer'),
      '10.0.0.5',
      100,
    );

    expect(first.heard).toEqual([]);
    expect(questions.map(({ type }) => type)).toEqual(['SRV', 'TXT']);
    expect(second.heard).toMatchObject([{ port: 80, addresses: ['10.0.0.5'] }]);
    expect(cache.missing()).toEqual([]);
  });

  it('takes the sender for the address of a device that never tells one', () => {
    const cache = new ServiceCache('IPv4');
    cache.take(records('Gate', undefined), '10.0.0.7', 0);

    expect(cache.settle(1_000, 2_000)).toEqual([]);
    expect(cache.settle(2_000, 2_000)).toMatchObject([{ addresses: ['10.0.0.7'] }]);
  });

  it('replaces the address of a device that moved instead of adding to it', () => {
    const cache = new ServiceCache('IPv4');
    cache.take(records('Gate', '10.0.0.5'), '10.0.0.5', 0);

    expect(cache.take(records('Gate', '10.0.0.6'), '10.0.0.6', 1_000).heard).toMatchObject([
      { addresses: ['10.0.0.6'] },
    ]);
  });

  // Would catch: two cameras, both delivered as "cam.local", shown at the address of the last to speak.
  it('tells two devices of one host name apart by where they speak from', () => {
    const cache = new ServiceCache('IPv4');
    cache.take(records('One', '10.0.0.1'), '10.0.0.1', 0);
    cache.take(records('Two', '10.0.0.2'), '10.0.0.2', 0);

    expect(
      cache.take(
        records('One', '10.0.0.1').filter(({ kind }) => kind !== 'address'),
        '10.0.0.1',
        1_000,
      ).heard,
    ).toMatchObject([{ addresses: ['10.0.0.1'] }]);
  });

  it('forgets who left three queries unanswered, and nobody before', () => {
    const cache = new ServiceCache('IPv4');
    cache.take(records('Gate', '10.0.0.5', { ttl: 28_800 }), '10.0.0.5', 0);
    for (const now of [1_000, 13_000]) cache.asked(now);

    expect(cache.expire(16_000, LIMITS)).toEqual([]);
    cache.asked(25_000);
    expect(cache.expire(26_000, LIMITS)).toEqual([]);
    expect(cache.expire(27_000, LIMITS)).toEqual([{ service: `Gate.${TYPE}`, reason: 'unanswered' }]);
  });

  // Would catch: every device marked as vanished when the laptop wakes up.
  it('asks once more before it believes that everything ran out', () => {
    const cache = new ServiceCache('IPv4');
    cache.asked(0);
    cache.take(records('Gate', '10.0.0.5'), '10.0.0.5', 10);
    const asleep = 8 * 3600_000;

    expect(cache.expire(asleep, LIMITS)).toEqual([]);
    cache.asked(asleep);
    expect(cache.expire(asleep + 2_000, LIMITS)).toEqual([{ service: `Gate.${TYPE}`, reason: 'expired' }]);
  });

  it('hears a goodbye', () => {
    const cache = new ServiceCache('IPv4');
    cache.take(records('Gate', '10.0.0.5'), '10.0.0.5', 0);

    expect(cache.take(records('Gate', '10.0.0.5', { ttl: 0 }), '10.0.0.5', 5).gone).toEqual([`Gate.${TYPE}`]);
    expect(cache.services()).toEqual([]);
  });

  // Would catch: devices that are left out without notice, or a notice that stays when there is room again.
  it('stays bounded under a flood, and knows that it left some out', () => {
    const cache = new ServiceCache('IPv4');
    const announce = (index: number, extra = {}) =>
      cache.take(records(`n${index}`, '10.0.0.5', { host: `h${index}.local`, ...extra }), '10.0.0.5', 0);
    for (let index = 0; index < 4_096; index += 1) announce(index);
    const atTheLimit = cache.isFull;
    announce(4_096);
    const beyond = [cache.services().length, cache.isFull];
    announce(0, { ttl: 0 });

    expect([atTheLimit, beyond]).toEqual([false, [4_096, true]]);
    expect(cache.isFull).toBe(false);
  });
});

describe('claims', () => {
  it.each([
    [['SerialNumber=AB-4711'], 'serial:ab-4711'],
    [['mac=00:11:22:AA:bb:cc'], 'mac:001122aabbcc'],
    [['mac=00:00:00:00:00:00'], 'name:gate'],
    [['sn=x'], 'name:gate'],
    [[], 'name:gate'],
  ])('%j is %s', (txt, identity) => {
    const cache = new ServiceCache('IPv4');
    expect(claim(cache.take(records('Gate', '10.0.0.5', { txt }), '10.0.0.5', 0).heard[0]).identity).toBe(
      identity,
    );
  });

  it('prefers the address this interface can reach, offers no other, and takes a prefix only from what is one', () => {
    const service = (addresses: readonly string[], path: string): HeardService => ({
      service: `Gate.${TYPE}`,
      secure: false,
      prints: false,
      host: 'h',
      port: 8080,
      addresses,
      texts: new Map([['path', path]]),
    });

    expect(claim(service(['fe80::5', '169.254.3.3', '192.168.7.7', '10.0.0.5'], '/API'))).toMatchObject({
      url: 'http://10.0.0.5:8080',
      pathPrefix: '/API',
      alternatives: [`http://[fe80::5%25${ZONE}]:8080`],
    });
    expect(claim(service(['fe80::5', '192.168.7.7', '169.254.3.3'], '/API'))).toMatchObject({
      url: 'http://192.168.7.7:8080',
      outside: true,
      alternatives: [`http://[fe80::5%25${ZONE}]:8080`],
    });
    expect(claim(service(['10.0.0.5'], '/')).pathPrefix).toBeUndefined();
    expect(claim(service(['10.0.0.5'], '/doc/page/login.asp')).pathPrefix).toBeUndefined();
  });
});

describe('a packet', () => {
  // Would catch: a fifth of a second for each packet of a neighbour, in which the window freezes.
  it('is read only where it answers with no more records than any has', () => {
    const name = Buffer.from(`${'\u0001a'.repeat(120)}\u0000`, 'latin1');
    const asking = (count: number) =>
      Buffer.concat([
        Buffer.from([0, 0, 0, 0, count >> 8, count & 255, 0, 0, 0, 0, 0, 0]),
        name,
        Buffer.from([0, 12, 0, 1]),
        Buffer.alloc(6 * (count - 1), Buffer.from([0xc0, 12, 0, 12, 0, 1])),
      ]);
    const answering = (count: number) => {
      const packet = asking(count);
      packet[2] = 0x84;
      return packet;
    };

    expect([asking(1000), asking(10_000), answering(1000), answering(10_000)].map(sortPacket)).toEqual([
      'query',
      'unreadable',
      'response',
      'unreadable',
    ]);
    expect(sortPacket(encodeQuery([{ name: '_http._tcp.local', type: 'PTR' }]))).toBe('query');
    expect(['', 'GET / HTTP/1.1\r\n\r\n'].map((text) => sortPacket(Buffer.from(text)))).toEqual([
      'unreadable',
      'unreadable',
    ]);
  });
});
