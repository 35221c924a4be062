/** Every key of the app, in one table: the sheet of keys is drawn from it, and the global ones are found in it. */

/** Reach of a key: every screen, or the list that has the focus. */
export const KEY_GROUPS = ['everywhere', 'list'] as const;
export interface Key {
  /** Name of the action, and of its word: `keys.<action>`. */
  readonly action: string;
  readonly where: (typeof KEY_GROUPS)[number];
  /** Presses that do the same; `Mod` is Ctrl, on a Mac ⌘. */
  readonly presses: readonly string[];
}

export const KEYS = [
  { action: 'command', where: 'everywhere', presses: ['Mod+K'] },
  { action: 'search', where: 'everywhere', presses: ['/'] },
  { action: 'goOn', where: 'everywhere', presses: ['Mod+Enter'] },
  { action: 'firstRow', where: 'everywhere', presses: ['J', '↓'] },
  { action: 'sheet', where: 'everywhere', presses: ['?'] },
  { action: 'leave', where: 'everywhere', presses: ['Esc'] },
  { action: 'move', where: 'list', presses: ['J', 'K', '↓', '↑'] },
  { action: 'choose', where: 'list', presses: ['X', 'Space'] },
  { action: 'extend', where: 'list', presses: ['Shift+↓', 'Shift+↑'] },
  { action: 'all', where: 'list', presses: ['Mod+A'] },
  { action: 'open', where: 'list', presses: ['Enter'] },
] as const satisfies readonly Key[];

/** Action of a global key; the keys of a list are handled by the list that has the focus. */
export type GlobalAction = Extract<(typeof KEYS)[number], { readonly where: 'everywhere' }>['action'];

const IS_MAC = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '');

/** Returns a press as it is printed on this computer's keyboard. */
export function formatPress(press: string, isMac = IS_MAC): string {
  return isMac ? press.replace('Mod+', '⌘').replace('Shift+', '⇧') : press.replace('Mod+', 'Ctrl+');
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Returns the global action of a press; `inText`: it went into a field, where only those with Ctrl or ⌘ count. */
export function findAction(press: Press, inText: boolean): GlobalAction | undefined {
  if (press.altKey) return undefined;
  if (press.ctrlKey || press.metaKey) {
    if (press.key.toLowerCase() === 'k') return 'command';
    return press.key === 'Enter' ? 'goOn' : undefined;
  }
  if (inText) return undefined;
  if (press.key === '/') return 'search';
  if (press.key === '?') return 'sheet';
  return press.key === 'j' || press.key === 'ArrowDown' ? 'firstRow' : undefined;
}
