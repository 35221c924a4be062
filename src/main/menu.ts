/** The application menu: the system's own roles, so that labels and accelerators are those it expects. */
import { Menu, app, type MenuItemConstructorOptions } from 'electron';

export function installMenu(): void {
  const mac = process.platform === 'darwin';
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
    // Developer items; the installed app has nothing to show there.
    ...(app.isPackaged
      ? []
      : ([
          { type: 'separator' },
          { role: 'reload' },
          { role: 'toggleDevTools' },
        ] satisfies MenuItemConstructorOptions[])),
  ];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? ([{ role: 'appMenu' }] satisfies MenuItemConstructorOptions[]) : []),
      { role: 'fileMenu' },
      { role: 'editMenu' },
      { role: 'viewMenu', submenu: view },
      { role: 'windowMenu' },
      ...(mac
        ? []
        : ([{ role: 'help', submenu: [{ role: 'about' }] }] satisfies MenuItemConstructorOptions[])),
    ]),
  );
}
