/** Derives findings from the results of a sweep. Pure. */
import type { Finding, SweepReport } from '#shared/discovery.ts';
import { describeFinding } from './finding.ts';

export function listSweepFindings(sweep: SweepReport): Finding[] {
  const found: Finding[] = [];
  const blocked = sweep.errors.filter(({ code }) =>
    ['EACCES', 'EPERM', 'ENETUNREACH', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL'].includes(code),
  );
  if (blocked.length > 0) {
    found.push({
      code: 'sweep-blocked',
      level: 'problem',
      ...describeFinding('doctor.sweep-blocked'),
      subjects: [],
    });
  }
  if (sweep.otherPrefix.length > 0) {
    found.push({
      code: 'other-prefix',
      level: 'problem',
      ...describeFinding('doctor.other-prefix'),
      subjects: sweep.otherPrefix,
    });
  }
  if (sweep.tlsOnly.length > 0) {
    found.push({
      code: 'tls-only',
      level: 'hint',
      ...describeFinding('doctor.tls-only'),
      subjects: sweep.tlsOnly,
    });
  }
  if (sweep.otherWeb.length > 0) {
    found.push({
      code: 'other-prefix',
      level: 'hint',
      ...describeFinding('doctor.other-web'),
      subjects: sweep.otherWeb,
    });
  }
  if (sweep.notHttp.length > 0)
    found.push({
      code: 'not-http',
      level: 'hint',
      ...describeFinding('doctor.not-http'),
      subjects: sweep.notHttp,
    });
  if (sweep.refused > 0) {
    found.push({
      code: 'wrong-port',
      level: 'hint',
      ...describeFinding('doctor.wrong-port'),
      subjects: [],
    });
  }
  if (sweep.found === 0 && !sweep.cancelled && sweep.silent === sweep.total) {
    found.push({
      code: 'sweep-silent',
      level: 'problem',
      ...describeFinding('doctor.sweep-silent'),
      subjects: [],
    });
  }
  return found;
}
