/** Plans: reads devices, writes nothing. */
import { randomBytes } from 'node:crypto';
import { say } from '#shared/details.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import type { Device, DeviceKind, Plan, PlanDevice } from '#shared/model.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi, PlanRequest, PlansApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { SavedSecrets } from '../inventory/access/saved-secrets.ts';
import { groupDevices, numberResults, getStrongestState, type Ungrouped } from './pure/plan-device.ts';
import { planForOtherKind } from './pure/plan-section.ts';
import type { Store } from '../store/index.ts';
import type { TemplateDocument } from '../template/document.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { combineErrors } from '../template/check/problems.ts';
import { resolveTemplate, type Resolved } from '../template/values/resolve.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { hashTemplate } from '../template/versions.ts';
import { findPlannedDevice, matchDevices, planFile } from './plan-file.ts';
import { planAll } from './plan-sections.ts';
import { runInPool } from '../async/pool.ts';
import { createReader } from './read-section.ts';
import { readValuesTable } from './values-table.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** Plans whose secrets are remembered until they are applied. */
const SECRETS_KEPT = 50;

interface PlansOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly devices: Pick<DevicesApi, 'find' | 'addTransient' | 'test'>;
  readonly clock: Clock;
  readonly saved: Pick<SavedSecrets, 'fill' | 'fillFor'>;
  /** The saved template version whose text has this hash. */
  readonly savedAs?: SavedAs;
}

export type SavedAs = (hash: string) => Pick<Plan['template'], 'id' | 'version'> | undefined;

