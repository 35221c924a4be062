/** `discover`: devices of the network as they are seen, and why others may be invisible. */
import type { Action } from '#cli/declarations/all.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, isOutOfFiles, toErrorShape } from '#shared/errors.ts';
import {
  isOtherWeb,
  type DiscoveryEvent,
  type DoctorReport,
  type FindingCode,
  type Sighting,
} from '#shared/discovery.ts';
import type { DiscoveryOptions } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { DEVICE } from '#cli/declarations/device.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { padText } from '#cli/output/width.ts';
import { createUsageError } from '#cli/usage.ts';

/** Findings of the doctor that a person has to know before the search: Windows asks in a moment, or no more. */
const SAID_AT_ONCE: ReadonlySet<string> = new Set([
  'firewall-asks',
  'firewall-blocks',
] satisfies FindingCode[]);

type DiscoverOptions = OptionsOf<typeof DEVICE.discover>;

function toEngineOptions({
  seconds,
  interface: interfaces,
  sweep: cidr,
  ports,
  force,
  prefix,
}: DiscoverOptions): DiscoveryOptions {
  if (cidr === undefined && (ports !== undefined || force === true))
    throw createUsageError(say('cli.with-sweep'), { path: ports === undefined ? '--force' : '--ports' });
  return {
    seconds,
    // The doctor is asked in any case: what it knows to be missing is printed without `--doctor` too.
    doctor: true,
    interfaces,
    prefixes: prefix === undefined ? undefined : [prefix],
    sweep: cidr === undefined ? undefined : { cidr, force: force === true, ports },
  };
}

/**
 * Prints devices as they are seen. Ends with 0 also if nothing was found: that is an answer, and the doctor says why.
 * @throws too-many-files if some of the network could not be asked
 */
export const discover: Action<'discover'> = async (invocation, options) => {
  const { out, interrupts } = invocation;
  const search = toEngineOptions(options);
  const seen = new Set<string>();
  const others = new Set<string>();
  const said = new Set<string>();
  let report: DoctorReport | undefined;
  const engine = await invocation.open();
  for await (const event of engine.discovery.watch(search, interrupts.signal)) {
    if (event.type === 'doctor') {
      report = event.report;
      for (const { code, detail } of report.findings)
        if (SAID_AT_ONCE.has(code) && !said.has(code)) {
          said.add(code);
          out.note(out.sentence(detail));
        }
      continue;
    }
    const isLeftOut = options.all !== true && 'sighting' in event && isOtherWeb(event.sighting);
    // A sighting that was printed before is followed by what it turned out to be.
    if (!isLeftOut || seen.has(event.sighting.identity)) show(event, invocation);
    if (event.type === 'sighting') {
      (isLeftOut ? others : seen).add(event.sighting.identity);
      (isLeftOut ? seen : others).delete(event.sighting.identity);
    }
    if (event.type === 'merged') for (const identities of [seen, others]) identities.delete(event.identity);
  }
  out.endProgress();
  if (others.size > 0 && out.asJson) out.jsonLine({ type: 'others', count: others.size });
  if (report !== undefined && options.doctor === true) printReport(report, out);
  else
    for (const { code, detail } of report?.findings ?? [])
      if (code === 'too-many-services') out.note(out.sentence(detail));
  if (others.size > 0) out.note(out.say('cli.others-hidden', { count: others.size }));
  const unopened = [...(report?.interfaces ?? []), ...(report?.sweep === undefined ? [] : [report.sweep])]
    .flatMap(({ errors }) => errors)
    .find((error) => isOutOfFiles(error));
  // A search that could not look everywhere does not know that there is nothing.
  if (unopened !== undefined) throw new FieldwrightError(toErrorShape(unopened));
  if (seen.size === 0)
    out.note(options.doctor === true ? out.say('cli.none-found') : out.say('cli.none-found-how'));
  else if (!out.asJson) out.note(out.say('cli.found', { devices: out.devices(seen.size) }));
  return interrupts.signal.aborted ? EXIT.interrupted : EXIT.done;
};

function printReport(report: DoctorReport, out: Invocation['out']): void {
  if (out.asJson) out.jsonLine({ type: 'doctor', ...report });
  else for (const line of ['', ...report.text.trimEnd().split('\n')]) out.line(cleanLine(line));
}

function show(event: Exclude<DiscoveryEvent, { type: 'doctor' }>, { out }: Invocation): void {
  switch (event.type) {
    case 'sweep':
      out.progress(
        event.progress.ended
          ? ''
          : out.say('cli.sweep', {
              done: event.progress.done,
              total: event.progress.total,
              cidr: event.progress.cidr,
              found: event.progress.found,
            }),
      );
      return;
    case 'merged':
      if (out.asJson) out.jsonLine(event);
      return;
    case 'vanished':
      if (out.asJson) out.jsonLine({ type: 'vanished', reason: event.reason, ...event.sighting });
      else
        printSighting(
          event.sighting,
          out.paint.warn(out.say('cli.vanished', { reason: out.say(`cli.vanished.${event.reason}`) })),
          out,
        );
      return;
    case 'sighting':
      if (out.asJson) out.jsonLine({ type: 'sighting', ...event.sighting });
      else
        printSighting(
          event.sighting,
          remarks(event.sighting, out)
            .map((text) => out.paint.warn(text))
            .join(', '),
          out,
        );
  }
}

function printSighting(sighting: Sighting, remark: string, out: Invocation['out']): void {
  const { name, url, via } = sighting;
  out.endProgress();
  // Addresses are never cut; rows come as they are seen, so the widths are fixed.
  out.line(
    [padText(cleanLine(name), 28), padText(cleanLine(url), 30), cleanLine(via), remark].join('  ').trimEnd(),
  );
}

function remarks(sighting: Sighting, out: Invocation['out']): string[] {
  return [
    ...(isOtherWeb(sighting) ? [out.say('cli.other-web')] : []),
    ...(sighting.outside === true ? [out.say('cli.outside')] : []),
    ...(sighting.previousUrl === undefined
      ? []
      : [out.say('cli.moved', { url: cleanLine(sighting.previousUrl) })]),
    ...sighting.conflicts.map((conflict) =>
      conflict.kind === 'address'
        ? out.say('cli.also-claimed', { name: cleanLine(conflict.with) })
        : out.say('cli.also-announced', { url: cleanLine(conflict.with) }),
    ),
  ];
}
