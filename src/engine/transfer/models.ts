/** Model packages for the faces: boards, plans, jobs, changes of one device. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { modelsRoutes } from '#shared/contract/ai-models.ts';
import type { RouteFunctions } from '#shared/contract/route.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { hasUnseen } from '#shared/text/unseen.ts';
import type { ChosenFile, ModelChanged, ModelFinding, ModelPlanEvent } from '#shared/ai-models/ai-models.ts';
import type { Clock } from '../api/host.ts';
import type { DevicesApi } from '../api/routes.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SingleWriter } from '../write/look-for.ts';
import { AiCalls, type AiOperations } from './ai-calls.ts';
import { readBoard } from './board.ts';
import {
  loadEngine,
  removePackage,
  resetEngine,
  unloadEngine,
  type ChangeContext,
} from './engine-changes.ts';
import { ModelKind, type ModelKindOptions } from './model-kind.ts';
import { makePlan, type MadePlan } from './plan.ts';
import { ReceivedFiles } from './received-files.ts';
import { openPackage } from './serve/package-file.ts';
import type { Waiting } from './serve/doctor/judge.ts';

export interface ModelsApi extends RouteFunctions<typeof modelsRoutes> {
  /** A file that a person picked, by its path; pages know it by its id only. Throws `unreadable-file`. */
  choose(path: string): Promise<ChosenFile>;
}

interface ModelsOptions {
  readonly clock: Clock;
  /** Files that pages send are kept in it. */
  readonly dataDir: string;
  readonly call: AiOperations['call'];
  readonly prepare: AiOperations['prepare'];
  /** Sends one change as a job of its own. */
  readonly write: SingleWriter;
  readonly devices: Pick<DevicesApi, 'find' | 'addTransient'>;
  readonly doctor: (
    request: {
      readonly devices: readonly { readonly url: string }[];
      readonly address?: string;
      readonly waiting?: Waiting;
    },
    signal: AbortSignal,
  ) => Promise<readonly ModelFinding[]>;
  readonly onRestart: ModelKindOptions['onRestart'];
}

/**
 * Number of files and plans kept. The oldest are dropped first; the person then picks the file, or plans,
 * again.
 */
const KEPT = 50;
const DOCTOR_DEADLINE_MS = 20_000;

export class Models {
  readonly #options: ModelsOptions;
  readonly #kind: ModelKind;
  readonly #files = new Map<string, { readonly path: string; readonly chosen: ChosenFile }>();
  readonly #received: ReceivedFiles;
  readonly #plans = new Map<string, MadePlan>();

