/** Black box of devices: documents as they were, and what changed since. */
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { ChangeEntry } from '#shared/history.ts';
import type { KnownFacts } from '#shared/device-facts.ts';
import type {
  Restore,
  Snapshot,
  SnapshotDifference,
  SnapshotDocument,
  TimelineEntry,
} from '#shared/snapshots.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi, JobsApi, OperationsApi, SnapshotsApi } from '../api/routes.ts';
import type { DeviceClients } from '../device/client-types.ts';
import { findChannels, listDeviceReads, listCapabilityReads } from '../operations/device-reads.ts';
import type { Store } from '../store/index.ts';
import { mergeReads } from '../template/capture/merged.ts';
import { readResource, type Readable } from '../template/capture/read-resource.ts';
import {
  noteDocuments,
  noteWritten,
  pruneVersions,
  readDocumentsAt,
  readVersions,
  type SeenDocument,
} from './document-versions.ts';
import { buildRestore, compareSnapshots } from './compare-documents.ts';
import { captureDocuments } from './capture-documents.ts';
import { buildTimeline } from './timeline.ts';

interface SnapshotsOptions {
  readonly store: Store;
  readonly clients: DeviceClients;
  readonly clock: Clock;
  readonly devices: Pick<DevicesApi, 'find'>;
  readonly capabilities: OperationsApi['capabilities'];
  readonly changes: JobsApi['changes'];
  /** Operating system user. */
  readonly user: string;
}

/** Pages of the journal that a timeline reads at most; each has up to 200 writes. */
const MOST_PAGES = 25;
const PAGE = 200;

export class Snapshots implements SnapshotsApi {
  readonly #options: SnapshotsOptions;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** Reads everything that a device shows, and keeps it. @throws what keeps the device from being read */
  async take({ deviceId }: { readonly deviceId: string }, signal: AbortSignal): Promise<Snapshot> {
    const { store, clients, clock, devices, capabilities, user } = this.#options;
    const device = devices.find(deviceId);
    const reported = await capabilities({ deviceId: device.id }, signal);
    const [problem] = reported.problems;
    const wanted = [...listDeviceReads(device), ...listCapabilityReads(device)];
    const reading = {
      client: clients.get(device.id),
      clock,
      signal,
      device: device.url,
      system: findChannels(reported),
      inFlight: device.profile.inFlight,
    };
    const seen: SeenDocument[] = [];
    for await (const { index, result } of mergeReads(
      wanted,
      (one: Readable) => readResource(one, {}, reading),
      reading.inFlight,
    )) {
      const operation = wanted[index]?.get.id;
      const text = result.kind === 'value' ? result.text?.() : undefined;
      if (operation !== undefined && text !== undefined)
        seen.push({ operation, params: result.params, text });
    }
    if (seen.length === 0 && problem !== undefined) throw new FieldwrightError(problem);
    const at = clock.now().toISOString();
    const changed = noteDocuments(store, device.id, at, seen);
    const snapshot = { deviceId: device.id, at, by: user, documents: seen.length, changed };
    store.insert('snapshots', {
      device_id: device.id,
      at,
      by_user: user,
      documents: seen.length,
      changed,
    });
    pruneVersions(store, clock.now());
    return snapshot;
  }

  /** Lists the snapshots of a device, the newest first. */
  list({ deviceId }: { readonly deviceId: string }): readonly Snapshot[] {
    return this.#options.store.all<Snapshot>(
      `SELECT device_id AS deviceId, at, by_user AS "by", documents, changed FROM snapshots
       WHERE device_id = ? ORDER BY at DESC LIMIT 5000`,
      this.#options.devices.find(deviceId).id,
    );
  }

  /** Returns the documents of a device as they were at a time. @throws `not-found` if nothing was seen by then */
  show({ deviceId, at }: { readonly deviceId: string; readonly at?: string }): readonly SnapshotDocument[] {
    const { store, clock, devices } = this.#options;
    const { id, name, url } = devices.find(deviceId);
    const until = at === undefined ? clock.now().toISOString() : new Date(at).toISOString();
    noteWritten(store, id);
    const documents = readDocumentsAt(store, id, until);
    if (documents.length === 0)
      throw userError('not-found', say('nothing-seen-by-then', { device: name }), { device: url });
    return documents;
  }

  /** Compares a device at two times. @throws `not-found` if nothing was seen by the first */
  compare({
    deviceId,
    from,
    to,
  }: {
    readonly deviceId: string;
    readonly from: string;
    readonly to?: string;
  }): readonly SnapshotDifference[] {
    const before = this.show({ deviceId, at: from });
    return compareSnapshots(before, this.show({ deviceId, at: to }));
  }

  /** Reads the device and finds the way back to what it showed at a time. @throws `not-found`, and what `take` throws */
  async restore(
    { deviceId, at, name }: { readonly deviceId: string; readonly at: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<Restore> {
    const then = this.show({ deviceId, at });
    await this.take({ deviceId }, signal);
    return buildRestore(name, this.show({ deviceId }), then);
  }

  /** Returns the last settings that a device showed, as a template. @throws `not-found`, `not-supported` */
  capture({ deviceId }: { readonly deviceId: string }): string {
    return captureDocuments(this.#options.devices.find(deviceId), this.show({ deviceId })).text;
  }

  /** Returns what is known of a device without asking it. */
  async facts({ deviceId }: { readonly deviceId: string }): Promise<KnownFacts> {
    const { store, clock, devices } = this.#options;
    const { id } = devices.find(deviceId);
    noteWritten(store, id);
    const now = clock.now();
    const { buildKnownFacts } = await import('./known-facts.ts');
    return buildKnownFacts(readDocumentsAt(store, id, now.toISOString()), {
      here: now.getTime(),
      zone: -now.getTimezoneOffset(),
    });
  }

  /** Lists what changed on a device since a time, the newest first. */
  timeline({
    deviceId,
    since,
  }: {
    readonly deviceId: string;
    readonly since?: string;
  }): readonly TimelineEntry[] {
    const { id } = this.#options.devices.find(deviceId);
    noteWritten(this.#options.store, id);
    const entries = buildTimeline(readVersions(this.#options.store, id), this.#written(id));
    return since === undefined ? entries : entries.filter(({ at }) => at >= new Date(since).toISOString());
  }

  #written(deviceId: string): readonly ChangeEntry[] {
    const found: ChangeEntry[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { changes, next } = this.#options.changes({
        deviceIds: [deviceId],
        limit: PAGE,
        after,
      });
      found.push(...changes);
      if (next === undefined) break;
      after = next;
    }
    return found;
  }
}
