/**
 * Menus of the app in the language of its window. Roles bring what the system does itself; Electron's own labels are
 * English in every language.
 */
import { Menu, app, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { createDetail, type BareDetailId } from '#shared/details.ts';
import { getSentences } from './language.ts';
import { ZOOM } from './window-state.ts';
import { getMainWindow } from './windows.ts';

interface MenuActions {
  readonly showAbout: () => void;
  readonly openLogFolder: () => void;
}

type Item = MenuItemConstructorOptions;
type Role = NonNullable<Item['role']>;
const SEPARATOR: Item = { type: 'separator' };

function label(id: Extract<BareDetailId, `menu.${string}`>): string {
  return getSentences()(createDetail(id));
}

export function installMenu({ showAbout, openLogFolder }: MenuActions): void {
  const isMac = process.platform === 'darwin';
  const about: Item = { label: label('menu.about'), click: showAbout };
  const quit: Item = { role: 'quit', label: label('menu.quit') };
  const appMenu: Item = {
    role: 'appMenu',
    label: 'Fieldwright',
    submenu: [
      about,
      SEPARATOR,
      { role: 'services', label: label('menu.services') },
      SEPARATOR,
      { role: 'hide', label: label('menu.hide') },
      { role: 'hideOthers', label: label('menu.hide-others') },
      { role: 'unhide', label: label('menu.show-all') },
      SEPARATOR,
      quit,
    ],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [appMenu] : []),
      {
        role: 'fileMenu',
        label: label('menu.file'),
        submenu: [
          { label: label('menu.print'), accelerator: 'CommandOrControl+P', click: printPage },
          SEPARATOR,
          isMac ? { role: 'close', label: label('menu.close') } : quit,
        ],
      },
      {
        role: 'editMenu',
        label: label('menu.edit'),
        submenu: [
          { role: 'undo', label: label('menu.undo') },
          { role: 'redo', label: label('menu.redo') },
          SEPARATOR,
          { role: 'cut', label: label('menu.cut') },
          { role: 'copy', label: label('menu.copy') },
          { role: 'paste', label: label('menu.paste') },
          { role: 'selectAll', label: label('menu.select-all') },
        ],
      },
      { role: 'viewMenu', label: label('menu.view'), submenu: buildView() },
      {
        role: 'windowMenu',
        label: label('menu.window'),
        submenu: [
          { role: 'minimize', label: label('menu.minimize') },
          isMac
            ? { role: 'front', label: label('menu.front') }
            : { role: 'close', label: label('menu.close') },
        ],
      },
      {
        role: 'help',
        label: label('menu.help'),
        submenu: [
          { label: label('menu.log-folder'), click: openLogFolder },
          ...(isMac ? [] : [SEPARATOR, about]),
        ],
      },
    ]),
  );
}

function buildView(): Item[] {
  const key = (name: string, accelerator: string, click: () => void): Item => ({
    label: name,
    accelerator,
    click,
  });
  /** Keys that do the same and are not shown: the plus without Shift, and the block of numbers. */
  const also = (accelerators: readonly string[], click: () => void): Item[] =>
    accelerators.map((accelerator) => ({
      label: accelerator,
      accelerator,
      click,
      visible: false,
      acceleratorWorksWhenHidden: true,
    }));
  const larger = (): void => changeZoom(1);
  const smaller = (): void => changeZoom(-1);
  const actual = (): void => changeZoom(0);
  return [
    key(label('menu.zoom-in'), 'CommandOrControl+Plus', larger),
    ...also(['CommandOrControl+=', 'CommandOrControl+numadd'], larger),
    key(label('menu.zoom-out'), 'CommandOrControl+-', smaller),
    ...also(['CommandOrControl+numsub'], smaller),
    key(label('menu.zoom-reset'), 'CommandOrControl+0', actual),
    ...also(['CommandOrControl+num0'], actual),
    SEPARATOR,
    { role: 'togglefullscreen', label: label('menu.full-screen') },
    // Developer items; the installed app has nothing to show there.
    ...(app.isPackaged ? [] : ([SEPARATOR, { role: 'reload' }, { role: 'toggleDevTools' }] satisfies Item[])),
  ];
}

/** Makes the page larger (1) or smaller (-1) by a step, or gives it its own size (0). */
export function changeZoom(direction: 1 | -1 | 0): void {
  const contents = getMainWindow()?.webContents;
  if (contents === undefined) return;
  const level = direction === 0 ? 0 : contents.getZoomLevel() + direction;
  contents.setZoomLevel(Math.min(ZOOM.most, Math.max(ZOOM.least, level)));
}

/** Prints what the window shows, after the system's own dialog; a person who cancels there needs no message. */
function printPage(): void {
  getMainWindow()?.webContents.print({ printBackground: true });
}

/** Shows the menu that a text, or a field to type in, has under the right mouse button and the menu key. */
export function addContextMenu(window: BrowserWindow): void {
  const { webContents } = window;
  webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags, x, y, frame }) => {
    const item = (role: Role, id: Parameters<typeof label>[0], enabled: boolean): Item => ({
      role,
      label: label(id),
      enabled,
    });
    const isSelected = selectionText.trim() !== '';
    const items: Item[] = isEditable
      ? [
          item('cut', 'menu.cut', editFlags.canCut),
          item('copy', 'menu.copy', editFlags.canCopy),
          item('paste', 'menu.paste', editFlags.canPaste),
          SEPARATOR,
          item('selectAll', 'menu.select-all', editFlags.canSelectAll),
        ]
      : isSelected
        ? [item('copy', 'menu.copy', editFlags.canCopy)]
        : [];
    if (isSelected && process.platform === 'darwin')
      items.unshift(
        { label: label('menu.look-up'), click: () => webContents.showDefinitionForSelection() },
        SEPARATOR,
      );
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window, x, y, ...(frame && { frame }) });
  });
}
