/** Model packages to many devices: the kind of job, its file, its server. */
import { formatDetail, say } from '#shared/details.ts';
import { userError, type ErrorShape } from '#shared/errors.ts';
import type { ApplyOptions } from '#shared/model.ts';
import type { ModelFinding, ModelPlan, ModelPlanDevice } from '#shared/ai-models/ai-models.ts';
import type { Clock } from '../api/host.ts';
import { refuseTurn } from '../jobs/device-turn.ts';
import type { ContinuedTurn, JobContext, JobKind, JobTurn, NewDevice, NewJob } from '../jobs/job-kind.ts';
import { isUnfinished } from '../jobs/job-state.ts';
import { createJobId } from '../jobs/jobs.ts';
import { locate, type Finder } from '../jobs/locate-device.ts';
import type { StoredDevice } from '../jobs/types.ts';
import { isGone } from '#shared/error-meaning.ts';
import { AiCalls, type AiOperations } from './ai-calls.ts';
import { AwakeTime } from './awake-time.ts';
import {
  getPackageSummary,
  modelSchemas,
  createModelUnits,
  type ModelBody,
  type ModelDocuments,
} from './documents.ts';
import { followDevice, sendToDevice } from './send-device.ts';
import type { Send } from './send.ts';
import { FileServer } from './serve/file-server.ts';
import { openPackage, type PackageFile } from './serve/package-file.ts';
import { DeviceUnits } from './units.ts';
import type { Waiting } from './serve/doctor/judge.ts';

export interface ModelKindOptions {
  readonly finder: Finder;
  readonly clock: Clock;
  readonly call: AiOperations['call'];
  readonly prepare: AiOperations['prepare'];
  /** Why a device may not come for the file. */
  readonly examine: (device: { readonly url: string }, waiting: Waiting) => Promise<readonly ModelFinding[]>;
  /** A device needs a restart, or was restarted. */
  readonly onRestart: (deviceId: string, what: 'restart-due' | 'restarted') => void;
}

interface SendChoice {
  /** Devices of the plan to send to; absent means all. */
  readonly deviceIds?: readonly string[] | undefined;
  readonly removePrevious: boolean;
  readonly waitSeconds: number;
  readonly options: ApplyOptions;
}

type StoredModelDevice = StoredDevice<ModelDocuments>;

/** A laptop has one network card; more at once only make each of them slower. */
const DEVICES_AT_ONCE = 10;
/** Milliseconds for which devices that are away are waited for, unless the person says otherwise. */
const WAITS_MS = 24 * 3_600_000;
/** Number of devices that wait at once; most only wait for a person to restart them. */
const WAITING_AT_ONCE = 64;

export class ModelKind {
  readonly #options: ModelKindOptions;
  readonly #server: FileServer;
  /** Package files by job, hashed in this process. */
  readonly #files = new Map<string, Promise<PackageFile>>();
  readonly kind: JobKind<ModelDocuments>;

