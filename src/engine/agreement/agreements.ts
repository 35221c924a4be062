/** Agreed state of devices: what jobs proved or people accepted, and where a device shows something else since. */
import { say } from '#shared/details.ts';
import { toErrorShape, userError } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type {
  AcceptRequest,
  AgreementQuery,
  AgreementState,
  DeviceAgreement,
  DriftedSetting,
  LookEvent,
  PutRight,
} from '#shared/agreement.ts';
import type { Device } from '#shared/model.ts';
import { getValueAt, isWithin, redactBody } from '#protocol/index.ts';
import type { Clock } from '../api/host.ts';
import type { AgreementsApi, DevicesApi, JobsApi } from '../api/routes.ts';
import { runInPool } from '../async/pool.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { createReader, type SectionReader } from '../planning/read-section.ts';
import type { Store } from '../store/index.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { saveAccepted } from './accepted.ts';
import { getSectionKey } from '../template/document.ts';
import { readAgreed, type AgreedSection } from './agreed-sections.ts';
import { noteDocuments, type SeenDocument } from '../snapshots/document-versions.ts';
import { lookInBackground, PAUSE_MS } from './background-look.ts';
import { findAuthor } from './authors.ts';
import { findDrift, type Differing } from './find-drift.ts';
import { readLooks, saveLook, type Look } from './looks.ts';
import { readProofs, readProvedPlaces, type Proof } from './proofs.ts';
import { buildPutRight, buildSections } from './put-right.ts';

interface AgreementsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'list' | 'find'>;
  readonly changes: JobsApi['changes'];
  /** Operating system user. */
  readonly user: string;
}

/** Writes of a device that are looked through for the one that wrote what is shown. */
const MOST_WRITES = 200;

export class Agreements implements AgreementsApi {
  readonly #options: AgreementsOptions;
  readonly #closing = new AbortController();
  #looking: Promise<void> | undefined;

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
      const [device] = this.status({ deviceIds: [deviceId] });
      if (device !== undefined) yield { type: 'device', device, done, total: asked.length };
    }
    if (signal.aborted) throw userError('cancelled', say('look-cancelled'));
    yield { type: 'end' };
  }

  /** Makes what a device showed at the last look its agreement. @throws `not-found` if nothing of it differs */
  accept({ deviceId, set, path, reason }: AcceptRequest): { readonly accepted: number } {
    const { store, clock, user, devices } = this.#options;
    const device = devices.find(deviceId);
    const look = readLooks(store, [device.id]).get(device.id);
    const chosen = this.status({ deviceIds: [device.id] }).flatMap(({ differences }) =>
      differences.filter(
        (one) =>
          (set === undefined || one.set === set) &&
          (path === undefined || isWithin(one.path, path) || isWithin(path, one.path)) &&
          one.shown !== undefined,
      ),
    );
    if (look === undefined || chosen.length === 0)
      throw userError('not-found', say('nothing-differs', { device: device.name }), {
        device: device.url,
      });
    const at = clock.now().toISOString();
    const keys = new Set(chosen.map(settingKey));
    store.transaction(() => {
      for (const section of buildSections(chosen, ({ shown }) => shown))
        saveAccepted(store, { deviceId: device.id, ...section, by: { at, user, reason } });
      saveLook(store, { ...look, differences: look.differences.filter((one) => !keys.has(settingKey(one))) });
    });
    return { accepted: chosen.length };
  }

  /** Returns the templates that put right what differed at the last look. */
  putRight({
    name,
    set,
    ...query
  }: AgreementQuery & { readonly name: string; readonly set?: string }): readonly PutRight[] {
    const devices = this.status(query).map((device) => ({
      ...device,
      differences: device.differences.filter((one) => set === undefined || one.set === set),
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

  /** Looks at every device once a day, gently, until the engine is closed. */
  lookInBackground(given: Parameters<AgreementsApi['lookInBackground']>[0]): void {
    const { store, clock, devices } = this.#options;
    this.#looking = lookInBackground(
      {
        ...given,
        clock,
        devices: () => devices.list(),
        status: () => this.status(),
        look: async (id, signal) => {
          const device = devices.list().find((one) => one.id === id);
          if (device !== undefined)
            await this.#lookAt(device, readAgreed(store, [id]).get(id) ?? [], signal, PAUSE_MS);
        },
      },
      this.#closing.signal,
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#looking;
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
              ...removeUndefined({ changedBy }),
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
  const text = redactBody(read.state.document.text, { sensitive: true, ...removeUndefined({ payload }) });
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
