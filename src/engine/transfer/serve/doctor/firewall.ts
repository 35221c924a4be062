/** Finds out whether a firewall of this computer keeps devices out, as far as it shows without rights. */
import type { SystemView } from './system.ts';

export interface FirewallState {
  /** `closed`: nothing gets in, whatever is allowed. `on`: what is not allowed stays out. */
  readonly state: 'off' | 'on' | 'closed' | 'unknown';
  /** Name of the firewall on its system. */
  readonly name: string;
}

export async function lookAtFirewall(view: SystemView): Promise<FirewallState> {
  switch (view.platform) {
    case 'win32': {
      const [profiles, policy] = await Promise.all([
        // Written the same in every language, which the words of netsh are not.
        view.run('reg', [
          'query',
          'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy',
          '/s',
          '/v',
          'EnableFirewall',
        ]),
        view.run('netsh', ['advfirewall', 'show', 'currentprofile', 'firewallpolicy']),
      ]);
      return parseWindowsFirewall(profiles, policy);
    }
    case 'darwin': {
      const [state, all] = await Promise.all([
        view.run('socketfilterfw', ['--getglobalstate']),
        view.run('socketfilterfw', ['--getblockall']),
      ]);
      return parseMacFirewall(state, all);
    }
    default: {
      const [ufw, services, rules] = await Promise.all([
        view.readText('/etc/ufw/ufw.conf'),
        view.run('systemctl', ['is-active', 'ufw', 'firewalld']),
        view.run('nft', ['list', 'ruleset']),
      ]);
      return parseLinuxFirewall({ ufw, services, rules });
    }
  }
}

/** `profiles`: the values `EnableFirewall`; `policy`: of netsh, whose value alone is the same in every language. */
export function parseWindowsFirewall(
  profiles: string | undefined,
  policy: string | undefined,
): FirewallState {
  const name = 'Windows Defender Firewall';
  if (/\bBlockInboundAlways\b/i.test(policy ?? '')) return { state: 'closed', name };
  const values = [...(profiles ?? '').matchAll(/EnableFirewall\s+REG_DWORD\s+0x([0-9a-f]+)/gi)];
  if (values.length === 0) return { state: 'unknown', name };
  return { state: values.some(([, value = '0']) => Number.parseInt(value, 16) !== 0) ? 'on' : 'off', name };
}

export function parseMacFirewall(state: string | undefined, all: string | undefined): FirewallState {
  const name = 'macOS';
  const number = /State\s*=\s*(\d)/i.exec(state ?? '')?.[1];
  if (number === '2' || /block all[^\n]*\b(enabled|on)\b/i.test(all ?? '')) return { state: 'closed', name };
  if (number === undefined) return { state: 'unknown', name };
  return { state: number === '0' ? 'off' : 'on', name };
}

/**
 * Parses Linux firewalls. `services`: a line with the state of ufw and firewalld each; `rules`: those of
 * nftables, if they may be read.
 */
export function parseLinuxFirewall({
  ufw,
  services,
  rules,
}: {
  readonly ufw: string | undefined;
  readonly services: string | undefined;
  readonly rules: string | undefined;
}): FirewallState {
  const [, firewalld] = (services ?? '').split('\n').map((line) => line.trim());
  if (firewalld === 'active') return { state: 'on', name: 'firewalld' };
  const isUfw = /^\s*ENABLED\s*=\s*"?yes"?\s*$/im.test(ufw ?? '');
  if (isUfw) return { state: 'on', name: 'ufw' };
  if (rules !== undefined) {
    const input = /hook input[^}]*/g;
    const closes = [...rules.matchAll(input)].some(([chain]) => /policy drop|\b(drop|reject)\b/.test(chain));
    return { state: closes ? 'on' : 'off', name: 'nftables' };
  }
  return { state: 'unknown', name: 'Linux' };
}