  constructor(options: ModelKindOptions) {
    this.#options = options;
    this.#server = new FileServer({ clock: options.clock });
    this.kind = {
      name: 'model',
      whenBusy: 'refuse',
      interrupted: 'pending',
      schemas: modelSchemas,
      resume: (job) =>
        // A device that was away last time must not be tried first.
        job.devices
          .filter(isUnfinished)
          .toSorted((a, b) => Number(wasAway(a)) - Number(wasAway(b)))
          .map((device) => this.#resumed(device, job.body)),
      followUp: (job, devices, { waitSeconds }) =>
        devices.map((device) => this.#followed(device, job.body, waitSeconds * 1000)),
      history: {
        words: ({ step }) => step,
        rows: ({ step, log = [] }, label) => [
          { section: `model.${step}`, label },
          ...log.map(({ at, text }) => ({ section: 'model.log', from: at, label: formatDetail(text) })),
        ],
      },
      ended: (jobId) => void this.#files.delete(jobId),
    };
  }

  /** The job of a plan; the file is that of the plan. */
  newJob(plan: ModelPlan, file: PackageFile, choice: SendChoice): NewJob {
    const id = createJobId();
    const body: ModelBody = {
      mpid: plan.mpid,
      engines: [...plan.engines],
      mode: plan.mode,
      update: plan.update,
      removePrevious: choice.removePrevious,
      waitSeconds: choice.waitSeconds,
      file: { path: file.path, name: file.name, size: file.size, sha256: file.sha256 },
      mpName: plan.mpName,
      address: plan.address,
    };
    this.#files.set(id, Promise.resolve(file));
    const chosen = new Set(choice.deviceIds ?? plan.devices.map(({ deviceId }) => deviceId));
    const devices = plan.devices.filter(({ deviceId }) => chosen.has(deviceId));
    return {
      id,
      kind: 'model',
      title: plan.mpName === undefined ? plan.mpid : `${plan.mpName} (${plan.mpid})`,
      about: getPackageSummary(body),
      subject: `model:${plan.mpid}`.slice(0, 64),
      body,
      options: {
        whenBack: { until: new Date(this.#options.clock.now().getTime() + WAITS_MS).toISOString() },
        wait: false,
        concurrency: choice.waitSeconds > 0 ? WAITING_AT_ONCE : DEVICES_AT_ONCE,
        ...choice.options,
      },
      devices: devices.map((device, position) => this.#newDevice(device, position, body)),
    };
  }

  /** Throws `not-available` where it is no address of this computer. */
  requireOwnAddress(address: string): void {
    this.#server.requireOwn(address);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #newDevice(planned: ModelPlanDevice, position: number, body: ModelBody): NewDevice {
    const { deviceId, name, url, state, errors } = planned;
    const units = createModelUnits(body);
    const [first, ...others] = errors;
    const { profile, certificate } = this.#options.finder.find(deviceId);
    const place = {
      deviceId,
      name,
      url,
      units,
      connection: { profile, certificate },
    };
    if (state === 'blocked' && first !== undefined)
      return {
        ...place,
        state: 'failed',
        idle: true,
        error: { ...first, ...(others.length === 0 ? {} : { others }) },
      };
    const document = units.find(({ document: held }) => held !== undefined)?.document as
      ModelDocuments['unit'] | undefined;
    return {
      ...place,
      state: 'pending',
      turn: this.#turn({ position, deviceId, name, url }, body, () => document?.token ?? ''),
      // It would tell nothing about the others.
      changesNothing: state === 'offline',
    };
  }

  #turn(place: Place, body: ModelBody, token: () => string): JobTurn {
    return (context) => sendToDevice(place, context, () => this.#send(place, body, token(), context));
  }

  #resumed(device: StoredModelDevice, body: ModelBody): ContinuedTurn {
    const { position } = device;
    const located = locate(device, this.#options.finder);
    return {
      position,
      turn: located.ok
        ? this.#turn(
            { position, deviceId: located.device.id, name: device.name, url: located.device.url },
            body,
            () => tokenOf(device),
          )
        : (context) => refuseTurn(position, located.error, context),
    };
  }

  #followed(device: StoredModelDevice, body: ModelBody, waitMs: number): JobTurn {
    return (context) => {
      const { position, name } = device;
      const located = locate(device, this.#options.finder);
      if (!located.ok) return Promise.resolve(heldWith(device, located.error, context));
      const place = { position, deviceId: located.device.id, name, url: located.device.url };
      return followDevice(place, context, {
        prepare: () => this.#send(place, body, tokenOf(device), context),
        waitMs,
      });
    };
  }

  #send({ position, deviceId, name, url }: Place, body: ModelBody, token: string, context: JobContext): Send {
    const { call, prepare, clock, examine, onRestart } = this.#options;
    const units = new DeviceUnits(position, context);
    return {
      body,
      device: { id: deviceId, name, url },
      context,
      token,
      units,
      time: new AwakeTime(context, units),
      calls: new AiCalls({ call, prepare, deviceId, clock, signal: context.job.stopped }),
      server: this.#server,
      file: () => this.#file(context.job.id, body),
      examine: (waiting) => examine({ url }, waiting).catch(() => []),
      onRestart: (what) => onRestart(deviceId, what),
    };
  }

  /** All devices of a job share it; one that could not be opened is tried again by the next. */
  #file(jobId: string, body: ModelBody): Promise<PackageFile> {
    const known = this.#files.get(jobId);
    if (known !== undefined) return known;
    const opened = openPackage(body.file.path).then((file) => {
      if (file.sha256 === body.file.sha256) return file;
      throw userError('changed-meanwhile', say('model.other-file', { name: body.file.name }), {
        path: 'file',
      });
    });
    this.#files.set(jobId, opened);
    opened.catch(() => this.#files.delete(jobId));
    return opened;
  }
}

interface Place {
  readonly position: number;
  readonly deviceId: string;
  readonly name: string;
  readonly url: string;
}

function wasAway({ error }: StoredModelDevice): boolean {
  return error !== undefined && isGone(error);
}

/** Throws where the vault is locked. */
function tokenOf({ units }: StoredModelDevice): string {
  const unit = units.find(({ detail }) => detail.step === 'transfer');
  return unit?.document()?.token ?? '';
}

/** A device that cannot be looked at any more goes on waiting, and says why. */
function heldWith({ position }: StoredModelDevice, error: ErrorShape, context: JobContext): boolean {
  new DeviceUnits(position, context).holdForRestart(error);
  return false;
}
