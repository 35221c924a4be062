/** Replacement of devices for the faces: planned, begun, undone, and the archive of what was replaced. */
import type { replacementsRoutes } from '#shared/contract/replacements.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import { createDetail, say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { isExpectedArea } from '#protocol/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { ByHand, ReplacementEvent, ReplacementPlan } from '#shared/replacement.ts';
import type { Clock } from '../api/host.ts';
import type { Asker, DevicesApi, JobsApi, PlansApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { DeviceSecrets } from '../inventory/access/device-secrets.ts';
import type { Archive } from '../inventory/archive.ts';
import { createJobId, type Jobs } from '../jobs/jobs.ts';
import { countOpenWork, moveOpenWork, returnOpenWork } from '../jobs/open/moved-work.ts';
import type { UnitKind } from '../jobs/unit-kind.ts';
import type { PeopleApi } from '../people/people.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { Store } from '../store/index.ts';
import { readOldSettings } from './old-settings.ts';
import { planPeople } from './plan-people.ts';
import { planSettings } from './plan-settings.ts';
import {
  createReplacementDevice,
  createReplacementKind,
  type Exchange,
  type ReplacementDocuments,
} from './replacement-kind.ts';

interface ReplacementsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly clients: DeviceClients;
  /** Operating system user. */
  readonly user: string;
  readonly devices: DevicesApi;
  readonly archive: Archive;
  readonly secrets: Pick<DeviceSecrets, 'list'>;
  readonly jobs: Jobs;
  readonly plans: () => Pick<PlansApi, 'create' | 'get'>;
  readonly snapshots: () => Pick<Snapshots, 'take'>;
  readonly people: () => PeopleApi;
  /** Begins a job that applies a plan, under this id. */
  readonly start: (request: Parameters<JobsApi['start']>[0], id: string) => void;
}

export interface ReplacementsApi extends Omit<RouteFunctions<typeof replacementsRoutes>, 'begin'> {
  begin(
    request: { readonly planId: string },
    signal: AbortSignal,
    asker?: Asker,
  ): Promise<{ readonly jobId: string }>;
}

/** A plan with what its job needs. */
interface Kept {
  readonly plan: ReplacementPlan;
  readonly settings?: string;
}

/** Plans that wait for a yes. */
const MOST_KEPT = 20;
/** Devices of a site that are asked for their people. */
const MOST_SOURCES = 8;
/** Guided flows that give a device a new secret, by the name of the secret in the vault. */
const FLOWS: Readonly<Record<string, string>> = { 'token-key': 'token-key', 'storage-card': 'storage-lock' };
/** The command line is the person. */
const NO_QUESTION: Asker = { change: (work) => work(), ahead: () => Promise.resolve((work) => work()) };

export class Replacements implements ReplacementsApi {
  readonly #options: ReplacementsOptions;
  readonly #kept = new Map<string, Kept>();
  readonly kind: UnitKind<ReplacementDocuments>;

  constructor(options: ReplacementsOptions) {
    const { store, archive, user, devices, jobs } = options;
    this.#options = options;
    this.kind = createReplacementKind({
      // The old device is in the archive while its job goes on.
      finder: { ...devices, find: (reference) => archive.known(reference) ?? devices.find(reference) },
      jobs: () => jobs,
      place: {
        replace: ({ oldId, newId }, jobId) =>
          archive.replace({ oldId, newId, jobId, by: user }, (to) => moveOpenWork(store, oldId, to)),
        restore: ({ oldId }) => archive.restore(oldId, (work) => returnOpenWork(store, work, oldId)),
      },
      begin: (part, id, exchange) => this.#beginPart(part, id, exchange),
      undo: (part, id, exchange) => this.#undoPart(part, id, exchange),
    });
  }

  readonly archived: ReplacementsApi['archived'] = () => this.#options.archive.list();

