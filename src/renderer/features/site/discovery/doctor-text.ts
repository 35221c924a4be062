import { FINDING_ACTIONS, type DoctorReport, type Finding, type InterfaceReport } from '#shared/discovery.ts';
import { formatDetailWithHint } from '#renderer/common/labels/detail-text.ts';
import { reveal } from '#renderer/common/labels/format.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/** Action on a finding, with what it is filled in with. */
export type DoctorAction =
  | { readonly kind: 'sweep'; readonly cidr: string | undefined }
  | { readonly kind: 'add'; readonly address: string | undefined }
  | { readonly kind: 'again' };

const SMALLEST_SWEEP = 20;

/** The network of the interface that the finding is about, where one sweep can take it. */
function networkOf(finding: Finding, interfaces: readonly InterfaceReport[]): string | undefined {
  const found = interfaces.find(({ name, family }) => name === finding.interface && family === 'IPv4');
  return found !== undefined && Number(found.network.split('/')[1]) >= SMALLEST_SWEEP
    ? found.network
    : undefined;
}

/** An address among the subjects that can be typed into the dialog as it is. */
function addressOf({ code, subjects }: Finding): string | undefined {
  return code === 'tls-only' || code === 'other-prefix' ? subjects[0] : undefined;
}

export function listDoctorActions(
  finding: Finding,
  interfaces: readonly InterfaceReport[],
): readonly DoctorAction[] {
  return FINDING_ACTIONS[finding.code].map((kind) => {
    if (kind === 'sweep') return { kind, cidr: networkOf(finding, interfaces) };
    return kind === 'add' ? { kind, address: addressOf(finding) } : { kind };
  });
}

/** Words of a finding in the language of the screen; what the network itself said stays as it is. */
export function formatDoctorFinding({ detail, message, next }: Finding): {
  readonly title: string;
  readonly next: string;
} {
  const words = formatDetailWithHint(detail) ?? { message, hint: next };
  return { title: words.message, next: words.hint ?? '' };
}

export function formatInterface(report: InterfaceReport, t: Translate): string {
  if (report.state === 'skipped') return t(`doctor.skipped.${report.reason ?? 'not-chosen'}`);
  const errors = report.errors.map(({ code, times }) => `${code} × ${times}`).join(', ');
  return [
    t('doctor.sent', { n: report.queriesSent }),
    ...(report.queriesFailed > 0 ? [t('doctor.notSent', { n: report.queriesFailed })] : []),
    t('doctor.heard', { n: report.packetsHeard, senders: report.senders }),
    t('doctor.own', { n: report.ownPackets }),
    t('doctor.services', { n: report.services }),
    ...(report.unreadable > 0 ? [t('doctor.unreadable', { n: report.unreadable })] : []),
    ...(errors === '' ? [] : [errors]),
  ].join(' · ');
}

/** The whole report as text for a colleague, in the language of the screen: addresses and names, never a secret. */
export function reportText(report: DoctorReport, t: Translate): string {
  const { sweep } = report;
  return [
    `${t('doctor.title')} · ${report.at}`,
    t('doctor.devices', { present: report.devices, vanished: report.vanished }),
    '',
    t('doctor.interfaces'),
    ...report.interfaces.flatMap((each) => [
      `  ${each.name} ${each.family} ${each.address} (${each.network}): ${t(`doctor.state.${each.state}`)}`,
      `    ${formatInterface(each, t)}`,
    ]),
    ...(sweep === undefined
      ? []
      : [
          '',
          `${t('doctor.sweep', { cidr: sweep.cidr, ports: sweep.ports.join(', '), prefixes: sweep.prefixes.join(', ') })}`,
          `  ${sweep.done} / ${sweep.total}; ${t('sweep.found', { n: sweep.found })}`,
        ]),
    '',
    t('doctor.findings'),
    ...report.findings.flatMap((finding) => {
      const { title, next } = formatDoctorFinding(finding);
      return [
        `  [${t(`doctor.level.${finding.level}`)}] ${title}`,
        `    ${next}`,
        ...finding.subjects.map((subject) => `    - ${reveal(subject).replace(/\s+/g, ' ').slice(0, 200)}`),
      ];
    }),
    '',
  ].join('\n');
}
