/** The smallest kind of job: units that count the bytes of a file, on a device or for the whole site; it knows no template. */
import { z } from 'zod';
import { computeOnce } from '#shared/once.ts';
import type { DeviceClients } from '#engine/device/client-types.ts';
import { createJobKinds } from '#engine/jobs/job-kind.ts';
import { Jobs, createJobId } from '#engine/jobs/jobs.ts';
import type { Finder } from '#engine/jobs/locate-device.ts';
import { createUnitKind } from '#engine/jobs/unit-kind.ts';
import { openStore } from '#engine/store/index.ts';
import type { ApplyOptions, Device } from '#shared/model.ts';

const schemas = computeOnce(() => ({
  body: z.object({ packageId: z.string() }),
  device: z.object({}),
  detail: z.object({ file: z.string() }),
  unit: z.object({ bytes: z.number(), owner: z.string() }),
}));
export interface Counting {
  readonly body: z.infer<ReturnType<typeof schemas>['body']>;
  readonly device: z.infer<ReturnType<typeof schemas>['device']>;
  readonly detail: z.infer<ReturnType<typeof schemas>['detail']>;
  readonly unit: z.infer<ReturnType<typeof schemas>['unit']>;
}

const STEP = 10;
export const BYTES = 30;

const finder: Finder = {
  find: (id) => ({ id, name: id, url: `http://${id}` }) as Device,
  addTransient: () => {
    throw new Error('every device is known here');
  },
};
/** Seals well enough to see that what must be sealed is. */
const vault = {
  seal: (text: string) => Buffer.from(text, 'utf8').toReversed(),
  open: (bytes: Uint8Array) => Buffer.from(bytes.toReversed()).toString('utf8'),
};

export interface Step {
  readonly file: string;
  readonly device: string;
  /** Bytes that were counted before it. */
  readonly done: number;
}

/** `onStep` is awaited before every step, after the unit's intent is on disk. */
export function openJobs(dataDir: string, onStep: (step: Step) => Promise<void>) {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => new Date((now += 1000)), delay: () => Promise.resolve() };
  const store = openStore(dataDir, { clock });
  /** Jobs that ended, and whether nothing of them remains. */
  const ended: (readonly [string, boolean])[] = [];
  const kind = createUnitKind<Counting>({
    name: 'count',
    ended: (id, done) => ended.push([id, done]),
    whenBusy: 'wait',
    interrupted: 'pending',
    schemas,
    finder,
    history: { words: ({ file }) => file, rows: ({ file }, label) => [{ section: file, label }] },
    async work({ detail: { file }, document, progress }, { deviceId: device }, work) {
      const total = document?.bytes ?? 0;
      await work.begin();
      for (let done = progress?.done ?? 0; done < total; done += STEP) {
        if (work.job.cancelled) return { outcome: 'pending' };
        await onStep({ file, device, done });
        work.progress({ done: done + STEP, total });
      }
      return { outcome: 'effective' };
    },
  });
  const jobs = new Jobs({
    store,
    clients: {} as DeviceClients,
    devices: finder,
    testAfresh: () => {
      throw new Error('Nothing is tested.');
    },
    sites: { list: () => [] },
    kinds: createJobKinds([kind]),
    saved: { mark: (variables) => variables },
    vault,
    clock,
    user: 'installer',
  });
  /** Every file to every device; the empty name is the site as a whole. */
  const begin = (
    names: readonly string[],
    files: readonly string[] = ['face.bin'],
    options: ApplyOptions = {},
  ) =>
    jobs.begin({
      id: createJobId(),
      kind: 'count',
      title: 'Face model 7',
      about: {},
      subject: 'package-7',
      body: { packageId: 'package-7' },
      options: { concurrency: 1, ...options },
      devices: names.map((name, position) => {
        const device = {
          deviceId: name,
          name,
          url: name === '' ? '' : `http://${name}`,
          state: 'pending' as const,
          units: files.map((file, index) => ({
            result: {
              index,
              label: `Send ${file}`,
              outcome: 'pending' as const,
              progress: { done: 0, total: BYTES },
              file,
            },
            document: { bytes: BYTES, owner: 'Ms. Underhill' },
            sensitive: true,
          })),
        };
        return { ...device, turn: kind.turn(device, position) };
      }),
    }).jobId;
  return {
    jobs,
    begin,
    ended,
    async close() {
      await jobs.close();
      store.close();
    },
  };
}
