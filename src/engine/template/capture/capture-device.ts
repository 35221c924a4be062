/**
 * Reads a device into a template. `section` events say what became of each setting, the last event is `template`: its `text` is a valid
 * template, and planned with its `values` on the same device it is `unchanged`. Nothing is written, nothing
 * saved. Throws what a device that cannot be reached or does not let us in throws, `not-supported` where it
 * has nothing a template can set, `unknown-section` and `unknown-parameter` for a wrong request, `cancelled`.
 */
import { say, formatDetail } from '#shared/details.ts';
import {
  collectConstraints,
  isPlain,
  resources,
  type Constraints,
  findNearestName,
  type Resource,
} from '#protocol/index.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { CaptureEvent } from '#shared/template/authoring.ts';
import type { Device, DeviceKind, Params } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import type { CaptureRequest, DevicesApi } from '#engine/api/routes.ts';
import { readPatiently } from '#engine/device/transport/patient-read.ts';
import type { DeviceClients } from '#engine/device/client-types.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { captureSection, type SectionCapture } from './capture-section.ts';
import { captureText } from './capture-text.ts';
import { mergeReads } from './merged.ts';
import { readResource, throwIfFatal, type ReadContext } from './read-resource.ts';
import { findContainingResource, SYSTEM_REPORT } from './which.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { coerceParam } from '../check/check-params.ts';
import { requireResource } from '../resource-named.ts';

interface Ordered {
  /** Position of its target in the request. */
  readonly order: number;
  readonly capture: SectionCapture;
}

interface CaptureContext extends Pick<DevicesApi, 'find' | 'test'> {
  readonly clients: DeviceClients;
  readonly clock: Clock;
}

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

interface Target {
  readonly resource: Resource;
  /** Fixed parameters; all others are read for each value that the device has. */
  readonly given: Params;
}

/** Throws `unknown-section`, `unknown-parameter`, `wrong-type` and `out-of-range`. */
function resolveTargets({
  sections = resources.map(({ name }) => ({ set: name })),
  params: common = {},
}: CaptureRequest): readonly Target[] {
  const targets = sections.map(({ set, params = {} }: { readonly set: string; readonly params?: Params }) => {
    const resource = requireResource(set);
    for (const name of Object.keys(params)) checkParamName(name, [resource]);
    return { resource, given: paramsFor(resource, { ...common, ...params }) };
  });
  for (const name of Object.keys(common))
    checkParamName(
      name,
      targets.map(({ resource }) => resource),
    );
  return targets;
}

/** Returns the parameters that the resource takes, converted to numbers where it takes numbers. */
function paramsFor({ get }: Resource, params: Params): Params {
  return Object.fromEntries(
    get.params.flatMap((param) => {
      const given = params[param.name];
      if (given === undefined) return [];
      const coerced = coerceParam(
        param,
        param.type === 'int' && typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given,
      );
      if ('code' in coerced)
        throw new FieldwrightError({
          code: coerced.code,
          source: 'user',
          path: param.name,
          operation: get.id,
          message: formatDetail(coerced.detail),
          detail: coerced.detail,
        });
      return [[param.name, coerced.value]];
    }),
  );
}

function checkParamName(name: string, taking: readonly Resource[]): void {
  const known = [...new Set(taking.flatMap(({ get }) => get.params.map((param) => param.name)))];
  if (known.includes(name)) return;
  const nearest = findNearestName(name, known);
  throw new FieldwrightError({
    code: 'unknown-parameter',
    source: 'user',
    path: name,
    ...removeUndefined({ nearest }),
    ...(known.length === 0
      ? say('no-parameters-here', { name })
      : say('no-such-parameter', { name, known: known.join(', ') })),
  });
}

/**
 * Puts resources that are part of another one into a second phase: the first decides whether they were
 * captured.
 */
function splitIntoPhases(targets: readonly Target[]): readonly (readonly Target[])[] {
  const isPart = ({ resource }: Target): boolean => findContainingResource(resource, resources) !== undefined;
  return [targets.filter((target) => !isPart(target)), targets.filter(isPart)];
}
