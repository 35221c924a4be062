/** A running desktop app as the specs see it, whatever runs it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';
import type { Page } from 'playwright';

type ElectronModule = typeof Electron;

export interface DesktopApp {
  /** The page of the first window. */
  readonly page: Page;
  /** Runs a function inside the main process; it can use nothing but its two arguments. */
  evaluateMain<Argument, Result>(
    run: (electron: ElectronModule, argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>;
  /** Quits as a person would; resolves when the process has ended. */
  close(): Promise<void>;
}

export interface DesktopLauncher {
  launch(dataDir: string): Promise<DesktopApp>;
  /** Starts the program again beside a running one; gives the exit code of the second. */
  launchBeside(dataDir: string): Promise<number>;
  dispose(): Promise<void>;
}

/** The checkout, or with `FIELDWRIGHT_APP_ROOT` another folder that holds package.json, resources/ and out/. */
export const ROOT = process.env['FIELDWRIGHT_APP_ROOT'] || join(import.meta.dirname, '..', '..');
export const BUNDLE = join(ROOT, 'out', 'main', 'index.cjs');

/** Specs run what was built, never the source. */
export function assertBuilt(): void {
  const missing = [
    BUNDLE,
    join(ROOT, 'out', 'preload', 'index.cjs'),
    join(ROOT, 'out', 'renderer', 'index.html'),
  ].find((file) => !existsSync(file));
  if (missing !== undefined) throw new Error(`${missing} is missing: run "npx electron-vite build" first.`);
}
