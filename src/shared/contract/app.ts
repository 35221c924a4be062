/** The app itself. */
import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type { AppInfo } from '../model.ts';

export const appRoutes = {
  info: oc.output(type<AppInfo>()),
  /** Starts a simulated site in this process and adds its devices, signed in. */
  startSimulatedSite: oc
    .input(z.object({ devices: z.number().int().min(1).max(200) }))
    .output(type<{ added: number }>()),
  /** Whether a question waits for a person outside the page, which cannot see or answer it. */
  questions: oc.output(eventIterator(type<{ readonly open: boolean }>())),
  /** `remember`: the keychain opens it from the next start on; see `canRemember`. */
  unlockVault: oc
    .input(z.object({ passphrase: z.string().min(1).max(1000), remember: z.boolean().optional() }))
    .output(type<AppInfo>()),
};
