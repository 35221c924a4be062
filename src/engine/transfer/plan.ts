/** A plan to send a package: what would happen on each device, and what stands against it; nothing is sent for it. */
import { isGone } from '#shared/error-meaning.ts';
import { randomUUID } from 'node:crypto';
import { say } from '#shared/details.ts';
import { toErrorShape, userError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import type {
  ModelFinding,
  ModelMode,
  ModelPlan,
  ModelPlanDevice,
  ModelPlanEvent,
} from '#shared/ai-models/ai-models.ts';
import type { Clock } from '../api/host.ts';
import { runInPool } from '../async/pool.ts';
import type { AiCalls } from './ai-calls.ts';
import { readBoard, readPercent } from './board.ts';
import { checkBoard } from './check-step.ts';
import type { PackageFile } from './serve/package-file.ts';

/** A request, checked against the limits of part 1, 8. */
interface PlanWish {
  readonly devices: readonly Device[];
  readonly mpid: string;
  readonly mpName?: string;
  readonly engines: readonly number[];
  readonly mode: ModelMode;
  readonly update: boolean;
  readonly address?: string;
}

interface PlanMakerOptions {
  readonly clock: Clock;
  readonly calls: (deviceId: string, signal: AbortSignal) => AiCalls;
  readonly openFile: (
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ) => Promise<PackageFile>;
  readonly doctor: (
    devices: readonly { readonly url: string }[],
    signal: AbortSignal,
  ) => Promise<readonly ModelFinding[]>;
}

export interface MadePlan {
  readonly plan: ModelPlan;
  readonly file: PackageFile;
}

const DEVICES_AT_ONCE = 16;

export async function* makePlan(
  wish: PlanWish,
  { clock, calls, openFile, doctor }: PlanMakerOptions,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ModelPlanEvent, { readonly type: 'plan' }>, MadePlan> {
  const hashed: { done: number; total: number } = { done: 0, total: 0 };
  // A file that cannot be sent is said before a device is asked anything.
  const opening = openFile(signal, (done, total) => Object.assign(hashed, { done, total }));
  for (;;) {
    const file = await Promise.race([opening, clock.delay(TOLD_EVERY_MS, signal).then(() => undefined)]);
    if (file !== undefined) break;
    yield { type: 'hashing', ...hashed };
  }
  const file = await opening;
  yield { type: 'hashing', done: file.size, total: file.size };
  const found: ModelPlanDevice[] = [];
  const planned = runInPool(
    wish.devices,
    (device) =>
      planDevice(device, { wish, size: file.size, at: clock.now(), calls: calls(device.id, signal) }),
    { concurrency: DEVICES_AT_ONCE, signal },
  );
  for await (const device of planned) {
    found.push(device);
    yield { type: 'device', device, done: found.length, total: wish.devices.length };
  }
  if (signal.aborted) throw userError('cancelled', say('cancelled'));
  const findings =
    wish.mode === 'push'
      ? []
      : await doctor(
          wish.devices.map(({ url }) => ({ url })),
          signal,
        );
  const { devices, ...rest } = wish;
  const plan: ModelPlan = {
    ...rest,
    id: randomUUID(),
    at: clock.now().toISOString(),
    file: { name: file.name, size: file.size, sha256: file.sha256 },
    devices: devices.flatMap(({ id }) => found.find(({ deviceId }) => deviceId === id) ?? []),
    doctor: findings,
  };
  return { plan, file };
}

const TOLD_EVERY_MS = 250;

/** Never throws. */
async function planDevice(
  { id: deviceId, name, url }: Device,
  {
    wish,
    size,
    at,
    calls,
  }: { readonly wish: PlanWish; readonly size: number; readonly at: Date; readonly calls: AiCalls },
): Promise<ModelPlanDevice> {
  const place = { deviceId, name, url };
  try {
    const board = await readBoard(calls, { ...place, at: at.toISOString() });
    const percent = await readPercent(calls, wish.mpid);
    const { errors, notes, engines } = checkBoard(board, { ...wish, size }, percent);
    return {
      ...place,
      state: errors.length === 0 ? 'ready' : 'blocked',
      errors,
      notes,
      engines,
      storage: board.storage,
    };
  } catch (thrown) {
    const error = { device: url, ...toErrorShape(thrown) };
    return {
      ...place,
      state: isGone(error) ? 'offline' : 'blocked',
      errors: [error],
      notes: [],
      engines: [],
    };
  }
}
