/** `discover`: devices of the network as they are seen, and why others may be invisible. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError, isOutOfFiles, toErrorShape } from '#shared/errors.ts';
import { isOtherWeb, type DiscoveryEvent, type DoctorReport, type Sighting } from '#shared/discovery.ts';
import type { DiscoveryOptions } from '#engine/api.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { padText } from '#cli/output/width.ts';
import { createUsageError, parseWholeNumber } from '#cli/usage.ts';

interface DiscoverOptions {
  readonly seconds?: string;
  readonly interface?: readonly string[];
  readonly sweep?: string;
  readonly ports?: string;
  readonly force?: boolean;
  readonly prefix?: string;
  readonly all?: boolean;
  readonly doctor?: boolean;
}

/** Three rounds of questions fit into it. */
const DEFAULT_SECONDS = '6';
const NAME_WIDTH = 28;
const URL_WIDTH = 30;

function discoveryOptions(options: DiscoverOptions): DiscoveryOptions {
  if (options.sweep === undefined && (options.ports !== undefined || options.force === true))
    throw createUsageError(say('cli.with-sweep'), {
      path: options.ports === undefined ? '--force' : '--ports',
    });
  return {
    seconds: secondsOf(options.seconds ?? DEFAULT_SECONDS),
    // Asked also where nobody wants to read it: what it knows to be missing is told in any case.
    doctor: true,
    ...removeUndefined({
      interfaces: options.interface,
      prefixes: options.prefix === undefined ? undefined : [options.prefix],
      sweep:
        options.sweep === undefined
          ? undefined
          : {
              cidr: options.sweep,
              force: options.force === true,
              ...removeUndefined({
                ports:
                  options.ports === undefined
                    ? undefined
                    : options.ports
                        .split(',')
                        .map((port) => parseWholeNumber(port.trim(), '--ports', { min: 1, max: 65_535 })),
              }),
            },
    }),
  };
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (!(seconds > 0 && seconds <= 3600))
    throw createUsageError(say('cli.seconds', { text }), { path: '--seconds' });
  return seconds;
}

/**
 * Ends with 0 also where nothing was found: that is an answer, and the doctor says why.
 * @throws too-many-files if some of the network could not be asked
 */
export async function discover(invocation: Invocation, options: DiscoverOptions): Promise<number> {
  const { out, interrupts } = invocation;
  const search = discoveryOptions(options);
  const seen = new Set<string>();
  const others = new Set<string>();
  let report: DoctorReport | undefined;
  await runWithEngine(invocation, async (engine) => {
    for await (const event of engine.discovery.watch(search, interrupts.signal)) {
      if (event.type === 'doctor') {
        report = event.report;
        continue;
      }
      const isLeftOut = options.all !== true && 'sighting' in event && isOtherWeb(event.sighting);
      // Who was told of it learns what it turned out to be.
      if (!isLeftOut || seen.has(event.sighting.identity)) show(event, invocation);
      if (event.type === 'sighting') {
        (isLeftOut ? others : seen).add(event.sighting.identity);
        (isLeftOut ? seen : others).delete(event.sighting.identity);
      }
      if (event.type === 'merged') for (const identities of [seen, others]) identities.delete(event.identity);
    }
  });
  out.endProgress();
  if (others.size > 0 && out.asJson) out.jsonLine({ type: 'others', count: others.size });
  if (report !== undefined && options.doctor === true) tellReport(report, out);
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
}

function tellReport(report: DoctorReport, out: Invocation['out']): void {
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
        person(
          event.sighting,
          out.paint.warn(out.say('cli.vanished', { reason: out.say(`cli.vanished.${event.reason}`) })),
          out,
        );
      return;
    case 'sighting':
      if (out.asJson) out.jsonLine({ type: 'sighting', ...event.sighting });
      else
        person(
          event.sighting,
          remarks(event.sighting, out)
            .map((text) => out.paint.warn(text))
            .join(', '),
          out,
        );
  }
}

function person(sighting: Sighting, remark: string, out: Invocation['out']): void {
  out.endProgress();
  out.line(
    [
      padText(cleanLine(sighting.name), NAME_WIDTH),
      padText(cleanLine(sighting.url), URL_WIDTH),
      cleanLine(sighting.via),
      remark,
    ]
      .join('  ')
      .trimEnd(),
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
