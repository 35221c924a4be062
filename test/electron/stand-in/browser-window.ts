/** `BrowserWindow`, `webContents` and `ipcMain`: windows that are pages of a real Chromium. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Frame, Page } from 'playwright';
import { app, emitPreventable } from './app.ts';
import { DOWN, MENU, OPEN, UP, preloadScript } from './preload-world.ts';
import { answerRequest, session } from './session.ts';
import { browserContext, fromPageUrl, originOf, tell, toPageUrl } from './surroundings.ts';
import { openWindows } from './windows.ts';

export const ipcMain = new EventEmitter();

interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly x?: number;
  readonly y?: number;
  readonly parent?: BrowserWindow;
  readonly webPreferences?: {
    readonly preload?: string;
    readonly contextIsolation?: boolean;
    readonly sandbox?: boolean;
    readonly nodeIntegration?: boolean;
    readonly webviewTag?: boolean;
  };
}

/** Electron's own defaults, which an app must not weaken; the stand-in cannot do otherwise anyway. */
function assertSandboxed({
  contextIsolation = true,
  sandbox = true,
  nodeIntegration = false,
  webviewTag = false,
}: NonNullable<WindowOptions['webPreferences']>): void {
  if (!contextIsolation || !sandbox || nodeIntegration || webviewTag)
    throw new Error('The stand-in only opens sandboxed, isolated windows.');
}

class WebFrame {
  readonly #frame: () => Frame | undefined;
  readonly frameToken: string;
  readonly parent: WebFrame | null;
  constructor(frame: () => Frame | undefined, frameToken: string, parent: WebFrame | null) {
    this.#frame = frame;
    this.frameToken = frameToken;
    this.parent = parent;
  }
  get url(): string {
    return fromPageUrl(this.#frame()?.url() ?? '');
  }
  get origin(): string {
    return originOf(this.#frame()?.url() ?? '');
  }
}

let lastId = 0;

class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly session = session.defaultSession;
  readonly #preferences: NonNullable<WindowOptions['webPreferences']>;
  readonly #page: Promise<Page>;
  readonly mainFrame: WebFrame;
  #openedPage: Page | undefined;
  /** The address `loadURL` asked for: the app's own doing, which no navigation event can prevent. */
  #asked: string | undefined;
  #openHandler: ((details: { readonly url: string }) => { readonly action: string }) | undefined;
  /** Messages leave in the order they were sent. */
  #outbox: Promise<unknown> = Promise.resolve();
  #destroyed = false;

  constructor(preferences: NonNullable<WindowOptions['webPreferences']>) {
    super();
    assertSandboxed(preferences);
    this.#preferences = preferences;
    this.mainFrame = new WebFrame(() => this.#openedPage?.mainFrame(), `main-${this.id}`, null);
    this.#page = this.#open();
  }

  async #open(): Promise<Page> {
    const context = await browserContext();
    const page = await context.newPage();
    this.#openedPage = page;
    page.on('close', () => {
      this.emit('closed-from-outside');
    });
    await page.exposeBinding(UP, ({ frame }, channel: string, args: unknown[]) => {
      this.#receive(frame, channel, args);
    });
    await page.exposeBinding(MENU, (_source, params: object) => {
      this.emit('context-menu', {}, { ...params, frame: this.mainFrame });
    });
    await page.exposeBinding(OPEN, (_source, url: string) => {
      if (this.#openHandler?.({ url: fromPageUrl(url) }).action !== 'deny')
        throw new Error('The stand-in opens no further windows.');
    });
    const { preload } = this.#preferences;
    await page.addInitScript(preloadScript(preload === undefined ? '' : readFileSync(preload, 'utf8')));
    await page.route(
      () => true,
      async (route) => {
        const request = route.request();
        const isMainFrame = request.isNavigationRequest() && request.frame() === page.mainFrame();
        const url = fromPageUrl(request.url());
        const own = isMainFrame && request.url() === this.#asked;
        if (own) this.#asked = undefined;
        else if (
          request.isNavigationRequest() &&
          emitPreventable(this, 'will-frame-navigate', { url, isMainFrame })
        ) {
          await route.abort('aborted');
          return;
        }
        await answerRequest(route);
      },
    );
    // New documents alone count: moving within one is no navigation to Electron's `did-navigate` either.
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.enable');
    devtools.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.emit('did-navigate', {}, fromPageUrl(frame.url));
    });
    page.on('crash', () => {
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    });
    return page;
  }

