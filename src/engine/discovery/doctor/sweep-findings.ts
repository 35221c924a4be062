/** What a sweep met and what it means. Pure. */
import type { Finding, SweepReport } from '../../../shared/discovery.ts';

export function sweepFindings(sweep: SweepReport): Finding[] {
  const found: Finding[] = [];
  const ports = sweep.ports.join(', ');
  const blocked = sweep.errors.filter(({ code }) =>
    ['EACCES', 'EPERM', 'ENETUNREACH', 'EMFILE', 'EADDRNOTAVAIL'].includes(code),
  );
  if (blocked.length > 0) {
    found.push({
      code: 'sweep-blocked',
      level: 'problem',
      message: `The operating system refused connections to ${sweep.cidr} (${blocked.map(({ code }) => code).join(', ')}).`,
      next: 'Check the firewall of this computer and whether it has a route to that network.',
      subjects: [],
    });
  }
  if (sweep.otherPrefix.length > 0) {
    found.push({
      code: 'other-prefix',
      level: 'problem',
      message: `${sweep.otherPrefix.length} ${sweep.otherPrefix.length === 1 ? 'device speaks' : 'devices speak'} this interface below another path than ${sweep.prefixes.join(', ')}.`,
      next: 'Look up the first path segment in the manual of the device and set it as path prefix.',
      subjects: sweep.otherPrefix,
    });
  }
  if (sweep.tlsOnly.length > 0) {
    found.push({
      code: 'tls-only',
      level: 'hint',
      message: `${sweep.tlsOnly.length} ${sweep.tlsOnly.length === 1 ? 'device answers' : 'devices answer'} encrypted only.`,
      next: 'Add them with https:// and accept their certificate after comparing its fingerprint.',
      subjects: sweep.tlsOnly,
    });
  }
  if (sweep.otherWeb.length > 0) {
    found.push({
      code: 'other-prefix',
      level: 'hint',
      message: `${sweep.otherWeb.length} ${sweep.otherWeb.length === 1 ? 'web server does' : 'web servers do'} not answer as this interface below ${sweep.prefixes.join(', ')}.`,
      next: 'If one of them is the device, it uses another path prefix; otherwise leave it alone.',
      subjects: sweep.otherWeb,
    });
  }
  if (sweep.notHttp.length > 0)
    found.push({
      code: 'not-http',
      level: 'hint',
      message: `${sweep.notHttp.length} open ${sweep.notHttp.length === 1 ? 'port speaks' : 'ports speak'} neither HTTP nor HTTPS.`,
      next: 'Another service lives there; look for the web port in the settings of the device.',
      subjects: sweep.notHttp,
    });
  if (sweep.refused > 0) {
    found.push({
      code: 'wrong-port',
      level: 'hint',
      message: `${sweep.refused} ${sweep.refused === 1 ? 'host is' : 'hosts are'} there but ${sweep.refused === 1 ? 'refuses' : 'refuse'} the ports ${ports}.`,
      next: 'The web service may use another port or be switched off; sweep with the port from the settings of the device.',
      subjects: [],
    });
  }
  if (sweep.found === 0 && !sweep.cancelled && sweep.silent === sweep.total) {
    found.push({
      code: 'sweep-silent',
      level: 'problem',
      message: `None of the ${sweep.total} addresses in ${sweep.cidr} gave any sign at the ports ${ports}.`,
      next: 'Check that this is the network of the devices, that the cable leads there, and that no firewall stands between.',
      subjects: [],
    });
  }
  return found;
}
