/**
 * Fingerprints as a kind of job: a unit is a device, and the outcome of each fingerprint has a row of its
 * own.
 */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import { formatDetail, createDetail, say } from '#shared/details.ts';
import { appError, userError } from '#shared/errors.ts';
import type { UnitResult } from '#shared/model.ts';
import type { DeviceSecrets } from '../inventory/access/device-secrets.ts';
import type { Finder } from '../jobs/locate-device.ts';
import {
  createUnitKind,
  type Unit,
  type UnitKind,
  type UnitPlace,
  type UnitVerdict,
  type UnitWork,
} from '../jobs/unit-kind.ts';
import { deliver } from './deliver.ts';
import {
  CIPHER_MODES,
  describeCipher,
  hasOtherSettings,
  createFieldCipher,
  type FieldCipher,
} from './field-cipher.ts';
import { runLane, type LaneOptions } from './lane.ts';
import { readCount, addFingerprintCounts } from './people-with-prints.ts';
import type { PrintRows } from './print-rows.ts';
import { EVERY_FINGER, remove } from './remove.ts';
import { DeviceSource, createMemorySource, createStoredSource, type PrintSource } from './source.ts';

const schemas = computeOnce(() => ({
  /** The whole work is stored with each unit, so that a unit can go on by itself. */
  body: z.object({ work: z.enum(['import', 'copy', 'remove', 'enrol']) }),
  device: z.object({}),
  detail: z.object({
    /** `source`: the device that is read. */
    role: z.enum(['source', 'target']),
    counts: z.record(z.string(), z.number()),
  }),
  unit: z.object({
    work: z.enum(['import', 'copy', 'remove', 'enrol']),
    /** Device that a copy reads from. */
    source: z.string().optional(),
    people: z.array(z.string()).optional(),
    fingers: z.array(z.number()).optional(),
    readers: z.array(z.number()).optional(),
    checkPerson: z.boolean(),
    verify: z.boolean(),
    cipher: z
      .object({
        iterationTimes: z.union([z.literal(50_000), z.literal(80_000), z.literal(100_000)]),
        keyLen: z.union([z.literal(128), z.literal(256)]),
        encryptAlgorithmMode: z.enum(CIPHER_MODES),
        encryptAlgorithmFill: z.enum(['yes', 'no']),
      })
      .optional(),
  }),
}));
export type PrintOrder = z.infer<ReturnType<typeof schemas>['unit']>;
interface PrintDocuments {
  readonly body: z.infer<ReturnType<typeof schemas>['body']>;
  readonly device: object;
  readonly detail: z.infer<ReturnType<typeof schemas>['detail']>;
  readonly unit: PrintOrder;
}

export const PRINTS_KIND = 'fingerprints';
/** Name of the token key among a device's secrets. */
const TOKEN_KEY = 'token-key';
const DEFAULT_READERS = [1];
const DEFAULT_IN_FLIGHT = 2;

interface PrintsKindOptions {
  readonly rows: PrintRows;
  readonly finder: Finder;
  readonly secrets: Pick<DeviceSecrets, 'of'>;
}

export class PrintsKind {
  readonly #options: PrintsKindOptions;
  readonly #sources = new Map<string, PrintSource>();
  /** Jobs whose input this process is reading. */
  readonly filling = new Set<string>();
  readonly kind: UnitKind<PrintDocuments>;

  constructor(options: PrintsKindOptions) {
    this.#options = options;
    const kind = createUnitKind<PrintDocuments>({
      name: PRINTS_KIND,
      whenBusy: 'wait',
      // Reading finds out what may have been sent, fingerprint by fingerprint.
      interrupted: 'pending',
      schemas,
      finder: options.finder,
      history: { rows: () => [] },
      work: (unit, place, work) => this.#work(unit, place, work),
      ended: (jobId) => {
        this.#sources.delete(jobId);
        options.rows.sweep();
      },
    });
    this.kind = {
      ...kind,
      resume: (job, request) => {
        for (const { position } of job.devices) options.rows.reopen(job.id, position);
        return kind.resume(job, request);
      },
    };
  }

  /** Holds the templates of a job. They exist only here and are lost with this process. */
  hold(jobId: string, data: string): void {
    this.#sources.set(jobId, createMemorySource(data));
  }

  async #work(unit: Unit<PrintDocuments>, place: UnitPlace, work: UnitWork): Promise<UnitVerdict> {
    const order = unit.document;
    if (order === undefined) throw appError('storage-damaged', say('job-damaged'));
    // A site file brings the job without them.
    if (this.#options.rows.list(unit.key.jobId) === undefined)
      throw userError('not-found', say('prints-elsewhere'));
    const source = this.#sourceOf(unit.key.jobId, order, work);
    return unit.detail.role === 'source'
      ? this.#read(unit, source, work)
      : this.#write(unit, order, { place, source, work });
  }

