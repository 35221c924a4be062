/** Reads a device into a template; see index.ts for what it promises. */
import { say } from '#shared/details.ts';
import { collectConstraints, isPlain, resources, type Constraints } from '#protocol/index.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { CaptureEvent } from '#shared/template/authoring.ts';
import type { Device, DeviceKind } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import type { CaptureRequest, DevicesApi } from '#engine/api/routes.ts';
import { readPatiently } from '#engine/device/transport/patient-read.ts';
import type { DeviceClients } from '#engine/device/client-types.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { captureSection, type SectionCapture } from './capture-section.ts';
import { captureText } from './capture-text.ts';
import { mergeReads } from './merged.ts';
import { readResource, throwIfFatal, type ReadContext } from './read-resource.ts';
import { splitIntoPhases, resolveTargets, type Target } from './targets.ts';
import { findContainingResource, SYSTEM_REPORT } from './which.ts';

interface Ordered {
  /** Position of its target in the request. */
  readonly order: number;
  readonly capture: SectionCapture;
}

interface CaptureContext extends Pick<DevicesApi, 'find' | 'test'> {
  readonly clients: DeviceClients;
  readonly clock: Clock;
}

/** `section` events as they come, then one `template`. */
export async function* captureDevice(
  context: CaptureContext,
  request: CaptureRequest,
  signal: AbortSignal,
): AsyncGenerator<CaptureEvent> {
  const targets = resolveTargets(request);
  const device = context.find(request.deviceId);
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    const kinds = await kindsOf(device, context, both);
    const reading = await createReadContext(device, context, both);
    const captures: Ordered[] = [];
    let done = 0;
    for (const phase of splitIntoPhases(targets)) {
      const read = ({ resource, given }: Target) => readResource(resource, given, reading);
      for await (const { index, result, last } of mergeReads(phase, read, reading.inFlight)) {
        const target = phase[index];
        if (target === undefined) continue;
        if (last) done += 1;
        const capture = dropRepeated(
          captureSection(target.resource, result),
          captures.map((other) => other.capture),
        );
        if (capture === undefined) continue;
        captures.push({ order: targets.indexOf(target), capture });
        yield { type: 'section', section: capture.section, done, total: targets.length };
      }
    }
    const ordered = captures.sort((a, b) => a.order - b.order).map(({ capture }) => capture);
    yield captureText(ordered, {
      name: request.name ?? device.name,
      device: device.name,
      url: device.url,
      kinds,
      at: context.clock.now().toISOString(),
    });
  } finally {
    stop.abort();
  }
}

/**
 * A template that sets the same thing in two places contradicts itself as soon as one of them is edited: undefined
 * where this very section is there already, nothing of it where another one holds it.
 */
export function dropRepeated(
  capture: SectionCapture,
  others: readonly SectionCapture[],
): SectionCapture | undefined {
  const place = encodeCanonicalJson(capture.section.params);
  const here = others.filter(({ section }) => encodeCanonicalJson(section.params) === place);
  if (here.some(({ resource }) => resource === capture.resource)) return undefined;
  const whole = capture.value === undefined ? undefined : findContainingResource(capture.resource, resources);
  const root = capture.resource.put.request.root ?? '';
  const holder = here.find(
    ({ resource, value }) => resource === whole && isPlain(value) && Object.hasOwn(value, root),
  );
  if (holder === undefined) return capture;
  const error = {
    code: 'duplicate-section',
    source: 'app',
    ...say('part-of', { set: holder.section.set }),
  } as const;
  return {
    ...capture,
    value: undefined,
    variables: [],
    section: { ...capture.section, state: 'empty', variables: [], left: [], error },
  };
}

async function kindsOf(
  device: Device,
  { test }: CaptureContext,
  signal: AbortSignal,
): Promise<readonly DeviceKind[]> {
  if (device.kinds.length > 0) return device.kinds;
  const [result] = await test({ ids: [device.id] }, signal);
  // A template that does not say for which kinds it is, is for all of them.
  if (result?.error !== undefined) throwIfFatal(new FieldwrightError(result.error));
  return result?.kinds ?? [];
}

/** Reads what the device reports of itself. The first answer decides whether there is any use in asking on. */
export async function createReadContext(
  device: Device,
  { clients, clock }: Pick<CaptureContext, 'clients' | 'clock'>,
  signal: AbortSignal,
): Promise<ReadContext> {
  const { inFlight } = device.profile;
  const base = { client: clients.get(device.id), clock, signal, device: device.url, inFlight };
  return { ...base, system: await systemReport(base) };
}

async function systemReport(base: Omit<ReadContext, 'system'>): Promise<Constraints | undefined> {
  if (SYSTEM_REPORT?.response === undefined) return undefined;
  try {
    const { document } = await readPatiently(SYSTEM_REPORT, {}, base);
    return document === undefined ? undefined : collectConstraints(SYSTEM_REPORT.response, document);
  } catch (thrown) {
    // A report that cannot be read says nothing.
    return throwIfFatal(thrown);
  }
}
