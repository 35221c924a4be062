/** Remembers the place of the window, in a file that may hold anything. */
import { readFileSync, writeFileSync } from 'node:fs';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { readJson, RECORD_BOUNDS } from '#shared/read-json.ts';

interface WindowState {
  /** Size and position; the window is centred if there is no position. */
  readonly bounds: {
    readonly width: number;
    readonly height: number;
    readonly x?: number;
    readonly y?: number;
  };
  readonly maximized: boolean;
}

export const SMALLEST = { width: 800, height: 600 };
const FIRST: WindowState = { bounds: { width: 1280, height: 840 }, maximized: false };

/** Returns the saved state if its position is still on a screen, else that of the first start. */
export function readWindowState(file: string): WindowState {
  let kept: unknown;
  try {
    kept = readJson(readFileSync(file, 'utf8'), RECORD_BOUNDS);
  } catch {
    return FIRST;
  }
  const { x, y, width, height, maximized } = Object(kept) as Record<string, unknown>;
  if (![x, y, width, height].every((value) => Number.isSafeInteger(value))) return FIRST;
  const bounds = {
    x,
    y,
    width: Math.max(Number(width), SMALLEST.width),
    height: Math.max(Number(height), SMALLEST.height),
  } as Rectangle;
  return isOnScreen(bounds)
    ? { bounds, maximized: maximized === true }
    : { ...FIRST, maximized: maximized === true };
}

/** Saves the window's state on closing; a failure to write is ignored. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    try {
      // Half a file counts as none when it is read.
      writeFileSync(file, JSON.stringify({ ...window.getNormalBounds(), maximized: window.isMaximized() }));
    } catch {
      /* it opens where it first did */
    }
  });
}

/** Its title bar can be reached with the mouse on a screen that is connected now. */
function isOnScreen({ x, y, width }: Rectangle): boolean {
  return screen
    .getAllDisplays()
    .some(
      ({ workArea }) =>
        x + width > workArea.x + 100 &&
        x < workArea.x + workArea.width - 100 &&
        y >= workArea.y - 10 &&
        y < workArea.y + workArea.height - 50,
    );
}
