/** `app`: life cycle, paths, the single instance lock. */
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWindows } from './windows.ts';
import { systemDir, systemFile } from './surroundings.ts';

/** Tells listeners and gives whether one of them prevented what was about to happen. */
export function emitPreventable(emitter: EventEmitter, event: string, details: object = {}): boolean {
  let prevented = false;
  emitter.emit(
    event,
    Object.assign(details, {
      preventDefault: () => {
        prevented = true;
      },
    }),
  );
  return prevented;
}

class App extends EventEmitter {
  readonly isPackaged = false;
  readonly #paths = new Map<string, string>();
  #isReady = false;
  readonly #ready = new Promise<void>((resolve) => {
    setImmediate(() => {
      this.#isReady = true;
      resolve();
    });
  });
  #quitting = false;

  setName(): void {
    /* shows in menus only */
  }
  /** Returns the version in the package.json around the script that was started. */
  getVersion(): string {
    const file = join(process.env['STAND_IN_BUNDLE'] ?? '', '..', '..', '..', 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
  }
  getLocale(): string {
    if (!this.#isReady) throw new Error('app.getLocale() must be called after the app is ready.');
    return 'en-US';
  }
  isReady(): boolean {
    return this.#isReady;
  }
  setAppUserModelId(): void {
    /* Windows alone has one */
  }
  whenReady(): Promise<void> {
    return this.#ready;
  }
  setPath(name: string, path: string): void {
    // Electron throws for a folder that does not exist.
    if (!statSync(path).isDirectory()) throw new Error(`Failed to set '${name}': ${path} is no folder.`);
    this.#paths.set(name, path);
  }
  getPath(name: string): string {
    return this.#paths.get(name) ?? systemFile(name);
  }

  /** Locks by a file that names the running process; the second tells the first by touching another. */
  requestSingleInstanceLock(): boolean {
    const id = createHash('sha256').update(this.getPath('userData')).digest('hex').slice(0, 16);
    const lock = systemFile(`${id}.lock`);
    if (isAlive(readNumber(lock))) {
      const second = { pid: process.pid, args: process.argv, folder: process.cwd() };
      writeFileSync(systemFile(`${id}.second`), JSON.stringify(second));
      return false;
    }
    writeFileSync(lock, String(process.pid));
    process.on('exit', () => {
      rmSync(lock, { force: true });
    });
    watch(systemDir, (_kind, name) => {
      const second = name === `${id}.second` ? readSecond(join(systemDir, name)) : undefined;
      if (second === undefined) return;
      rmSync(systemFile(`${id}.second`), { force: true });
      // Chromium adds switches of its own, and may change their order.
      this.emit(
        'second-instance',
        {},
        ['--original-process-start-time=1', ...second.args],
        second.folder,
        null,
      );
    }).unref();
    return true;
  }

  quit(): void {
    if (this.#quitting || emitPreventable(this, 'before-quit')) return;
    this.#quitting = true;
    for (const window of [...openWindows]) window.close();
    this.emit('will-quit', {
      preventDefault() {
        /* not used */
      },
    });
    this.exit(0);
  }

  exit(code = 0): never {
    this.emit('quit', {}, code);
    process.exit(code);
  }

  /** Called by the last window. */
  windowsGone(): void {
    if (this.#quitting) return;
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }
}

export const app = new App();

function readSecond(file: string): { readonly args: readonly string[]; readonly folder: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readSecond>;
  } catch {
    // It is still being written.
    return undefined;
  }
}

function readNumber(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
