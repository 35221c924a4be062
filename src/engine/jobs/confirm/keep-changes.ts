/** A person keeps what a job changed: where a fresh connection and sign-in work, it is not put back any more. */
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { DeviceTest, Job, KeptChanges } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import type { Clock } from '#engine/api/host.ts';
import type { Store } from '#engine/store/index.ts';
import { addRun } from '../journal-rows.ts';
import { locate, type Finder } from '../locate-device.ts';
import { listUnconfirmed, readCountdown, removeUnconfirmed, setCountdown } from './confirm-rows.ts';

/** Tests devices over connections of its own, without what is known of their sign-in; yields each result as it comes. */
export type TestAfresh = (ids: readonly string[], signal: AbortSignal) => AsyncIterable<DeviceTest>;

interface KeepOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Operating system user. */
  readonly user: string;
  readonly devices: Finder;
  readonly testAfresh: TestAfresh;
}

/** Milliseconds that the countdown leaves for the tests: a yes in its last second counts. */
const LONGEST_TEST_MS = 60_000;

/** @throws `not-allowed` if nothing of the job is left to be kept, `not-available` while it still writes */
export async function keepChanges(
  { id, state, results }: Job,
  { store, clock, user, devices, testAfresh }: KeepOptions,
  signal: AbortSignal,
): Promise<KeptChanges> {
  const positions = listUnconfirmed(store, id);
  if (positions.length === 0) throw userError('not-allowed', say('nothing-to-keep', { id }));
  const until = readCountdown(store, id);
  if (isAtWork(state) && until === undefined) throw userError('not-available', say('keep-too-early', { id }));

  const failed: KeptChanges['failed'][number][] = [];
  const places = new Map<string, number>();
  for (const position of positions) {
    const device = results[position];
    if (device === undefined) continue;
    const { deviceId, name, url } = device;
    const located = locate(device, devices);
    if (located.ok) places.set(located.device.id, position);
    else failed.push({ deviceId, name, url, error: located.error });
  }
  const good: number[] = [];
  const end = clock.now().getTime() + LONGEST_TEST_MS;
  if (until !== undefined && Date.parse(until) < end) setCountdown(store, id, new Date(end).toISOString());
  try {
    for await (const { deviceId, name, url, ok, error } of testAfresh([...places.keys()], signal)) {
      const position = places.get(deviceId);
      if (position === undefined) continue;
      if (ok) good.push(position);
      else if (error !== undefined) failed.push({ deviceId, name, url, error });
    }
    if (signal.aborted) throw userError('cancelled', say('keep-cancelled', { id }));
    const kept = store.transaction(() => {
      const removed = removeUnconfirmed(store, id, good);
      if (removed > 0) addRun(store, id, { kind: 'keep', at: clock.now().toISOString(), by: user });
      return removed;
    });
    if (good.length > 0 && kept === 0) throw userError('not-allowed', say('nothing-to-keep', { id }));
    return { job: id, kept, failed };
  } finally {
    setCountdown(store, id, until);
  }
}
