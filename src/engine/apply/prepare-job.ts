/**
 * Makes the work on each device from a plan. The plan may come from a file: its template is checked and
 * resolved anew, and the plan is only compared with that, never sent.
 */
import { say } from '#shared/details.ts';
import { toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, Plan, PlanDevice } from '#shared/model.ts';
import { requireConsent } from '../operations/plain-fields.ts';
import { encodeCanonicalJson, sharedJson } from '../text/canonical-json.ts';
import type { ResolvedSection, TemplateDocument } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { combineErrors } from '../template/check/problems.ts';
import { resolveTemplate, type Resolved } from '../template/values/resolve.ts';
import { hashTemplate } from '../template/versions.ts';
import type { DeviceTask } from './apply-device.ts';
import type { ConnectionRecord } from '../jobs/types.ts';
import { toConnectionRecord, findKnown } from '../jobs/locate-device.ts';
import { holdsSecrets } from '../write/holds-secrets.ts';

interface PrepareRequest {
  readonly plan: Plan;
  /** Ids of the devices that have a turn. Default: all of the plan. */
  readonly deviceIds: readonly string[] | undefined;
  readonly secrets: Readonly<Record<string, string>>;
  /** Throws `unknown-device`. */
  readonly find: (reference: string) => Device;
  readonly allowPlainFields: boolean | undefined;
  /** Throws `vault-locked` where documents with secrets could not be kept. */
  readonly canSeal: () => void;
}

export interface PreparedDevice {
  readonly planned: PlanDevice;
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
  readonly connection?: ConnectionRecord;
  /** Absent where nothing can be sent to the device: it has no turn. */
  readonly task?: DeviceTask;
}

/** Throws one error with everything that is wrong; nothing is sent then. */
export function prepareTasks(request: PrepareRequest): readonly PreparedDevice[] {
  const { plan } = request;
  if (hashTemplate(plan.template.text) !== plan.template.hash)
    throw userError('plan-outdated', say('plan-template-changed'));
  const { document, errors } = parseTemplate(plan.template.text);
  if (document === undefined) throw combineErrors(errors);

  const resolve = createResolver(document, request.secrets);
  const prepared = prepareAll(chosen(request), ({ planned, hasTurn }, position) =>
    hasTurn ? prepareDevice(planned, position, resolve, request) : idleDevice(planned, resolve, request),
  );
  if (prepared.some(({ task }) => task?.sections.some((section) => holdsSecrets(section.resource))))
    request.canSeal();
  return prepared;
}

interface Chosen {
  readonly planned: PlanDevice;
  readonly hasTurn: boolean;
}

/**
 * Returns every device of the plan, for none that was chosen may vanish: those to which nothing can be sent
 * stay in the job without a turn. Only those are omitted that would get something and are not among
 * `deviceIds`.
 */
function chosen({ plan, deviceIds }: PrepareRequest): readonly Chosen[] {
  if (deviceIds === undefined)
    return plan.devices.map((planned) => ({ planned, hasTurn: canHaveTurn(planned) }));
  const wanted = new Set(deviceIds);
  const known = new Set(plan.devices.map((device) => device.deviceId));
  const missing = [...wanted].find((id) => !known.has(id));
  if (missing !== undefined)
    throw userError('unknown-device', say('plan-without-device', { device: missing }), { device: missing });
  return plan.devices.flatMap((planned) => {
    if (wanted.has(planned.deviceId)) return [{ planned, hasTurn: canHaveTurn(planned) }];
    return planned.state === 'changes' || planned.state === 'adjusted' ? [] : [{ planned, hasTurn: false }];
  });
}

/** Returns true if something would be written, or all is as wanted, which its turn makes sure of. */
function canHaveTurn({ state, sections }: PlanDevice): boolean {
  return (
    state === 'unchanged' ||
    (state !== 'failed' &&
      sections.some((section) => section.state === 'changes' || section.state === 'adjusted'))
  );
}

