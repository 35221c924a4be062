import { describe, expect, it } from 'vitest';
import type { InterfaceAddress } from '#engine/discovery/types.ts';
import {
  parseLinuxFirewall,
  parseMacFirewall,
  parseWindowsFirewall,
} from '#engine/transfer/serve/doctor/firewall.ts';
import { pullFindings, type PullEvidence } from '#engine/transfer/serve/doctor/judge.ts';
import { parseLinuxSleep, parseMacSleep, parseWindowsSleep } from '#engine/transfer/serve/doctor/sleep.ts';
import { thisComputer, type SystemView } from '#engine/transfer/serve/doctor/system.ts';
import {
  parseLinuxDefault,
  parseMacDefault,
  findTunnels,
  parseWindowsDefault,
} from '#engine/transfer/serve/doctor/vpn.ts';
import { pullDoctor } from '#engine/transfer/serve/pull-doctor.ts';
import { door } from './offer.ts';

const REG = (domain: number, standard: number, open: number): string =>
  `\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy\\DomainProfile\r\n    EnableFirewall    REG_DWORD    0x${domain}\r\n\r\nHKEY_LOCAL_MACHINE\\…\\StandardProfile\r\n    EnableFirewall    REG_DWORD    0x${standard}\r\n\r\nHKEY_LOCAL_MACHINE\\…\\PublicProfile\r\n    EnableFirewall    REG_DWORD    0x${open}\r\n\r\n搜索结束: 找到 3 匹配。\r\n`;

describe('firewalls as they tell of themselves', () => {
  it.each([
    ['one profile on', REG(0, 0, 1), undefined, 'on'],
    ['all off', REG(0, 0, 0), undefined, 'off'],
    // Chinese and German systems write everything else in their own words
    [
      'everything kept out',
      REG(1, 1, 1),
      '防火墙策略          BlockInboundAlways,AllowOutbound\r\n',
      'closed',
    ],
    ['an ordinary policy', REG(1, 1, 1), 'Firewallrichtlinie   BlockInbound,AllowOutbound\r\n', 'on'],
    ['nothing to be had', undefined, undefined, 'unknown'],
  ])('Windows, %s', (_name, profiles, policy, state) => {
    expect(parseWindowsFirewall(profiles, policy).state).toBe(state);
  });

  it.each([
    ['Firewall is enabled. (State = 1)\n', 'Firewall has block all state set to disabled.\n', 'on'],
    ['Firewall is disabled. (State = 0)\n', 'Block all DISABLED! \n', 'off'],
    ['Firewall is enabled. (State = 2)\n', undefined, 'closed'],
    ['Firewall is enabled. (State = 1)\n', 'Firewall has block all state set to enabled.\n', 'closed'],
    [undefined, undefined, 'unknown'],
  ])('macOS: %j', (state, all, expected) => {
    expect(parseMacFirewall(state, all).state).toBe(expected);
  });

  const open =
    'table inet filter {\n\tchain input {\n\t\ttype filter hook input priority filter; policy accept;\n\t}\n}\n';
  it.each([
    [
      'ufw',
      { ufw: '# comment\nENABLED=yes\nLOGLEVEL=low\n', services: 'active\ninactive\n', rules: undefined },
      'on',
      'ufw',
    ],
    [
      'ufw switched off and no more to be seen',
      { ufw: 'ENABLED=no\n', services: 'active\ninactive\n', rules: undefined },
      'unknown',
      'Linux',
    ],
    ['firewalld', { ufw: undefined, services: 'inactive\nactive\n', rules: undefined }, 'on', 'firewalld'],
    [
      'rules that drop',
      { ufw: undefined, services: undefined, rules: open.replace('policy accept', 'policy drop') },
      'on',
      'nftables',
    ],
    [
      'rules that reject some',
      {
        ufw: undefined,
        services: undefined,
        rules: open.replace(';\n\t}', ';\n\t\ttcp dport 1-65535 reject\n\t}'),
      },
      'on',
      'nftables',
    ],
    ['rules that let in', { ufw: undefined, services: undefined, rules: open }, 'off', 'nftables'],
    ['nothing to be had', { ufw: undefined, services: undefined, rules: undefined }, 'unknown', 'Linux'],
  ])('Linux, %s', (_name, seen, state, name) => {
    expect(parseLinuxFirewall(seen)).toEqual({ state, name });
  });
});

