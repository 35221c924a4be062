/** What a sweep met and what it means. Pure. */
import type { Finding, SweepReport } from '#shared/discovery.ts';
import { finding } from './finding.ts';

export function sweepFindings(sweep: SweepReport): Finding[] {
  const found: Finding[] = [];
  const blocked = sweep.errors.filter(({ code }) =>
    ['EACCES', 'EPERM', 'ENETUNREACH', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL'].includes(code),
  );
  if (blocked.length > 0) {
    found.push({
      code: 'sweep-blocked',
      level: 'problem',
      ...finding('doctor.sweep-blocked'),
      subjects: [],
    });
  }
  if (sweep.otherPrefix.length > 0) {
    found.push({
      code: 'other-prefix',
      level: 'problem',
      ...finding('doctor.other-prefix'),
      subjects: sweep.otherPrefix,
    });
  }
  if (sweep.tlsOnly.length > 0) {
    found.push({
      code: 'tls-only',
      level: 'hint',
      ...finding('doctor.tls-only'),
      subjects: sweep.tlsOnly,
    });
  }
  if (sweep.otherWeb.length > 0) {
    found.push({
      code: 'other-prefix',
      level: 'hint',
      ...finding('doctor.other-web'),
      subjects: sweep.otherWeb,
    });
  }
  if (sweep.notHttp.length > 0)
    found.push({
      code: 'not-http',
      level: 'hint',
      ...finding('doctor.not-http'),
      subjects: sweep.notHttp,
    });
  if (sweep.refused > 0) {
    found.push({
      code: 'wrong-port',
      level: 'hint',
      ...finding('doctor.wrong-port'),
      subjects: [],
    });
  }
  if (sweep.found === 0 && !sweep.cancelled && sweep.silent === sweep.total) {
    found.push({
      code: 'sweep-silent',
      level: 'problem',
      ...finding('doctor.sweep-silent'),
      subjects: [],
    });
  }
  return found;
}
