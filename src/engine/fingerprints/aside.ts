/** Lets other fingerprints proceed while one waits for the device to show it. */
import type { Clock } from '../api/host.ts';
import type { Write } from '../write/settle-write.ts';

/** Waits; meanwhile another item of the same device may begin. */
export type Aside = (wait: () => Promise<void>) => Promise<void>;

interface Waiting {
  readonly clock: Clock;
  readonly aside?: Aside;
}

/**
 * Returns a clock whose waits let other items proceed while the device is checked, so that a device that is slow to show
 * fingerprints does not delay each of them in turn. Waits before a busy device is written to again block other items.
 */
export function createAsideClock({
  clock,
  aside = (wait) => wait(),
}: Waiting): Required<Pick<Write<unknown>, 'clock' | 'phase'>> {
  let isLooking = false;
  return {
    phase: (phase) => {
      isLooking = phase === 'verifying';
    },
    clock: {
      now: () => clock.now(),
      delay: (ms, signal) => (isLooking ? aside(() => clock.delay(ms, signal)) : clock.delay(ms, signal)),
    },
  };
}
