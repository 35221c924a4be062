/** Model packages on AI devices: what is there, sending one to many, changes of one device. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type {
  ModelBoard,
  ModelChanged,
  ModelFinding,
  ModelPlanEvent,
  ReceivedFile,
} from '../ai-models/ai-models.ts';
import { id, jobOptions, someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

/** Lengths of part 1, 8. */
const mpid = z.string().min(1).max(64);
const engine = z.number().int().min(0).max(9999);
/** A person agreed to what is taken away; without it the change is refused with `confirmation-needed`. */
const confirmed = z.boolean().optional();

const planInput = z.object({
  deviceIds: someIds,
  /** Id from `choose`, or from the host for a file that the person picked. */
  fileId: id,
  mpid,
  mpName: z.string().max(128).optional(),
  /** Engines that load the package; without any it is only stored. */
  engines: z.array(engine).max(64).readonly().optional(),
  /** Default: the device fetches it. */
  mode: z.enum(['url', 'push']).optional(),
  /** Own address to serve at; default: the one that the connection to the device uses. */
  address: z.string().min(1).max(100).optional(),
  /** Replaces the content of the package of this id. */
  update: z.boolean().optional(),
});

export const modelsRoutes = {
  /** Reads a device's engines, packages and storage. @throws if the device cannot be reached */
  board: waiting('none')
    .input(z.object({ deviceId: id }))
    .output(type<ModelBoard>()),
  /**
   * Receives a page's file, piece by piece in order; the first without an id. Throws `not-found`,
   * `not-available` on a full disk.
   */
  receive: waiting('none')
    .input(
      z.object({
        uploadId: id.optional(),
        name: z.string().min(1).max(255),
        base64: z.string().max(6_000_000),
        /** Marks the last piece; after it the file can be sent. */
        last: z.boolean(),
      }),
    )
    .output(type<ReceivedFile>()),
  /**
   * Hashes the file, reads the devices and reports what prevents sending; sends nothing. Ends with the plan,
   * which is kept for `send`. Throws `unreadable-file`, `changed-meanwhile`, `out-of-range`.
   */
  plan: route('none').input(planInput).output(eventIterator(type<ModelPlanEvent>())),
  /**
   * Journals and begins a job of kind `model`; a device that is blocked stays in it with the reason, one that is away
   * has its turn when it is seen. Throws `plan-outdated`, `not-available` where another job works on a device.
   */
  send: route('none')
    .input(
      z.object({
        planId: id,
        deviceIds: someIds.optional(),
        /** A package that made room for it on an engine is deleted once it runs. */
        removePrevious: z.boolean().optional(),
        /** Seconds that a device has for its restart within its turn; default 0: it is followed up. */
        waitSeconds: z.number().int().min(0).max(86_400).optional(),
        options: jobOptions,
      }),
    )
    .output(type<{ jobId: string }>()),
  /**
   * Loads a package into an engine. Each of these changes is a job of kind `call`. Throws a refusal, also if
   * nothing was sent.
   */
  load: waiting('none')
    .input(z.object({ deviceId: id, engine, mpid }))
    .output(type<ModelChanged>()),
  unload: waiting('none')
    .input(z.object({ deviceId: id, engine, confirmed }))
    .output(type<ModelChanged>()),
  reset: waiting('none')
    .input(z.object({ deviceId: id, engine, confirmed }))
    .output(type<ModelChanged>()),
  remove: waiting('none')
    .input(z.object({ deviceId: id, mpid, confirmed }))
    .output(type<ModelChanged>()),
  /** Checks that devices can fetch a file from this computer, and names the obstacles. */
  doctor: waiting('none')
    .input(z.object({ fileId: id.optional(), deviceIds: z.array(id).max(200).readonly() }))
    .output(type<readonly ModelFinding[]>()),
};
