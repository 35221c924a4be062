/**
 * The page's side of the stand-in, as source text for an init script: `require('electron')` for the
 * built preload script, in a function of its own, before any script of the page.
 */

/** Bindings between the page and the stand-in's process. */
export const UP = '__standInUp';
export const DOWN = '__standInDown';
export const OPEN = '__standInOpen';
export const MENU = '__standInMenu';

/** Runs in the page; refers to nothing outside itself but the three names and the preload source. */
function world(
  up: string,
  down: string,
  open: string,
  menu: string,
  runPreload: (require: (name: string) => unknown, module: { exports: unknown }, exports: unknown) => void,
): void {
  // Electron does the same: no preload in frames, and new windows go through the window open handler.
  const scope = globalThis as unknown as Record<string, unknown>;
  const binding = (name: string): ((...args: unknown[]) => Promise<unknown>) =>
    scope[name] as (...args: unknown[]) => Promise<unknown>;
  scope['open'] = (url: unknown) => {
    void binding(open)(new URL(String(url), String(scope['location'])).href);
    return null;
  };
  if (scope['top'] !== scope['window']) return;

  // A page that shows a menu of its own prevents the event, and Electron then asks for none.
  type Field = {
    readonly selectionStart?: number | null;
    readonly selectionEnd?: number | null;
    readonly value?: string;
  };
  (scope['addEventListener'] as (type: string, listener: (event: unknown) => void) => void)(
    'contextmenu',
    (given) => {
      const event = given as {
        readonly defaultPrevented: boolean;
        readonly clientX: number;
        readonly clientY: number;
        readonly target: Field & { closest(selector: string): unknown };
      };
      setTimeout(() => {
        if (event.defaultPrevented) return;
        const { target } = event;
        const isEditable =
          target.closest('input, textarea, [contenteditable=""], [contenteditable="true"]') !== null;
        const { selectionStart: start, selectionEnd: end, value = '' } = target;
        const inside = start === null || start === undefined ? '' : value.slice(start, end ?? start);
        const selectionText = inside || String((scope['getSelection'] as () => unknown)());
        const isSelected = selectionText !== '';
        void binding(menu)({
          x: event.clientX,
          y: event.clientY,
          isEditable,
          selectionText,
          editFlags: {
            canCut: isEditable && isSelected,
            canCopy: isSelected,
            canPaste: isEditable,
            canSelectAll: true,
          },
        });
      });
    },
  );

  const listeners = new Map<string, Set<(event: object, ...args: unknown[]) => void>>();
  const on = (channel: string, listener: (event: object, ...args: unknown[]) => void): void => {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
  };
  const removeListener = (channel: string, listener: (event: object, ...args: unknown[]) => void): void => {
    listeners.get(channel)?.delete(listener);
  };
  Object.defineProperty(scope, down, {
    value: (channel: string, args: unknown[]) => {
      for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...args);
    },
  });

  /**
   * Copies a value like the context bridge: functions and frozen copies of data, nothing with a prototype of
   * its own.
   */
  function bridged(value: unknown): unknown {
    if (typeof value === 'function')
      return (...args: unknown[]): unknown => bridged((value as (...args: unknown[]) => unknown)(...args));
    if (typeof value !== 'object' || value === null) return value;
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bridged(inner)])),
    );
  }
  const electron = {
    ipcRenderer: {
      // Throws for what cannot be cloned, as Electron does.
      send: (channel: string, ...args: unknown[]) => {
        void binding(up)(channel, structuredClone(args));
      },
      on,
      removeListener,
    },
    contextBridge: {
      exposeInMainWorld: (key: string, api: unknown) => {
        Object.defineProperty(scope, key, { value: bridged(api), writable: false, configurable: false });
      },
    },
  };
  const module = { exports: {} };
  runPreload(
    (name) => {
      if (name === 'electron') return electron;
      throw new Error(`A sandboxed preload script cannot require "${name}".`);
    },
    module,
    module.exports,
  );
}

export function preloadScript(preloadSource: string): string {
  return `(${world.toString()})(${JSON.stringify(UP)}, ${JSON.stringify(DOWN)}, ${JSON.stringify(OPEN)}, ${JSON.stringify(MENU)}, (require, module, exports) => {\n${preloadSource}\n});`;
}
