/** The doctor's report as text that can be sent to a colleague: addresses and names, never a secret. Pure. */
import type { DoctorReport, InterfaceReport, SkipReason } from '#shared/discovery.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';

export function reportText(report: Omit<DoctorReport, 'text'>): string {
  const lines = [
    `Discovery report, ${report.at} (searched since ${report.startedAt})`,
    `Devices: ${report.devices} present, ${report.vanished} vanished`,
    ...(report.others === 0 ? [] : [`Printers and other web services: ${report.others}`]),
    '',
    'Interfaces',
    ...(report.interfaces.length === 0 ? ['  none was searched'] : report.interfaces.flatMap(interfaceLines)),
  ];
  if (report.sweep !== undefined) {
    const { cidr, ports, prefixes, total, done, found, silent, refused, cancelled } = report.sweep;
    lines.push(
      '',
      `Sweep of ${cidr}, ports ${ports.join(', ')}, below ${prefixes.join(', ')}`,
      `  ${done} of ${total} addresses asked${cancelled ? ', then cancelled' : ''}; ${found} devices, ${silent} silent, ${refused} refusing`,
    );
  }
  lines.push('', 'Findings');
  for (const finding of report.findings) {
    lines.push(`  [${finding.level}] ${finding.message}`, `    Next: ${finding.next}`);
    for (const subject of finding.subjects) lines.push(`    - ${oneLine(subject)}`);
  }
  if (report.findings.length === 0) lines.push('  none');
  return `${lines.join('\n')}\n`;
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'not-chosen': 'not chosen',
  'not-link-local': 'announcements over IPv6 are heard by the link-local address of the interface',
  'further-address': 'listened on by the first address of the interface',
};
const STATES: Readonly<Record<InterfaceReport['state'], string>> = {
  listening: 'listening',
  failed: 'failed',
  skipped: 'left out',
  gone: 'gone',
};

function interfaceLines(report: InterfaceReport): string[] {
  const head = `  ${report.name} ${report.family} ${report.address} (network ${report.network}): ${STATES[report.state]}${report.reason === undefined ? '' : `: ${SKIPPED[report.reason]}`}`;
  if (report.state === 'skipped') return [head];
  const errors = report.errors.map(({ code, times }) => `${code} x${times}`).join(', ');
  return [
    head,
    `    sent ${report.queriesSent} ${report.queriesSent === 1 ? 'query' : 'queries'}${report.queriesFailed === 0 ? '' : `, ${report.queriesFailed} could not leave`}`,
    `    heard ${report.packetsHeard} packets from ${report.senders} ${report.senders === 1 ? 'other' : 'others'}, ${report.ownPackets} of this computer, ${report.unreadable} unreadable; ${report.answers} answers name web services, ${report.services} known now`,
    ...(errors === '' ? [] : [`    errors: ${errors}`]),
  ];
}

/** Names come from the network: one line, nothing a terminal would obey, no more than a line's worth. */
function oneLine(text: string): string {
  return replaceUnseen(text, () => ' ').slice(0, 200);
}
