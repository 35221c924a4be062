/** `device probe`: how an address can be reached; sends no sign-in and adds nothing. */
import type { Action } from '#cli/declarations/all.ts';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { ProbeFinding, ProbeReport } from '#shared/access.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import { cleanLine } from '#cli/output/clean.ts';

export const probeDevice: Action<'device probe'> = async (invocation, address) => {
  const engine = await invocation.open();
  const report = await engine.devices.probe({ address }, invocation.interrupts.signal);
  return {
    json: report,
    text: () => print(invocation, report),
    code: report.findings.length > 0 ? EXIT.done : EXIT.unreachable,
  };
};

/** Finds the best way in. @throws `unreachable`, or `not-found` if something else answers */
export async function findBestProbe(
  { interrupts }: Invocation,
  engine: Engine,
  address: string,
): Promise<ProbeFinding> {
  const {
    findings: [best],
    tried,
  } = await engine.devices.probe({ address }, interrupts.signal);
  if (best !== undefined) return best;
  const answers = tried.some(
    ({ result }) => result === 'not-found' || result === 'other-web' || result === 'not-http',
  );
  throw new FieldwrightError({
    code: answers ? 'not-found' : 'unreachable',
    source: 'device',
    device: address,
    ...(answers ? say('cli.other-interface') : say('cli.nothing-answers')),
  });
}

/** Returns the parts of a connection profile that were found out; a sign-in that is asked for anywhere proves none. */
export function toProbedProfile(finding: ProbeFinding | undefined): Partial<ConnectionProfile> {
  if (finding?.recognised !== 'interface') return {};
  return {
    pathPrefix: finding.pathPrefix,
    ...removeUndefined({ namespace: finding.namespace }),
  };
}

const FOUND = {
  interface: 'cli.probe.recognised',
  'sign-in': 'cli.found-sign-in',
  'not-activated': 'cli.probe.not-activated',
} as const satisfies Record<ProbeFinding['recognised'], string>;

function print({ out }: Invocation, { findings, tried }: ProbeReport): void {
  if (findings.length > 0)
    out.table(findings, {
      ADDRESS: 'url',
      PREFIX: 'pathPrefix',
      FOUND: ({ recognised }) => out.say(FOUND[recognised]),
      'SIGN-IN': ({ offers }) => offers.join(', ') || '—',
      NAMESPACE: { value: 'namespace', flexible: true },
    });
  for (const { url, pathPrefix, result, to = '' } of tried)
    out.note(`${url}${pathPrefix ?? ''}: ${out.say(`cli.probe.${result}`, { to: cleanLine(to) })}`);
}
