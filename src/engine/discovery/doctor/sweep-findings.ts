/** Derives findings from the results of a sweep. Pure. */
import type { Finding, SweepReport } from '#shared/discovery.ts';
import { createFinding, describeFinding } from './finding.ts';

const BLOCKED = new Set(['EACCES', 'EPERM', 'ENETUNREACH', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL']);

export function listSweepFindings(sweep: SweepReport): Finding[] {
  const found: Finding[] = [];
  if (sweep.errors.some(({ code }) => BLOCKED.has(code)))
    found.push(createFinding('problem', 'sweep-blocked', []));
  if (sweep.otherPrefix.length > 0) found.push(createFinding('problem', 'other-prefix', sweep.otherPrefix));
  if (sweep.tlsOnly.length > 0) found.push(createFinding('hint', 'tls-only', sweep.tlsOnly));
  if (sweep.otherWeb.length > 0)
    found.push({
      ...createFinding('hint', 'other-prefix', sweep.otherWeb),
      ...describeFinding('doctor.other-web'),
    });
  if (sweep.notHttp.length > 0) found.push(createFinding('hint', 'not-http', sweep.notHttp));
  if (sweep.refused > 0) found.push(createFinding('hint', 'wrong-port', []));
  if (sweep.found === 0 && !sweep.cancelled && sweep.silent === sweep.total)
    found.push(createFinding('problem', 'sweep-silent', []));
  return found;
}