  async *plan(
    { oldId, newId, peopleFrom }: Parameters<ReplacementsApi['plan']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<ReplacementEvent> {
    const { store, devices } = this.#options;
    const old = devices.find(oldId);
    const by = devices.find(newId);
    if (old.id === by.id) throw userError('usage', say('replacement-by-itself', { device: old.name }));
    const isThere = await this.#lookAt(old, signal);
    const settings = readOldSettings(store, old);
    let planId: string | undefined;
    let changes = 0;
    const reading = planSettings(
      { ...this.#options, plans: this.#options.plans() },
      settings,
      { old, by },
      signal,
    );
    for (;;) {
      const step = await reading.next();
      if (step.done === true) {
        const people = yield* planPeople(
          this.#options.people(),
          this.#chooseSources({ old, by, isThere, peopleFrom }),
          by,
          signal,
        );
        const plan: ReplacementPlan = {
          id: `r-${createJobId().slice(2)}`,
          old: pickName(old),
          by: pickName(by),
          ...removeUndefined({ seenAt: settings.seenAt }),
          ...step.value,
          byHand: [...this.#listSecrets(old), ...people.byHand],
          people: people.people,
          fingerprints: people.people.reduce((sum, { fingerprints }) => sum + fingerprints, 0),
          changes,
          openWork: countOpenWork(store, old.id),
        };
        this.#keep({ plan, ...removeUndefined({ settings: planId }) });
        yield { type: 'replacement', plan };
        return;
      }
      if (step.value.type === 'plan') {
        const { plan } = step.value;
        planId = plan.id;
        changes = plan.devices.reduce(
          (sum, { sections }) => sum + sections.reduce((all, section) => all + section.changes.length, 0),
          0,
        );
      }
      yield step.value;
    }
  }

  async begin(
    { planId }: { readonly planId: string },
    _signal: AbortSignal,
    asker: Asker = NO_QUESTION,
  ): Promise<{ readonly jobId: string }> {
    const { devices, jobs, archive } = this.#options;
    const kept = this.#kept.get(planId);
    if (kept === undefined) throw userError('plan-outdated', say('replacement-outdated'));
    const { plan, settings } = kept;
    const old = devices.find(plan.old.id);
    const by = devices.find(plan.by.id);
    await asker.ahead(() => archive.takePlace(old.id, by.id));
    const jobId = createJobId();
    const exchange: Exchange = {
      oldId: old.id,
      newId: by.id,
      backwards: false,
      ...removeUndefined({ planId: settings }),
    };
    const details: readonly ReplacementDocuments['detail'][] = [
      ...(settings === undefined ? [] : [{ part: 'settings' as const, job: createJobId() }]),
      ...plan.people.map(({ job }) => ({ part: 'people' as const, job })),
      // The last: until then people are read from the old device, and it is in the list.
      { part: 'place' },
    ];
    const device = createReplacementDevice(
      old,
      details.map((detail) => ({ detail, exchange })),
      false,
    );
    for (const { job } of plan.people) this.#options.people().hold(job, jobId);
    const begun = jobs.begin({
      id: jobId,
      kind: 'replacement',
      title: `${old.name} → ${by.name}`,
      about: {},
      body: {},
      options: {},
      devices: [{ ...device, turn: this.kind.turn(device, 0) }],
    });
    this.#kept.delete(planId);
    return begun;
  }

  #beginPart(part: 'settings' | 'people', id: string, { planId = '' }: Exchange): void {
    if (part === 'people') this.#options.people().begin({ id });
    else this.#options.start({ planId, options: { leaveOutBlocked: true } }, id);
  }

  async #undoPart(part: 'settings' | 'people', id: string, { newId }: Exchange): Promise<boolean> {
    const { jobs, people } = this.#options;
    if (part === 'settings') {
      try {
        jobs.undo({ id });
        return true;
      } catch (error) {
        if (error instanceof FieldwrightError && error.shape.code === 'not-allowed') return false;
        throw error;
      }
    }
    const employeeNos: string[] = [];
    for (const { employeeNo, plan } of people().listed({ id, only: 'all' }))
      if (plan === 'added') employeeNos.push(employeeNo);
    if (employeeNos.length === 0) return false;
    const source = { kind: 'remove' as const, employeeNos };
    for await (const event of people().planFrom({ source, deviceIds: [newId] }, new AbortController().signal))
      if (event.type === 'plan') people().begin({ id: event.plan.id }, id);
    return true;
  }

  /** Takes a last snapshot of the old device. Returns false if it does not answer. */
  async #lookAt({ id, reach }: Device, signal: AbortSignal): Promise<boolean> {
    if (reach === 'unreachable') return false;
    try {
      await this.#options.snapshots().take({ deviceId: id }, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FieldwrightError) return false;
      throw error;
    }
  }

  #chooseSources({
    old,
    by,
    isThere,
    peopleFrom,
  }: {
    readonly old: Device;
    readonly by: Device;
    readonly isThere: boolean;
    readonly peopleFrom: readonly string[] | undefined;
  }): readonly Device[] {
    const { devices } = this.#options;
    if (!takesPeople(by)) return [];
    if (peopleFrom !== undefined)
      return peopleFrom.map((id) => devices.find(id)).filter(({ id }) => id !== by.id);
    if (isThere) return takesPeople(old) ? [old] : [];
    if (old.siteId === undefined || !takesPeople(old)) return [];
    return devices
      .list()
      .filter(
        (device) =>
          device.siteId === old.siteId &&
          device.id !== old.id &&
          device.id !== by.id &&
          device.kinds.length > 0 &&
          takesPeople(device) &&
          device.reach !== 'unreachable',
      )
      .slice(0, MOST_SOURCES);
  }

  /** Lists the secrets of the old device that the new one needs anew, by their flows. */
  #listSecrets({ id }: Device): readonly ByHand[] {
    const names = this.#options.secrets
      .list()
      .flatMap(({ deviceId, name }) => (deviceId === id ? [name] : []));
    return Object.entries(FLOWS).flatMap(([name, flow]) =>
      names.includes(name) ? [{ text: createDetail(`replacement-${flow as 'token-key'}`), flow }] : [],
    );
  }

  #keep(kept: Kept): void {
    this.#kept.set(kept.plan.id, kept);
    const [oldest] = this.#kept.size > MOST_KEPT ? this.#kept.keys() : [];
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}

function takesPeople({ kinds }: Device): boolean {
  return isExpectedArea('accessControl', kinds);
}

function pickName({ id, name, url }: Device): ReplacementPlan['old'] {
  return { id, name, url };
}