/** Prepares a device without a turn: it need not be known any more, and no secret is needed for it. */
function idleDevice(planned: PlanDevice, resolve: Resolver, { find }: PrepareRequest): PreparedDevice {
  if (planned.state !== 'failed')
    requireSamePlan(
      planned,
      resolve(planned, { device: planned.url, needSecrets: false }).sections,
      planned.url,
    );
  return {
    planned,
    deviceId: planned.deviceId,
    name: planned.name,
    url: planned.url,
    ...placeOf(planned, find),
  };
}

function prepareDevice(
  planned: PlanDevice,
  position: number,
  resolve: Resolver,
  request: PrepareRequest,
): PreparedDevice {
  const device = findKnown(planned, request.find);
  const place = {
    planned,
    deviceId: device.id,
    name: device.name,
    url: device.url,
    ...placeOf(planned, () => device),
  };

  const { sections } = resolve(planned, { device: device.url, needSecrets: true });
  requireSamePlan(planned, sections, device.url);
  for (const section of sections)
    requireConsent({
      operation: section.resource.put,
      value: section.value,
      url: device.url,
      allowed: request.allowPlainFields,
    });
  return {
    ...place,
    task: {
      position,
      deviceId: device.id,
      url: device.url,
      sections,
      planned: planned.sections,
      secrets: Object.values(request.secrets),
    },
  };
}

function placeOf(
  planned: PlanDevice,
  find: PrepareRequest['find'],
): { readonly connection?: ConnectionRecord } {
  try {
    return { connection: toConnectionRecord(findKnown(planned, find)) };
  } catch {
    return {};
  }
}

/** Throws what is wrong with the values or secrets. */
type Resolver = (
  planned: PlanDevice,
  options: {
    readonly device: string;
    /** True if a section with a secret is written. */ readonly needSecrets: boolean;
  },
) => Extract<Resolved, { ok: true }>;

/** Devices with equal values share what they come to. */
function createResolver(document: TemplateDocument, secrets: Readonly<Record<string, string>>): Resolver {
  const known = new Map<string, Extract<Resolved, { ok: true }>>();
  return (planned, { device, needSecrets: mayNeed }) => {
    const needSecrets = mayNeed && needsSecrets(planned, document);
    const key = encodeCanonicalJson([planned.values, needSecrets]);
    const shared = known.get(key);
    if (shared !== undefined) return shared;
    const resolved = resolveTemplate(document, { values: planned.values, secrets, needSecrets, device });
    if (!resolved.ok) throw combineErrors(resolved.errors);
    known.set(key, resolved);
    return resolved;
  };
}

/** Returns true if a section that holds a secret is written: a secret is only asked for then. */
function needsSecrets(planned: PlanDevice, document: TemplateDocument): boolean {
  return planned.sections.some((section) => {
    const resource = document.sections[section.index]?.resource;
    return (
      section.state !== 'blocked' &&
      section.state !== 'unsupported' &&
      resource !== undefined &&
      holdsSecrets(resource)
    );
  });
}

function requireSamePlan(planned: PlanDevice, sections: readonly ResolvedSection[], device: string): void {
  const same =
    planned.sections.length === sections.length &&
    planned.sections.every((section, at) => {
      const now = sections[at];
      return (
        now !== undefined &&
        section.index === now.index &&
        section.set === now.set &&
        sharedJson(section.params) === sharedJson(now.params)
      );
    });
  if (!same) throw userError('plan-outdated', say('plan-misfit'), { device });
}

/** Prepares each of them. Throws one error with everything that is wrong with any of them. */
export function prepareAll<Of, Prepared>(
  all: readonly Of[],
  prepare: (one: Of, at: number) => Prepared | readonly Prepared[],
): readonly Prepared[] {
  const problems: ErrorShape[] = [];
  const prepared = all.flatMap((one, at) => {
    try {
      return prepare(one, at);
    } catch (thrown) {
      const shape = toErrorShape(thrown);
      problems.push(shape, ...(shape.others ?? []));
      return [];
    }
  });
  if (problems.length > 0) throw combineErrors(withoutRepeats(problems));
  return prepared;
}

function withoutRepeats(problems: readonly ErrorShape[]): readonly ErrorShape[] {
  const seen = new Map(
    problems.map(({ others: _others, ...shape }) => [
      encodeCanonicalJson([shape.code, shape.path, shape.message]),
      shape,
    ]),
  );
  return [...seen.values()];
}
