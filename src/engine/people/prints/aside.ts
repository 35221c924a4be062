/** Waiting for a device to show what it said yes to, while other fingerprints have their turn. */
import type { Clock } from '../../api/host.ts';
import type { Write } from '../../write/settle-write.ts';

/** Waits; meanwhile another item of the same device may begin. */
export type Aside = (wait: () => Promise<void>) => Promise<void>;

interface Waiting {
  readonly clock: Clock;
  readonly aside?: Aside;
}

/**
 * Returns a clock that steps aside while the device is looked at, so that one that shows nothing does not cost the patience
 * anew for each fingerprint. A device that is too busy to be written to is left alone instead.
 */
export function asideClock({
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