  /** Reads the source device: done when all devices that receive are done. */
  async #read(
    { key }: Unit<PrintDocuments>,
    source: PrintSource,
    { job, begin }: UnitWork,
  ): Promise<UnitVerdict> {
    await begin();
    const error = await source.fill(job.stopped);
    if (job.stopped.aborted) return { outcome: 'pending' };
    if (error !== undefined) return { outcome: 'pending', stop: error };
    const others = () => job.results.filter((_device, position) => position !== key.position);
    for await (const _event of job.watch(job.stopped))
      if (others().every(({ state }) => state === 'done' || state === 'failed')) break;
    // The remaining fingerprints of the others need this device again.
    const isLeft = others().some(({ units }) => units.some(({ outcome }) => outcome === 'pending'));
    return { outcome: isLeft ? 'pending' : 'unchanged' };
  }

  async #write(
    { key }: Unit<PrintDocuments>,
    order: PrintOrder,
    {
      place,
      source,
      work,
    }: { readonly place: UnitPlace; readonly source: PrintSource; readonly work: UnitWork },
  ): Promise<UnitVerdict> {
    const { rows } = this.#options;
    const { job, clients, clock } = work;
    const cipher = this.#cipherOf(order, place.deviceId);
    await work.begin();
    const client = clients.get(place.deviceId);
    const filling = order.work === 'copy' ? source.fill(job.stopped) : undefined;
    const lane: LaneOptions = {
      rows,
      jobId: key.jobId,
      position: key.position,
      source,
      inFlight: this.#inFlight(place.deviceId),
      stopped: job.stopped,
      progress: work.progress,
      work: async (item, turn) => {
        const common = { client, clock, device: place.url, stopped: job.stopped, item, ...turn };
        if (order.work === 'remove') {
          const reach = { client, clock, device: place.url, signal: job.stopped };
          const isAll = item.fingerPrintID === EVERY_FINGER;
          const count = isAll ? await readCount(reach, item.employeeNo) : undefined;
          return remove({ ...common, readers: order.readers, count });
        }
        return deliver({
          ...common,
          readers: item.readers ?? order.readers ?? DEFAULT_READERS,
          template: () => source.template(item),
          checkPerson: order.checkPerson,
          verify: order.verify,
          encrypt: cipher?.encrypt,
        });
      },
    };
    return runLane(lane, filling);
  }

  #deviceSource(
    jobId: string,
    { source, people, fingers, readers }: PrintOrder & { readonly source: string },
    { clients, clock, job }: UnitWork,
  ): PrintSource {
    const from = {
      client: clients.get(source),
      clock,
      device: this.#options.finder.find(source).url,
    };
    return new DeviceSource({
      ...from,
      rows: this.#options.rows,
      jobId,
      people: people && (() => addFingerprintCounts({ ...from, signal: job.stopped }, people)),
      fingers,
      readers,
    });
  }

  #sourceOf(jobId: string, order: PrintOrder, work: UnitWork): PrintSource {
    const known = this.#sources.get(jobId);
    if (known !== undefined) return known;
    const { rows } = this.#options;
    const made =
      order.work === 'copy' && order.source !== undefined
        ? this.#deviceSource(jobId, { ...order, source: order.source }, work)
        : createStoredSource(rows, jobId);
    if (order.work === 'import' && !this.filling.has(jobId) && rows.list(jobId)?.isClosed === false) {
      // The process that read the input has ended, and the rest of the input is lost.
      rows.addBad(jobId, [
        { whose: {}, error: { code: 'cancelled', source: 'app', ...say('prints-input-open') } },
      ]);
      rows.closeInput(jobId);
    }
    this.#sources.set(jobId, made);
    return made;
  }

  #inFlight(deviceId: string): number {
    try {
      return this.#options.finder.find(deviceId).profile.inFlight;
    } catch {
      return DEFAULT_IN_FLIGHT;
    }
  }

  /**
   * Returns the cipher for a device. @throws `not-found` if the vault has no token key of the device,
   * `not-allowed` if the key was set up with other or unknown settings, `vault-locked`
   */
  #cipherOf({ cipher }: PrintOrder, deviceId: string): FieldCipher | undefined {
    if (cipher === undefined) return undefined;
    const secrets = this.#options.secrets.of(deviceId);
    const { name } = this.#options.finder.find(deviceId);
    const key = secrets.reveal(TOKEN_KEY, 'current');
    if (key === undefined) throw userError('not-found', say('prints-no-key', { name }));
    const settings = secrets.settings(TOKEN_KEY, 'current');
    if (settings === undefined) throw userError('not-allowed', say('prints-key-unknown', { name }));
    if (hasOtherSettings(cipher, settings))
      throw userError(
        'not-allowed',
        say('prints-key-other', { name, given: describeCipher(cipher), has: describeCipher(settings) }),
      );
    return createFieldCipher(key, cipher);
  }
}

export function createFingerprintUnit(
  role: 'source' | 'target',
  { cipher }: Pick<PrintOrder, 'cipher'>,
): UnitResult & PrintDocuments['detail'] {
  const title = createDetail(
    role === 'source' ? 'prints-unit-source' : cipher === undefined ? 'prints-unit' : 'prints-unit-encrypted',
  );
  return {
    index: 0,
    label: formatDetail(title),
    title,
    outcome: 'pending',
    role,
    counts: {},
  };
}