describe('when a computer goes to sleep', () => {
  const power = (mains: string, battery: string): string =>
    `电源方案 GUID: 381b4222-f694-41f0-9685-ff5bb260df2e  (平衡)\r\n    最小可能的设置: 0x00000000\r\n    最大可能的设置: 0xffffffff\r\n    可能的设置增量: 0x00000001\r\n    当前交流电源设置索引: ${mains}\r\n    当前直流电源设置索引: ${battery}\r\n`;
  it.each([
    [power('0x00000708', '0x00000384'), 15],
    [power('0x00000000', '0x00000384'), 15],
    [power('0x00000000', '0x00000000'), 0],
    [undefined, undefined],
  ])('Windows %#', (text, minutes) => {
    expect(parseWindowsSleep(text)).toBe(minutes);
  });

  it.each([
    [
      'System-wide power settings:\nCurrently in use:\n standby              1\n displaysleep         10\n sleep                1 (sleep prevented by powerd)\n',
      1,
    ],
    [' sleep                0\n disksleep            10\n', 0],
    ['nothing of the kind', undefined],
  ])('macOS %#', (text, minutes) => {
    expect(parseMacSleep(text)).toBe(minutes);
  });

  it.each([
    [{ target: 'masked\n', type: "'suspend'", seconds: '1200' }, 0],
    [{ target: 'static\n', type: "'nothing'\n", seconds: '1200\n' }, 0],
    [{ target: 'static\n', type: "'suspend'\n", seconds: 'uint32 1200\n' }, 20],
    [{ target: undefined, type: undefined, seconds: undefined }, undefined],
  ])('Linux %#', (seen, minutes) => {
    expect(parseLinuxSleep(seen)).toBe(minutes);
  });
});

function entry(name: string, address: string, extra: Partial<InterfaceAddress> = {}): InterfaceAddress {
  return { name, family: 'IPv4', address, cidr: `${address}/24`, internal: false, ...extra };
}

describe('where everything goes', () => {
  it('is the cheapest default route of Linux', () => {
    const table =
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\neth0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\ntun0\t00000000\t01000A0A\t0003\t0\t0\t50\t00000000\t0\t0\t0\neth0\t0002A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n';

    expect([parseLinuxDefault(table), parseLinuxDefault(undefined)]).toEqual(['tun0', undefined]);
  });

  it('is named by macOS, and by its address on Windows', () => {
    const windows =
      '===========\r\nIPv4 路由表\r\n活动路由:\r\n          0.0.0.0          0.0.0.0      192.168.2.1     192.168.2.20     35\r\n          0.0.0.0          0.0.0.0         10.8.0.1         10.8.0.6      5\r\n';

    expect(parseMacDefault('   route to: default\n  gateway: 192.168.2.1\n  interface: en0\n')).toBe('en0');
    expect(
      parseWindowsDefault(windows, [
        entry('以太网', '192.168.2.20'),
        entry('OpenVPN TAP-Windows6', '10.8.0.6'),
      ]),
    ).toBe('OpenVPN TAP-Windows6');
  });

  it('tunnels are known by their names, those of macOS only when in use', () => {
    const tunnels = findTunnels([
      entry('eth0', '192.168.2.20'),
      entry('wlan0', '192.168.3.20'),
      entry('docker0', '172.17.0.1'),
      entry('wg0', '10.0.0.2'),
      entry('utun3', 'fe80::1', { family: 'IPv6' }),
      entry('utun4', '100.64.0.3'),
      entry('Cisco AnyConnect', '10.1.1.1'),
    ]);

    expect([...tunnels]).toEqual(['wg0', 'utun4', 'Cisco AnyConnect']);
  });
});

