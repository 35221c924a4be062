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
  /** The files that are started. */
  readonly app: AppFiles;
  /** Starts the program, with arguments such as the file that was opened with it. */
  launch(dataDir: string, args?: readonly string[]): Promise<DesktopApp>;
  /** Starts the program again beside a running one; gives the exit code of the second. */
  launchBeside(dataDir: string, args?: readonly string[]): Promise<number>;
  dispose(): Promise<void>;
}

/** The files of an app: `root` holds package.json and out/, `resources` what is read while it runs. */
export interface AppFiles {
  readonly root: string;
  readonly resources: string;
}

export const ROOT = join(import.meta.dirname, '..', '..');
export const CHECKOUT: AppFiles = { root: ROOT, resources: join(ROOT, 'resources') };

/** Returns the script that Electron starts. */
export function getBundle({ root }: AppFiles): string {
  return join(root, 'out', 'main', 'index.cjs');
}

/** Specs run what was built, never the source. */
export function assertBuilt(app: AppFiles = CHECKOUT): void {
  const missing = [
    getBundle(app),
    join(app.root, 'out', 'preload', 'index.cjs'),
    join(app.root, 'out', 'renderer', 'index.html'),
  ].find((file) => !existsSync(file));
  if (missing !== undefined) throw new Error(`${missing} is missing: run "npx electron-vite build" first.`);
}