  #receive(frame: Frame, channel: string, args: unknown[]): void {
    const main = frame === this.#openedPage?.mainFrame();
    const senderFrame = main ? this.mainFrame : new WebFrame(() => frame, `sub-${this.id}`, this.mainFrame);
    // Chromium's structured clone uses this very format.
    const cloned = deserialize(serialize(args)) as unknown[];
    ipcMain.emit(channel, { sender: this, senderFrame, type: 'frame' }, ...cloned);
  }

  send(channel: string, ...args: unknown[]): void {
    const cloned = deserialize(serialize(args)) as unknown[];
    this.#outbox = this.#outbox
      .then(async () => {
        const page = await this.#page;
        await page.evaluate(
          ([name, key, values]) => {
            (
              globalThis as unknown as Record<
                string,
                ((channel: string, args: unknown[]) => void) | undefined
              >
            )[key]?.(name, values);
          },
          [channel, DOWN, cloned] as const,
        );
      })
      .catch(() => {
        /* its document was replaced meanwhile */
      });
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page;
    this.#asked = toPageUrl(url);
    await page.goto(this.#asked);
    tell({ type: 'window', url: page.url() });
    this.emit('did-finish-load', {});
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return (await this.#page).evaluate(code);
  }
  async reload(): Promise<void> {
    await (await this.#page).reload();
  }
  /** Ends the page's process: the page that Chromium keeps here stands for the one that is loaded next. */
  forcefullyCrashRenderer(): void {
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  }
  #zoomLevel = 0;
  getZoomLevel(): number {
    return this.#zoomLevel;
  }
  setZoomLevel(level: number): void {
    // Electron clamps to what Chromium can display.
    this.#zoomLevel = Math.min(8.8, Math.max(-7.6, level));
  }
  print(_options: object = {}, done?: (success: boolean, failureReason: string) => void): void {
    done?.(false, 'Print job canceled');
  }
  showDefinitionForSelection(): void {
    /* macOS alone has one */
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  setWindowOpenHandler(handler: (details: { readonly url: string }) => { readonly action: string }): void {
    this.#openHandler = handler;
  }
  setWebRTCIPHandlingPolicy(): void {
    /* a browser of its own kind */
  }
  destroy(): void {
    this.#destroyed = true;
    void this.#page
      .then((page) => page.close())
      .catch(() => {
        /* closed by the test */
      });
    this.emit('destroyed');
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly #bounds: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  #state: 'normal' | 'maximized' | 'minimized' = 'normal';
  #destroyed = false;

  readonly #parent: BrowserWindow | undefined;
  #progress = -1;

  constructor({ x = 0, y = 0, width = 800, height = 600, parent, webPreferences = {} }: WindowOptions = {}) {
    super();
    this.#parent = parent;
    this.#bounds = { x, y, width, height };
    this.webContents = new WebContents(webPreferences);
    this.webContents.once('did-finish-load', () => {
      this.emit('ready-to-show');
    });
    // A person, or a check, closes the page itself.
    this.webContents.once('closed-from-outside', () => {
      this.close();
    });
    openWindows.add(this);
  }

  static getAllWindows(): BrowserWindow[] {
    return [...openWindows].filter((window) => window instanceof BrowserWindow);
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  }
  getParentWindow(): BrowserWindow | null {
    return this.#parent ?? null;
  }
  #focused = false;
  isFocused(): boolean {
    return this.#focused;
  }
  blur(): void {
    this.#focused = false;
    this.emit('blur');
  }
  setProgressBar(progress: number): void {
    this.#progress = progress;
  }
  /** Not of Electron: what the taskbar shows. */
  get shownProgress(): number {
    return this.#progress;
  }
  getBounds(): object {
    return this.#bounds;
  }
  getNormalBounds(): object {
    return this.#bounds;
  }
  show(): void {
    this.emit('show');
    this.focus();
  }
  focus(): void {
    this.#focused = true;
    this.emit('focus');
  }
  maximize(): void {
    this.#state = 'maximized';
  }
  minimize(): void {
    this.#state = 'minimized';
  }
  restore(): void {
    this.#state = 'normal';
  }
  isMaximized(): boolean {
    return this.#state === 'maximized';
  }
  isMinimized(): boolean {
    return this.#state === 'minimized';
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  close(): void {
    if (this.#destroyed || emitPreventable(this, 'close')) return;
    // Windows that belong to it close with it.
    for (const window of BrowserWindow.getAllWindows()) if (window.#parent === this) window.close();
    this.#destroyed = true;
    openWindows.delete(this);
    this.webContents.destroy();
    this.emit('closed');
    if (openWindows.size === 0) app.windowsGone();
  }
}
