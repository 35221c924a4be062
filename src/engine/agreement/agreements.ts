/** Agreed state of devices: what jobs proved or people accepted, and where a device shows something else since. */
import type { AgreementQuery, DriftChoice } from '#shared/contract/agreements.ts';
import { setImmediate } from 'node:timers/promises';
import { say } from '#shared/details.ts';
import { toErrorShape, userError } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  isPutOff,
  type AgreementState,
  type DeviceAgreement,
  type DriftedSetting,
  type DriftGroup,
  type LookEvent,
  type PutRight,
} from '#shared/agreement.ts';
import type { AgreementSummary, Device } from '#shared/model.ts';
import { getValueAt, isWithin, redactBody } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import type { AgreementsApi, DevicesApi, JobsApi } from '../api/routes.ts';
import { runInPool } from '../async/pool.ts';
import type { DeviceClients } from '../device/client-types.ts';
import type { DeviceDirectory } from '../device/directory.ts';
import { createBatteryCheck } from '../host/battery.ts';
import { createReader, type SectionReader } from '../planning/read-section.ts';
import type { Store } from '../store/index.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { saveAccepted } from './accepted.ts';
import { getSectionKey } from '../template/document.ts';
import { readAgreed, type AgreedSection } from './agreed-sections.ts';
import { noteDocuments, type SeenDocument } from '../snapshots/document-versions.ts';
import { lookInBackground, PAUSE_MS } from './background-look.ts';
import { findAuthor } from './authors.ts';
import { groupDrift } from './drift-groups.ts';
import { findDrift, type Differing } from './find-drift.ts';
import { listDiffering, readLooks, saveLook, type Look } from './looks.ts';
import { readProofs, readProvedPlaces, type Proof } from './proofs.ts';
import { buildPutRight, buildSections, formatAgreed } from './put-right.ts';

interface AgreementsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'list' | 'find' | 'known'>;
  readonly directory: Pick<DeviceDirectory, 'observe'>;
  readonly changes: JobsApi['changes'];
  /** Operating system user. */
  readonly user: string;
}

/** Devices whose summaries are computed at a time: it takes some milliseconds. */
const AT_ONCE = 50;
/** Writes of a device that are looked through for the one that wrote what is shown. */
const MOST_WRITES = 200;

export class Agreements implements AgreementsApi {
  readonly #options: AgreementsOptions;
  readonly #closing = new AbortController();
  #looking: Promise<void> | undefined;
  /** Ends when the summaries that were asked for are up to date. */
  #refreshing: Promise<void> = Promise.resolve();

  constructor(options: AgreementsOptions) {
    this.#options = options;
  }

