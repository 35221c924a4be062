/** `discover`: devices of the network as they are seen, and why others may be invisible. */
import { defined } from '../../../shared/defined.ts';
import { isOtherWeb } from '../../../shared/discovery.ts';
import type { DiscoveryEvent, DoctorReport, Sighting } from '../../../shared/discovery.ts';
import type { DiscoveryOptions } from '../../../engine/api.ts';
import { EXIT } from '../../exit-codes.ts';
import { withEngine } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { cleanLine } from '../../output/clean.ts';
import { padText } from '../../output/width.ts';
import { usageError, wholeNumber } from '../../usage.ts';

export interface DiscoverOptions {
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
    throw usageError('--ports and --force go with --sweep.', {
      path: options.ports === undefined ? '--force' : '--ports',
    });
  return {
    seconds: secondsOf(options.seconds ?? DEFAULT_SECONDS),
    doctor: options.doctor === true,
    ...defined({
      interfaces: options.interface,
      prefixes: options.prefix === undefined ? undefined : [options.prefix],
      sweep:
        options.sweep === undefined
          ? undefined
          : {
              cidr: options.sweep,
              force: options.force === true,
              ...defined({
                ports:
                  options.ports === undefined
                    ? undefined
                    : options.ports
                        .split(',')
                        .map((port) => wholeNumber(port.trim(), '--ports', { min: 1, max: 65_535 })),
              }),
            },
    }),
  };
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (!(seconds > 0 && seconds <= 3600))
    throw usageError(`--seconds takes a number up to 3600, not "${text}".`, { path: '--seconds' });
  return seconds;
}

/** Ends with 0 also where nothing was found: that is an answer, and the doctor says why. */
export async function discover(invocation: Invocation, options: DiscoverOptions): Promise<number> {
  const { out, interrupts } = invocation;
  const search = discoveryOptions(options);
  const seen = new Set<string>();
  const others = new Set<string>();
  let report: DoctorReport | undefined;
  await withEngine(invocation, async (engine) => {
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
  if (report !== undefined && out.asJson) out.jsonLine({ type: 'doctor', ...report });
  if (report !== undefined && !out.asJson)
    for (const line of ['', ...report.text.trimEnd().split('\n')]) out.line(cleanLine(line));
  if (others.size > 0)
    out.note(
      `${others.size} ${others.size === 1 ? 'printer or other web service is' : 'printers and other web services are'} not shown; --all shows them.`,
    );
  if (seen.size === 0)
    out.note(
      options.doctor === true
        ? 'No device was found.'
        : 'No device was found. --doctor says what was tried and what blocks; --sweep asks every address of a network.',
    );
  else if (!out.asJson) out.note(`${seen.size} ${seen.size === 1 ? 'device' : 'devices'} found.`);
  return interrupts.signal.aborted ? EXIT.interrupted : EXIT.done;
}

function show(event: Exclude<DiscoveryEvent, { type: 'doctor' }>, { out }: Invocation): void {
  switch (event.type) {
    case 'sweep':
      out.progress(
        event.progress.ended
          ? ''
          : `Asked ${event.progress.done} of ${event.progress.total} addresses in ${event.progress.cidr}, ${event.progress.found} found`,
      );
      return;
    case 'merged':
      if (out.asJson) out.jsonLine(event);
      return;
    case 'vanished':
      if (out.asJson) out.jsonLine({ type: 'vanished', reason: event.reason, ...event.sighting });
      else person(event.sighting, out.paint.warn(`vanished: ${VANISHED[event.reason]}`), out);
      return;
    case 'sighting':
      if (out.asJson) out.jsonLine({ type: 'sighting', ...event.sighting });
      else
        person(
          event.sighting,
          remarks(event.sighting)
            .map((text) => out.paint.warn(text))
            .join(', '),
          out,
        );
  }
}

const VANISHED = {
  goodbye: 'it said so',
  expired: 'its announcement ran out',
  unanswered: 'it no longer answers',
  interface: 'the interface is gone',
} as const;

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

function remarks(sighting: Sighting): string[] {
  return [
    ...(isOtherWeb(sighting) ? ['a printer or another web service'] : []),
    ...(sighting.outside === true ? ['outside the networks of this computer'] : []),
    ...(sighting.previousUrl === undefined ? [] : [`moved, was ${cleanLine(sighting.previousUrl)}`]),
    ...sighting.conflicts.map((conflict) =>
      conflict.kind === 'address'
        ? `address also claimed by ${cleanLine(conflict.with)}`
        : `also announced at ${cleanLine(conflict.with)}`,
    ),
  ];
}