  constructor(options: ModelsOptions) {
    const { clock, call, prepare, devices, onRestart } = options;
    this.#options = options;
    this.#received = new ReceivedFiles({
      folder: join(options.dataDir, 'packages'),
      clock,
      choose: (path) => this.#choose(path),
    });
    this.#kind = new ModelKind({
      finder: devices,
      clock,
      call,
      prepare,
      onRestart,
      examine: (device, waiting) =>
        options.doctor({ devices: [device], waiting }, AbortSignal.timeout(DOCTOR_DEADLINE_MS)),
    });
  }

  get kind(): JobKind {
    return this.#kind.kind as unknown as JobKind;
  }

  async close(): Promise<void> {
    await this.#received.close();
    await this.#kind.close();
  }

  api(jobs: Jobs): ModelsApi {
    const { clock, doctor } = this.#options;
    const change =
      <Request extends { readonly deviceId: string }>(
        run: (request: Request, context: ChangeContext) => Promise<ModelChanged>,
      ) =>
      (request: Request, signal: AbortSignal): Promise<ModelChanged> => {
        const { id, url } = this.#options.devices.find(request.deviceId);
        const { write } = this.#options;
        return run(request, { calls: this.#calls(id, signal), write, deviceId: id, signal, url });
      };
    return {
      choose: (path) => this.#choose(path),
      receive: (request) => this.#received.take(request),
      board: ({ deviceId }, signal) => {
        const { id, name, url } = this.#options.devices.find(deviceId);
        return readBoard(this.#calls(id, signal), { deviceId: id, name, url, at: clock.now().toISOString() });
      },
      plan: (request, signal) => this.#plan(request, signal),
      send: ({ planId, deviceIds, removePrevious = false, waitSeconds = 0, options = {} }) => {
        const kept = this.#plans.get(planId);
        if (kept === undefined) throw userError('plan-outdated', say('model.plan-gone'));
        return jobs.begin(
          this.#kind.newJob(kept.plan, kept.file, { deviceIds, removePrevious, waitSeconds, options }),
        );
      },
      load: change((request, context) => loadEngine(request, context)),
      unload: change((request, context) => unloadEngine(request, context)),
      reset: change((request, context) => resetEngine(request, context)),
      remove: change((request, context) => removePackage(request, context)),
      doctor: async ({ fileId, deviceIds }, signal) => {
        // One that cannot be read, or is being written to, is said first.
        if (fileId !== undefined) await openPackage(this.#file(fileId).path, { signal });
        const devices = deviceIds.map((id) => ({ url: this.#options.devices.find(id).url }));
        return doctor({ devices }, signal);
      },
    };
  }

  async *#plan(
    request: Parameters<ModelsApi['plan']>[0],
    signal: AbortSignal,
  ): AsyncGenerator<ModelPlanEvent> {
    const { clock, doctor, devices } = this.#options;
    const { fileId, deviceIds, mpid, mpName, engines = [], mode = 'url', update = false, address } = request;
    requireName('mpid', mpid, 64);
    if (mpName !== undefined) requireName('mpName', mpName, 128);
    if (address !== undefined && mode === 'url') this.#kind.requireOwnAddress(address);
    const { path } = this.#file(fileId);
    const wish = {
      devices: [...new Set(deviceIds)].map((id) => devices.find(id)),
      mpid,
      mode,
      update,
      engines: [...new Set(engines)],
      mpName,
      address,
    };
    const made = yield* makePlan(
      wish,
      {
        clock,
        calls: (deviceId, ended) => this.#calls(deviceId, ended),
        openFile: (ended, onProgress) => openPackage(path, { signal: ended, onProgress }),
        doctor: (places, ended) => doctor({ devices: places, address }, ended),
      },
      signal,
    );
    // The plan is kept before it is returned, as it may be used at once.
    keep(this.#plans, made.plan.id, made);
    yield { type: 'plan', plan: made.plan };
  }

  async #choose(path: string): Promise<ChosenFile> {
    const name = basename(path);
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    const chosen: ChosenFile = { id: randomUUID(), name, size };
    keep(this.#files, chosen.id, { path, chosen });
    return chosen;
  }

  #file(id: string): { readonly path: string; readonly chosen: ChosenFile } {
    const found = this.#files.get(id);
    if (found !== undefined) return found;
    throw userError('not-found', say('model.file-gone'), { path: 'file' });
  }

  #calls(deviceId: string, signal: AbortSignal): AiCalls {
    const { call, prepare, clock } = this.#options;
    return new AiCalls({ call, prepare, deviceId, clock, signal });
  }
}

/** Part 1, 8; and a name that looks like another one would be taken for it. */
function requireName(path: string, text: string, max: number): void {
  const { length } = [...text];
  if (hasUnseen(text) || text.trim() !== text)
    throw userError('not-allowed', say('model.name-unseen'), { path });
  if (length <= max) return;
  throw userError('too-long', say('model.name-length', { name: text, length, max }), { path });
}

function keep<Value>(into: Map<string, Value>, id: string, value: Value): void {
  into.set(id, value);
  const [oldest] = into.keys();
  if (into.size > KEPT && oldest !== undefined) into.delete(oldest);
}