  /** Returns what is known of the devices; sends nothing. @throws `unknown-device` */
  status({ deviceIds }: AgreementQuery = {}): readonly DeviceAgreement[] {
    const { store } = this.#options;
    const ids = this.#choose(deviceIds).map(({ id }) => id);
    const looks = readLooks(store, ids);
    const proofs = readProofs(store, ids);
    return ids.map((deviceId) => this.#conclude(deviceId, looks.get(deviceId), proofs.get(deviceId)));
  }

  /** Reads the agreed settings of the devices, and nothing else; those without an agreement are not asked. */
  async *look({ deviceIds }: AgreementQuery, signal: AbortSignal): AsyncGenerator<LookEvent, void> {
    const devices = this.#choose(deviceIds);
    const agreed = readAgreed(
      this.#options.store,
      devices.map(({ id }) => id),
    );
    const asked = devices.filter(({ id }) => agreed.has(id));
    let done = 0;
    for await (const deviceId of runInPool(
      asked,
      (device) => this.#lookAt(device, agreed.get(device.id) ?? [], signal),
      { signal },
    )) {
      done += 1;
      const [device] = this.#summarize([deviceId]);
      if (device !== undefined) yield { type: 'device', device, done, total: asked.length };
    }
    if (signal.aborted) throw userError('cancelled', say('look-cancelled'));
    yield { type: 'end' };
  }

  groups(): readonly DriftGroup[] {
    const { store, devices, clock } = this.#options;
    const differing = listDiffering(store);
    const known = devices.list().flatMap(({ id }) => (differing.has(id) ? [id] : []));
    const drifted = this.status({ deviceIds: known }).filter(({ state }) => state === 'drifted');
    return groupDrift(drifted, clock.now());
  }

  /** Makes what devices showed at the last look their agreement. @throws `not-found` if nothing of it differs */
  accept({ reason, ...choice }: DriftChoice & { readonly reason: string }): { readonly accepted: number } {
    const { store, clock, user } = this.#options;
    const by = { at: clock.now().toISOString(), user, reason };
    const accepted = this.#answer(choice, (deviceId, chosen) => {
      for (const section of buildSections(chosen, ({ shown }) => shown))
        saveAccepted(store, { deviceId, ...section, by });
      return chosen.filter(({ shown }) => shown !== undefined).map((one) => ({ one, next: [] }));
    });
    return { accepted };
  }

  /** Puts differences off until a time, or until another value is shown. @throws `not-found` if nothing of it differs */
  putOff({ until, ...choice }: DriftChoice & { readonly until?: string }): { readonly putOff: number } {
    const { clock, user } = this.#options;
    const later = {
      at: clock.now().toISOString(),
      user,
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    };
    const putOff = this.#answer(choice, (_deviceId, chosen) =>
      chosen.map((one) => ({ one, next: [{ ...one, later }] })),
    );
    return { putOff };
  }

  /** Returns the templates that put right what differed at the last look. */
  putRight({
    name,
    settings,
    ...query
  }: Partial<DriftChoice> & { readonly name: string }): readonly PutRight[] {
    const devices = this.status(query).map((device) => ({
      ...device,
      differences: device.differences.filter((one) => isChosen(one, settings)),
    }));
    return buildPutRight(
      name,
      devices,
      readAgreed(
        this.#options.store,
        devices.map(({ deviceId }) => deviceId),
      ),
    );
  }

  /** Returns what is agreed for a device as a template without secrets; undefined where nothing is. @throws `unknown-device` */
  describe(deviceId: string): string | undefined {
    const { id, name } = this.#options.devices.find(deviceId);
    return formatAgreed(name, readAgreed(this.#options.store, [id]).get(id) ?? []);
  }

  /** Looks at every device once a day, gently, until the engine is closed. */
  lookInBackground(given: Parameters<AgreementsApi['lookInBackground']>[0]): void {
    const { store, clock, devices } = this.#options;
    const isBatteryLow = createBatteryCheck(() => clock.now());
    this.#looking = lookInBackground(
      {
        ...given,
        mayLook: async () => (await given.mayLook()) && !(await isBatteryLow()),
        clock,
        devices: () => devices.list(),
        refresh: (ids) => this.refresh(ids ?? devices.list().map(({ id }) => id)),
        look: async (id, signal) => {
          const device = devices.list().find((one) => one.id === id);
          if (device === undefined) return;
          await this.#lookAt(device, readAgreed(store, [id]).get(id) ?? [], signal, PAUSE_MS);
          this.#summarize([id]);
        },
      },
      this.#closing.signal,
    );
  }

  /** Brings what lists say of the devices up to date, a few at a time. Never rejects. */
  refresh(deviceIds: readonly string[]): Promise<void> {
    const { devices } = this.#options;
    this.#refreshing = this.#refreshing.then(async () => {
      for (let at = 0; at < deviceIds.length; at += AT_ONCE) {
        await setImmediate();
        try {
          this.#summarize(deviceIds.slice(at, at + AT_ONCE).filter((id) => devices.known(id) !== undefined));
        } catch {
          // A disk that is full or busy: the next look says it again.
        }
      }
    });
    return this.#refreshing;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
    await this.#refreshing;
  }

  #summarize(deviceIds: readonly string[]): readonly DeviceAgreement[] {
    const { directory, clock } = this.#options;
    const now = clock.now();
    const agreements = this.status({ deviceIds });
    for (const one of agreements)
      directory.observe(one.deviceId, { type: 'agreement', agreement: summarize(one, now) });
    return agreements;
  }

  /** Gives the chosen differences an answer, and returns how many there were. */
  #answer(
    { deviceIds, settings }: DriftChoice,
    /** Returns the differences that got an answer, each with what stays of it in the last look. */
    answer: (
      deviceId: string,
      chosen: readonly DriftedSetting[],
    ) => readonly { readonly one: DriftedSetting; readonly next: readonly DriftedSetting[] }[],
  ): number {
    const { store, devices } = this.#options;
    const looks = readLooks(store, deviceIds);
    let count = 0;
    store.transaction(() => {
      for (const { deviceId, differences } of this.status({ deviceIds })) {
        const look = looks.get(deviceId);
        const chosen = differences.filter((one) => isChosen(one, settings));
        if (look === undefined || chosen.length === 0) continue;
        const answered = new Map(answer(deviceId, chosen).map(({ one, next }) => [settingKey(one), next]));
        saveLook(store, {
          ...look,
          differences: look.differences.flatMap((one) => answered.get(settingKey(one)) ?? [one]),
        });
        count += answered.size;
      }
    });
    if (count === 0) {
      const { name, url } = devices.find(deviceIds[0] ?? '');
      throw userError('not-found', say('nothing-differs', { device: name }), { device: url });
    }
    this.#summarize(deviceIds);
    return count;
  }

  #choose(deviceIds: AgreementQuery['deviceIds']): readonly Device[] {
    const { devices } = this.#options;
    return deviceIds === undefined ? devices.list() : deviceIds.map((id) => devices.find(id));
  }

  async #lookAt(
    { id: deviceId, url }: Device,
    agreed: readonly AgreedSection[],
    signal: AbortSignal,
    /** Milliseconds before each read; all at once without it. */
    pause?: number,
  ): Promise<string> {
    const { store, clients, clock } = this.#options;
    const before = readLooks(store, [deviceId]).get(deviceId);
    const triedAt = (): string => clock.now().toISOString();
    try {
      const reader = createReader({ client: clients.get(deviceId), clock, signal, device: url });
      const seen: Compared[] = [];
      for (const group of pause === undefined ? [agreed] : agreed.map((section) => [section])) {
        if (pause !== undefined && seen.length > 0) await clock.delay(pause, signal);
        const read = await Promise.allSettled(group.map((section) => compareSection(section, reader)));
        for (const result of read) {
          if (result.status === 'rejected') throw result.reason;
          seen.push(result.value);
        }
      }
      const readAt = triedAt();
      noteDocuments(
        store,
        deviceId,
        readAt,
        seen.flatMap(({ shown }) => shown ?? []),
      );
      const isDrifted = seen.some(({ settings }) => settings.length > 0);
      const written = isDrifted
        ? this.#options.changes({ deviceIds: [deviceId], limit: MOST_WRITES }).changes
        : [];
      saveLook(store, {
        deviceId,
        triedAt: readAt,
        readAt,
        unseen: seen.reduce((sum, { unseen }) => sum + unseen, 0),
        differences: seen.flatMap(({ section, settings }) =>
          settings.map((setting): DriftedSetting => {
            const { set, resource, params } = section;
            const one = { set, params, ...removeUndefined({ ...setting }) };
            const known = before?.differences.find((other) => settingKey(other) === settingKey(one));
            const isSame = encodeCanonicalJson(known?.changes) === encodeCanonicalJson(setting.changes);
            const changedBy = findAuthor(written, one);
            return {
              ...one,
              label: resource.get.label,
              agreedBy: findAgreedBy(section, setting.path),
              since: known !== undefined && isSame ? known.since : readAt,
              changedBy,
              later: isSame ? known?.later : undefined,
            };
          }),
        ),
      });
    } catch (thrown) {
      if (!signal.aborted)
        saveLook(store, {
          deviceId,
          differences: [],
          unseen: 0,
          ...before,
          triedAt: triedAt(),
          error: { device: url, ...toErrorShape(thrown) },
        });
    }
    return deviceId;
  }

  /** Concludes from the last look and from what jobs proved since, without asking the device. */
  #conclude(deviceId: string, look: Look | undefined, proof: Proof | undefined): DeviceAgreement {
    const { store } = this.#options;
    const nothing = { deviceId, differences: [], unseen: 0 };
    if (proof === undefined) return { ...nothing, state: 'nothing-agreed' };
    const { provedAt = '', undoneAt = '' } = proof;
    const readAt = laterOf(look?.readAt, provedAt);
    const seen = removeUndefined({
      readAt: readAt === '' ? undefined : readAt,
      triedAt: look && laterOf(look.triedAt, provedAt),
    });
    if (undoneAt > (look?.readAt ?? '') && undoneAt >= provedAt)
      return readAgreed(store, [deviceId]).has(deviceId)
        ? { ...nothing, ...seen, state: 'unknown' }
        : { ...nothing, state: 'nothing-agreed' };
    if (look === undefined) return { ...nothing, ...seen, state: 'as-agreed' };
    const proved = look.differences.length > 0 && provedAt > (look.readAt ?? '');
    const places = proved ? readProvedPlaces(store, deviceId, look.readAt ?? '') : new Set<string>();
    const differences = look.differences.filter(({ set, params }) => !places.has(getSectionKey(set, params)));
    const failed = look.error !== undefined && look.triedAt > provedAt ? { error: look.error } : {};
    const state: AgreementState =
      'error' in failed
        ? 'unknown'
        : differences.length > 0
          ? 'drifted'
          : look.unseen > 0
            ? 'unknown'
            : 'as-agreed';
    return { deviceId, state, ...seen, differences, unseen: look.unseen, ...failed };
  }
}

