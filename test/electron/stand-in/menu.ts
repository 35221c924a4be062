/** `Menu` and `MenuItem`: what an app builds can be read and clicked; nothing is drawn. */
import { EventEmitter } from 'node:events';

interface ItemOptions {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly accelerator?: string;
  readonly enabled?: boolean;
  readonly visible?: boolean;
  readonly click?: (item: object, window: undefined, event: object) => void;
  readonly submenu?: readonly ItemOptions[];
}

export class MenuItem {
  readonly label: string;
  readonly role: string | undefined;
  readonly type: string;
  readonly accelerator: string | undefined;
  enabled: boolean;
  visible: boolean;
  readonly submenu: Menu | undefined;
  readonly #click: ItemOptions['click'];
  constructor(options: ItemOptions) {
    const type = options.type ?? (options.submenu === undefined ? 'normal' : 'submenu');
    // Electron: "label" or "role" is required, except for separators.
    if (type !== 'separator' && !options.label && !options.role)
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    this.label = options.label ?? options.role ?? '';
    this.role = options.role;
    this.type = type;
    this.accelerator = options.accelerator;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.submenu = options.submenu === undefined ? undefined : Menu.buildFromTemplate(options.submenu);
    this.#click = options.click;
  }
  /** Called by the menu itself, with the event, the window and its contents. */
  click(): void {
    // A role brings its own deed, and Electron ignores `click` beside it.
    if (this.enabled && this.role === undefined) this.#click?.(this, undefined, {});
  }
}

export class Menu extends EventEmitter {
  static #application: Menu | null = null;
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly ItemOptions[]): Menu {
    const menu = new Menu();
    menu.items.push(...template.map((options) => new MenuItem(options)));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }
  popup({ x, y }: { readonly x?: number; readonly y?: number } = {}): void {
    if ((x === undefined) !== (y === undefined)) throw new TypeError('x and y must be given together');
    this.emit('menu-will-show', {});
  }
}
