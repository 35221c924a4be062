/** Secrets of devices that guided flows made: card passwords, token keys. */
import { type } from '@orpc/contract';
import { z } from 'zod';
import type { DeviceKey } from '../access.ts';
import { someIds } from './inputs.ts';
import { route, waiting } from './route.ts';

export const keysRoutes = {
  /** Lists the secrets, without their values. */
  list: route('none').output(type<readonly DeviceKey[]>()),
  /**
   * Writes them (default: of all devices) to a file that the passphrase opens. A person outside the page chooses its place
   * or agrees to it, and its content never comes to the page. Nothing where no place
   * was chosen. Throws `not-found` if there are none, `out-of-range` for a short passphrase, `vault-locked`,
   * `confirmation-needed`.
   */
  export: waiting('none')
    .input(z.object({ deviceIds: someIds.optional(), passphrase: z.string().max(1000) }))
    .output(type<{ readonly file?: string; readonly count: number }>()),
};
