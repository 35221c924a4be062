/** Parts of the desktop around an app: `clipboard`, `shell`, `Notification`, `powerSaveBlocker`, `screen`. */
import { EventEmitter } from 'node:events';

let copied = '';
export const clipboard = {
  writeText(text: string): Promise<void> {
    copied = text;
    return Promise.resolve();
  },
  readText: (): Promise<string> => Promise.resolve(copied),
};

export const shell = {
  showItemInFolder(_path: string): void {
    /* there is no file manager */
  },
};

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true;
  }
  readonly title: string;
  readonly body: string;
  constructor({ title = '', body = '' }: { readonly title?: string; readonly body?: string } = {}) {
    super();
    this.title = title;
    this.body = body;
  }
  show(): void {
    this.emit('show', {});
  }
  close(): void {
    this.emit('close', {});
  }
}

let lastBlocker = 0;
const blockers = new Set<number>();
export const powerSaveBlocker = {
  start(type: string): number {
    if (type !== 'prevent-app-suspension' && type !== 'prevent-display-sleep')
      throw new TypeError('unknown type of power save blocker');
    blockers.add(++lastBlocker);
    return lastBlocker;
  },
  stop: (id: number): boolean => blockers.delete(id),
  isStarted: (id: number): boolean => blockers.has(id),
};

/** A laptop of 1920 × 1080 pixels at 150 %, with the taskbar below. */
const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1280, height: 720 },
  workArea: { x: 0, y: 0, width: 1280, height: 672 },
};
export const screen = {
  getAllDisplays: () => [display],
  getPrimaryDisplay: () => display,
  getDisplayMatching: (_bounds: object) => display,
};