describe('what is found', () => {
  const route = { local: '192.168.2.20', peer: '192.168.2.50', reached: true };
  const well: PullEvidence = {
    interfaces: [entry('eth0', '192.168.2.20')],
    ways: [{ url: 'http://192.168.2.50', route }],
    tried: [{ address: '192.168.2.20', port: 47_850, works: true }],
    firewall: { state: 'off', name: 'nftables' },
    sleep: 0,
    tunnels: new Set(),
    defaultInterface: 'eth0',
  };
  const found = (changes: Partial<PullEvidence>) =>
    pullFindings({ ...well, ...changes }).map(({ tone, id }) => `${tone} ${id}`);

  it('nothing speaks against it', () => {
    const findings = pullFindings(well);

    expect(findings.map(({ id }) => id)).toEqual([
      'pull.own-works',
      'pull.same-network',
      'pull.firewall-off',
      'pull.no-sleep',
    ]);
    expect(findings.every(({ tone }) => tone === 'good')).toBe(true);
  });

  it.each<[string, Partial<PullEvidence>, string]>([
    ['no way', { ways: [{ url: 'http://10.9.9.9' }] }, 'danger pull.no-way'],
    [
      'a device that is off',
      { ways: [{ url: 'u', route: { ...route, reached: false } }] },
      'warning pull.away',
    ],
    ['a router', { ways: [{ url: 'u', route: { ...route, peer: '10.1.1.1' } }] }, 'warning pull.routed'],
    ['a VPN between', { tunnels: new Set(['eth0']) }, 'danger pull.over-vpn'],
    ['a VPN beside', { tunnels: new Set(['wg0']) }, 'warning pull.vpn'],
    [
      'a VPN that takes all',
      { tunnels: new Set(['wg0']), defaultInterface: 'wg0' },
      'warning pull.vpn-takes-all',
    ],
    ['no port', { tried: [{ address: '192.168.2.20', works: false }] }, 'danger pull.own-fails'],
    ['a firewall', { firewall: { state: 'on', name: 'ufw' } }, 'warning pull.firewall-command'],
    ['a closed firewall', { firewall: { state: 'closed', name: 'macOS' } }, 'danger pull.firewall-closed'],
    [
      'what cannot be told',
      { firewall: { state: 'unknown', name: 'Linux' } },
      'warning pull.firewall-unknown',
    ],
    ['sleep', { sleep: 10 }, 'warning pull.sleep'],
    ['sleep that cannot be told', { sleep: undefined }, 'warning pull.sleep-unknown'],
    [
      'nobody called',
      { waiting: { served: { requests: 0 }, address: '192.168.2.20', peer: '192.168.2.50' } },
      'danger pull.never-called',
    ],
    [
      'somebody else called',
      {
        waiting: {
          served: { requests: 0, stranger: { address: '10.0.0.7', count: 1, at: '' } },
          address: '192.168.2.20',
          peer: '192.168.2.50',
        },
      },
      'danger pull.elsewhere',
    ],
    [
      'the address has gone',
      { waiting: { served: { requests: 0 }, address: '192.168.9.9', peer: '192.168.2.50' } },
      'danger pull.address-gone',
    ],
  ])('%s is said, with what to do', (_name, changes, expected) => {
    expect(found(changes)).toContain(expected);
    const finding = pullFindings({ ...well, ...changes }).find(({ id }) => expected.endsWith(` ${id}`));
    expect(finding?.hint).toMatch(/\w/);
  });

  it('dangers stand first', () => {
    expect(found({ sleep: 10, ways: [{ url: 'u' }] })[0]).toMatch(/^danger/);
  });

  it('a firewall is no matter between programs of one computer', () => {
    const local = { local: '127.0.0.1', peer: '127.0.0.1', reached: true };

    expect(found({ ways: [{ url: 'u', route: local }], firewall: { state: 'on', name: 'ufw' } })).toEqual([
      'good pull.own-works',
      'good pull.same-network',
      'good pull.no-sleep',
    ]);
  });
});

describe('the doctor on this very computer', () => {
  const nothing: SystemView = {
    ...thisComputer,
    run: () => Promise.resolve(undefined),
    rules: () => Promise.resolve({ state: 'unknown' }),
    readText: () => Promise.resolve(undefined),
  };

  it('opens a port and fetches from itself', async () => {
    const findings = await pullDoctor({ devices: [{ url: await door() }], view: nothing });

    expect(findings.find(({ id }) => id === 'pull.own-works')?.detail.values).toMatchObject({
      address: '127.0.0.1',
      port: expect.any(Number) as number,
    });
  });

  it('is cancelled', async () => {
    const cancelled = pullDoctor({ devices: [], view: nothing, signal: AbortSignal.abort() });

    await expect(cancelled).rejects.toMatchObject({ shape: { code: 'cancelled' } });
  });
});
