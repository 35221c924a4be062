/** The app itself. */
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { DesktopEvent } from '../desktop-events.ts';
import type { AppInfo, UpdateCheck } from '../model.ts';
import type { ChosenFile } from '../ai-models/ai-models.ts';
import type { PrintsRead } from '../people/fingerprints.ts';
import { id } from './inputs.ts';
import { route, waiting } from './route.ts';

export const appRoutes = {
  info: route('none').output(type<AppInfo>()),
  /** Starts a simulated site in this process and adds its devices, signed in with a password made for them. */
  startSimulatedSite: waiting('none')
    .input(z.object({ devices: z.number().int().min(1).max(200) }))
    .output(type<{ added: number }>()),
  /** Yields true while a question waits for a person outside the page, which cannot see or answer it. */
  questions: route('none').output(eventIterator(type<{ readonly open: boolean }>())),
  /**
   * Lets the person pick a model package in a dialog of the system, outside the page; it is used where it lies. Nothing
   * where none was picked. Throws `not-available` where there is no such dialog (the browser).
   */
  pickPackage: waiting('none').output(type<{ readonly file?: ChosenFile }>()),
  /**
   * Lets the person pick a file of fingerprints in a dialog of the system and reads it into the prepared job. Nothing
   * where none was picked. Throws `not-available` where there is no such dialog (the browser).
   */
  pickFingerprints: waiting('none')
    .input(z.object({ jobId: id }))
    .output(type<{ readonly read?: PrintsRead; readonly name?: string }>()),
  /** Yields what the desktop brings to the page; ends at once where there is none (the browser). */
  desktopEvents: route('none').output(eventIterator(type<DesktopEvent>())),
  /** Shows a file that the person saved before in its folder. False where it is not known any more. */
  showSaved: route('none')
    .input(z.object({ id: z.number().int() }))
    .output(type<{ readonly shown: boolean }>()),
  /** Tells the face which language the page shows, for its menus and dialogs. */
  showLanguage: route('none')
    .input(z.object({ language: z.string().regex(/^[A-Za-z-]{2,35}$/) }))
    .output(type<{ readonly shown: true }>()),
  /** Reads the file that announces new versions, where the policy of an organisation names one. */
  checkForUpdate: waiting('none').output(type<UpdateCheck>()),
  /** Keeps an error of the page, masked, for the diagnostics report. */
  reportFault: route('none')
    .input(
      z.object({
        name: z.string().max(100),
        message: z.string().max(2_000),
        stack: z.string().max(20_000).optional(),
      }),
    )
    .output(type<{ readonly kept: true }>()),
  /**
   * Opens a vault protected by a passphrase, or protects a new one with it. `remember`: the keychain opens it from
   * the next start on; see `canRemember`.
   */
  unlockVault: waiting('none')
    .input(z.object({ passphrase: z.string().min(1).max(1000), remember: z.boolean().optional() }))
    .output(type<AppInfo>()),
};
