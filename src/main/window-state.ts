/** Remembers the place of the window, its zoom and its language, in a file that may hold anything. */
import { readFileSync, writeFileSync } from 'node:fs';
import { screen, type BrowserWindow, type Rectangle } from 'electron';
import { readJson, RECORD_BOUNDS } from '#shared/read-json.ts';

export interface WindowState {
  /** Size and position; the window is centred if there is no position. */
  readonly bounds: {
    readonly width: number;
    readonly height: number;
    readonly x?: number;
    readonly y?: number;
  };
  readonly maximized: boolean;
  /** Electron's zoom level: 0 is the original size, a step is 20 %. */
  readonly zoom: number;
  readonly language?: string;
}

/** Smallest size of the window, except on a smaller screen. */
const SMALLEST = { width: 800, height: 600 };
const FIRST = { width: 1280, height: 840 };
/** Levels that the person can reach: from a half to two and a half times the size. */
export const ZOOM = { least: -4, most: 5 };

/** Returns the saved state as far as it can be used on the screens that are connected now. */
export function readWindowState(file: string): WindowState {
  const { x, y, width, height, maximized, zoom, language } = readKept(file);
  const saved = { x, y, width, height } as Rectangle;
  const isWhole = Object.values(saved).every((value) => Number.isSafeInteger(value));
  return {
    bounds: isWhole && isOnScreen(saved) ? fitOnScreen(saved) : fitFirst(),
    maximized: maximized === true,
    zoom: typeof zoom === 'number' && zoom >= ZOOM.least && zoom <= ZOOM.most ? zoom : 0,
    ...(typeof language === 'string' && /^[A-Za-z-]{2,35}$/.test(language) ? { language } : {}),
  };
}

function readKept(file: string): Record<string, unknown> {
  try {
    return Object(readJson(readFileSync(file, 'utf8'), RECORD_BOUNDS)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Returns the smallest size that the person can give the window: never larger than the screen. */
export function getSmallestSize(): typeof SMALLEST {
  const { width, height } = screen.getPrimaryDisplay().workArea;
  return { width: Math.min(SMALLEST.width, width), height: Math.min(SMALLEST.height, height) };
}

/** Saves the window's state on closing; a failure to write is ignored. */
export function keepWindowState(window: BrowserWindow, file: string, getLanguage: () => string): void {
  window.on('close', () => {
    try {
      const state = {
        ...window.getNormalBounds(),
        maximized: window.isMaximized(),
        zoom: window.webContents.getZoomLevel(),
        language: getLanguage(),
      };
      // Half a file counts as none when it is read.
      writeFileSync(file, JSON.stringify(state));
    } catch {
      /* it opens where it first did */
    }
  });
}

/** A laptop at 150 % has 672 pixels: the buttons below would be behind the taskbar. */
function fitFirst(): WindowState['bounds'] {
  const { width, height } = screen.getPrimaryDisplay().workArea;
  return { width: Math.min(FIRST.width, width), height: Math.min(FIRST.height, height) };
}

/** Makes a window that was saved on a larger screen fit the one that it opens on. */
function fitOnScreen(bounds: Rectangle): Rectangle {
  const { workArea } = screen.getDisplayMatching(bounds);
  const width = Math.min(Math.max(bounds.width, SMALLEST.width), workArea.width);
  const height = Math.min(Math.max(bounds.height, SMALLEST.height), workArea.height);
  return { x: bounds.x, y: bounds.y, width, height };
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
