/** Putting back what jobs changed and was not kept in time, as undos that become open work where a device is away. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toErrorShape } from '#shared/errors.ts';
import type { Store } from '#engine/store/index.ts';
import { requireUndo, type JobKinds, type NewDevice, type NewJob } from '../job-kind.ts';
import type { StoredJob } from '../types.ts';
import { locate, type Finder } from '../locate-device.ts';
import { endGone, listUnconfirmed, listUnkeptJobs, removeUnconfirmed } from './confirm-rows.ts';

interface PutBackOptions {
  readonly store: Store;
  readonly kinds: JobKinds;
  readonly devices: Finder;
  readonly read: (id: string) => StoredJob;
  readonly begin: (job: NewJob & { readonly undoOf: string; readonly isLeftOpen: boolean }) => {
    readonly jobId: string;
  };
}

/**
 * Begins an undo for each such job at work no more: at once, or left as open work. What cannot begin now, because the vault
 * is locked or another program was faster, is left as it is.
 */
export function putBackUnkept(options: PutBackOptions, { atOnce }: { readonly atOnce: boolean }): void {
  const { store, begin } = options;
  for (const id of listUnkeptJobs(store))
    try {
      begin({ ...createUndo(id, options), undoOf: id, isLeftOpen: !atOnce });
    } catch (thrown) {
      // Nothing was written, or the devices were removed.
      if (toErrorShape(thrown).code === 'not-allowed') removeUnconfirmed(store, id);
    }
}

function createUndo(id: string, { store, kinds, devices: finder, read }: PutBackOptions): NewJob {
  const job = read(id);
  const left = new Set(listUnconfirmed(store, id));
  const gone = job.devices.filter((device) => left.has(device.position) && !locate(device, finder).ok);
  endGone(store, id, gone);
  const unkept = new Set(listUnconfirmed(store, id));
  const { allowPlainFields } = job.options;
  const undo = requireUndo(kinds, job).begin(job, {
    devices: job.devices.filter(({ position }) => unkept.has(position)),
    named: false,
    options: { wait: true, whenBack: {}, reverts: true, ...removeUndefined({ allowPlainFields }) },
  });
  // Whatever keeps it from being put back, it stays open work until it is, or a person decides.
  const devices = undo.devices.map((device): NewDevice =>
    device.turn === undefined ? device : { ...device, open: 'interrupted' },
  );
  return { ...undo, devices };
}