/** Returns what lists say of a device; undefined where nothing was agreed. */
function summarize(
  { state, differences, readAt, triedAt, error }: DeviceAgreement,
  now: Date,
): AgreementSummary | undefined {
  if (state === 'nothing-agreed') return undefined;
  const putOff = differences.filter((one) => isPutOff(one, now));
  const [laterUntil] = putOff.flatMap(({ later }) => later?.until ?? []).sort();
  return {
    state,
    differs: differences.length - putOff.length,
    later: putOff.length === 0 ? undefined : putOff.length,
    laterUntil,
    readAt,
    failedAt: error === undefined ? undefined : triedAt,
  };
}

/** Returns whether one of the settings that were named is this one, or holds it; without names any is. */
function isChosen(one: DriftedSetting, settings: DriftChoice['settings']): boolean {
  return (
    settings?.some(
      ({ set, params, path }) =>
        (set === undefined || one.set === set) &&
        (params === undefined || encodeCanonicalJson(one.params) === encodeCanonicalJson(params)) &&
        (path === undefined || isWithin(one.path, path) || isWithin(path, one.path)),
    ) ?? true
  );
}

function laterOf(a = '', b = ''): string {
  return a > b ? a : b;
}

function settingKey({ set, params, path }: Pick<DriftedSetting, 'set' | 'params' | 'path'>): string {
  return encodeCanonicalJson([set, params, path]);
}

interface Compared {
  readonly section: AgreedSection;
  readonly settings: readonly Differing[];
  readonly unseen: number;
  /** The document as the device sent it, without secrets. */
  readonly shown?: SeenDocument;
}

/** Reads a section and compares it; one that the device does not show differs in nothing, and cannot be seen. */
async function compareSection(section: AgreedSection, reader: SectionReader): Promise<Compared> {
  const [first] = section.parts;
  const read = first && (await reader.read(first.section));
  if (read?.kind !== 'state') return { section, settings: [], unseen: section.parts.length };
  const { settings, unseen } = findDrift(section, read.state);
  const { id: operation, response: payload } = section.resource.get;
  const text = redactBody(read.state.document.text, { sensitive: true, payload });
  return {
    section,
    settings: settings.map((setting) => reader.shown(setting)),
    unseen,
    shown: { operation, params: section.params, text: reader.shown(text) },
  };
}

/** Returns who agreed last to a setting. */
function findAgreedBy({ parts }: AgreedSection, path: string): DriftedSetting['agreedBy'] {
  const part = parts.findLast(({ section }) => getValueAt(section.value, path) !== undefined) ?? parts.at(-1);
  if (part === undefined) throw new Error('A section without parts has nothing to differ.');
  return part.by;
}