/** Interface of planning for the rest of the engine. */
export interface Plans extends Omit<PlansApi, 'retry' | 'retryPreview'> {
  /**
   * Creates a plan like `create` of PlansApi; `lost`: devices that cannot be planned, reported with the
   * others.
   */
  create(
    request: PlanRequest,
    signal: AbortSignal,
    lost?: readonly Ungrouped[],
  ): ReturnType<PlansApi['create']>;
  /** Secrets given when the plan was made in this process (kept in memory only), or `given` instead; what is missing comes from the vault. */
  secretsOf(plan: Plan, given?: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}

type Ready = Extract<Resolved, { ok: true }>;

export function createPlans(options: PlansOptions): Plans {
  const { clock } = options;
  const rows = createPlanRows(options.store);
  const secrets = new Map<string, Readonly<Record<string, string>>>();
  /**
   * Ids of plans from files that name devices of no inventory: the author of such a file must not get secrets
   * from the vault.
   */
  const foreign = new Set<string>();

  async function* create(
    request: PlanRequest,
    signal: AbortSignal,
    lost: readonly Ungrouped[] = [],
  ): ReturnType<PlansApi['create']> {
    const { document, targets } = prepare(request, options);
    const stop = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const resultOf = numberResults();
    const done = new Map<string, Ungrouped>();
    try {
      const work = ({ device, resolved }: Target): Promise<Ungrouped> =>
        planDevice(device, resolved, document, { ...options, signal: both });
      for await (const device of runInPool(targets, work, {
        concurrency: request.concurrency,
        signal: both,
      })) {
        if (signal.aborted) break;
        done.set(device.deviceId, device);
        yield {
          type: 'device',
          device: { ...device, group: resultOf(device) },
          done: done.size,
          total: targets.length,
        };
      }
    } finally {
      stop.abort();
    }
    if (signal.aborted) throw userError('cancelled', say('planning-cancelled'));

    const planned = [...targets.flatMap(({ device }) => done.get(device.id) ?? []), ...lost];
    const plan = finish(request, document, groupDevices(planned, resultOf));
    rows.save(plan);
    remember(plan.id, request.secrets);
    yield { type: 'plan', plan };
  }

  const importFile: PlansApi['importFile'] = async ({ text, ...parseOptions }) => {
    const { parsePlan } = await import('./read-plan.ts');
    const read = await parsePlan(text, parseOptions);
    const { name, hash, text: templateText } = read.template;
    const plan: Plan = {
      ...read,
      id: newId(),
      template: { name, hash, text: templateText, ...options.savedAs?.(hash) },
      ...groupDevices(matchDevices(read.devices, options.devices, parseOptions)),
    };
    rows.save(plan);
    if (
      parseOptions.foreignDevices === true &&
      read.devices.some((device) => findPlannedDevice(device, options.devices.find) === undefined)
    )
      foreign.add(plan.id);
    return plan;
  };

  function finish(
    request: PlanRequest,
    document: TemplateDocument,
    grouped: ReturnType<typeof groupDevices>,
  ): Plan {
    const hash = hashTemplate(request.templateText);
    return {
      fieldwright: 'plan/1',
      id: newId(),
      createdAt: clock.now().toISOString(),
      template: { name: document.name, hash, text: request.templateText, ...options.savedAs?.(hash) },
      ...grouped,
    };
  }

  function remember(planId: string, given: Readonly<Record<string, string>> | undefined): void {
    if (given === undefined || Object.keys(given).length === 0) return;
    secrets.set(planId, given);
    const [oldest] = secrets.keys();
    if (secrets.size > SECRETS_KEPT && oldest !== undefined) secrets.delete(oldest);
  }

  function get(id: string): Plan {
    const plan = rows.get(id);
    if (plan !== undefined) return plan;
    throw userError('plan-outdated', say('plan-gone'), { path: 'planId' });
  }

  return {
    create,
    importFile,
    get,
    async *show({ planId }) {
      yield { type: 'plan', plan: get(planId) };
    },
    readValues: (request) => readValuesTable(request, options.devices),
    exportFile: ({ planId }) => planFile(get(planId)),
    secretsOf(plan, given = secrets.get(plan.id) ?? {}) {
      return foreign.has(plan.id) ? given : options.saved.fillFor(plan.template.text, given);
    },
  };
}

function newId(): string {
  return `p-${randomBytes(8).toString('hex')}`;
}

interface Target {
  readonly device: Device;
  readonly resolved: Ready;
}

/** Checks everything that can be wrong before a device is asked; all of it in one error. */
function prepare(
  request: PlanRequest,
  { devices, saved }: Pick<PlansOptions, 'devices' | 'saved'>,
): { readonly document: TemplateDocument; readonly targets: readonly Target[] } {
  const { document, errors } = parseTemplate(request.templateText, { file: request.file });
  if (document === undefined) throw combineErrors(errors);
  const secrets = saved.fill(document.variables, request.secrets ?? {});

  const problems: ErrorShape[] = [];
  const known = new Map<string, Resolved>();
  const targets = [...new Set(request.deviceIds)].flatMap((id) => {
    try {
      const device = devices.find(id);
      const values = { ...request.values, ...request.valuesByDevice?.[id] };
      const key = encodeCanonicalJson(values);
      // Errors name their device, so only good results are shared.
      const shared = known.get(key);
      const resolved =
        shared?.ok === true
          ? shared
          : resolveTemplate(document, { values, secrets, needSecrets: false, device: device.url });
      known.set(key, resolved);
      if (resolved.ok) return { device, resolved };
      problems.push(...resolved.errors);
    } catch (thrown) {
      problems.push(toErrorShape(thrown));
    }
    return [];
  });
  if (problems.length > 0) throw combineErrors(sameForAll(problems, request.deviceIds.length));
  return { document, targets };
}

/**
 * Returns the errors; one that every device shares is the template's or the values', and comes once, without
 * a device.
 */
function sameForAll(problems: readonly ErrorShape[], devices: number): readonly ErrorShape[] {
  const counts = new Map<string, { readonly shape: ErrorShape; count: number }>();
  for (const { device, ...shape } of problems) {
    const key = encodeCanonicalJson(shape);
    const entry = counts.get(key) ?? { shape: device === undefined ? shape : { ...shape, device }, count: 0 };
    entry.count += 1;
    counts.set(key, entry);
  }
  return [...counts.values()].map(({ shape, count }) => {
    if (count < 2 || count < devices) return shape;
    const { device: _one, ...common } = shape;
    return common;
  });
}

export interface PlanDeviceContext extends Pick<PlansOptions, 'clients' | 'clock'> {
  readonly devices: Pick<DevicesApi, 'test'>;
  readonly signal: AbortSignal;
}

/** Plans a device. Never throws: a device that cannot be read has a plan that says so. */
export async function planDevice(
  device: Device,
  resolved: Ready,
  document: TemplateDocument,
  context: PlanDeviceContext,
): Promise<Ungrouped> {
  const head = { deviceId: device.id, name: device.name, url: device.url, values: resolved.values };
  try {
    const kinds = document.kinds.length === 0 ? [] : await kindsOf(device, context);
    if (document.kinds.length > 0 && !document.kinds.some((kind) => kinds.includes(kind))) {
      return {
        ...head,
        state: 'unsupported',
        sections: resolved.sections.map((section) => planForOtherKind(section, document.kinds)),
      };
    }
    const reader = createReader({
      client: context.clients.get(device.id),
      clock: context.clock,
      signal: context.signal,
      device: device.url,
    });
    const sections = (await planAll(resolved.sections, reader, device.url)).map(({ plan }) => plan);
    return { ...head, state: getStrongestState(sections), sections };
  } catch (thrown) {
    const error = toErrorShape(thrown);
    return {
      ...head,
      state: 'failed',
      error: { ...error, device: error.device ?? device.url },
      sections: [],
    };
  }
}

/** Returns the device's kinds; they are read from its capabilities if they are not known yet. */
async function kindsOf(
  device: Device,
  { devices, signal }: Pick<PlanDeviceContext, 'devices' | 'signal'>,
): Promise<readonly DeviceKind[]> {
  if (device.kinds.length > 0) return device.kinds;
  const [test] = await devices.test({ ids: [device.id], learnsKinds: true }, signal);
  if (test?.error !== undefined) throw new FieldwrightError(test.error);
  return test?.kinds ?? [];
}

/** Older plans are forgotten: a plan that is to last is a file. */
const PLANS_KEPT = 20;
const DEVICES_A_PART = 50;

interface PlanRows {
  save(plan: Plan): void;
  get(id: string): Plan | undefined;
}

function createPlanRows(store: Store): PlanRows {
  return {
    save(plan) {
      store.transaction(() => {
        store.insert('plans', {
          id: plan.id,
          created_at: plan.createdAt,
          body: JSON.stringify({ ...plan, devices: [] }),
        });
        let bytes = 0;
        for (let first = 0; first < plan.devices.length; first += DEVICES_A_PART) {
          const devices = JSON.stringify(plan.devices.slice(first, first + DEVICES_A_PART));
          bytes += devices.length;
          store.insert('plan_parts', { plan_id: plan.id, number: first / DEVICES_A_PART, devices });
        }
        store.requireRoom(bytes);
        store.run(
          'DELETE FROM plans WHERE rowid NOT IN (SELECT rowid FROM plans ORDER BY rowid DESC LIMIT ?)',
          PLANS_KEPT,
        );
      });
    },
    get(id) {
      const row = store.get<{ readonly body: string }>('SELECT body FROM plans WHERE id = ?', id);
      if (row === undefined) return undefined;
      const plan = readOwnJson(row.body) as Plan;
      const parts = store.all<{ readonly devices: string }>(
        'SELECT devices FROM plan_parts WHERE plan_id = ? ORDER BY number',
        id,
      );
      return {
        ...plan,
        devices: parts.flatMap(({ devices }) => readOwnJson(devices) as readonly PlanDevice[]),
      };
    },
  };
}
