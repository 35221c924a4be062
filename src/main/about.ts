/** Versions and licences of what the program is made of. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BrowserWindow, app, clipboard, shell } from 'electron';
import { checkForUpdate } from '#engine/files/updates.ts';
import { createDetail } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { findBuildDir, findResourcesDir } from '#rpc/hosting/index.ts';
import { LICENCES_PAGE } from './app-protocol.ts';
import { getSentences } from './language.ts';
import { lockDownContents } from './lock-down.ts';
import { askPerson, getMainWindow } from './windows.ts';

/** Milliseconds that the answer about newer versions has. */
const UPDATE_MS = 2_000;
const BUTTONS = ['about.close', 'about.copy', 'about.licences'] as const;

/** Shows the versions, which the person can copy into a message, and the way to the licences. */
export async function showAbout(): Promise<void> {
  const sentence = getSentences();
  const { electron = '', chrome = '', node, v8 } = process.versions;
  const versions = [
    `Fieldwright ${app.getVersion()}`,
    `Electron ${electron}, Chromium ${chrome}`,
    `Node ${node}, V8 ${v8}`,
    `${process.platform} ${process.arch}, ${process.getSystemVersion()}`,
  ];
  // A share or server that is away does not keep the person waiting.
  const update = await checkForUpdate(app.getVersion(), AbortSignal.timeout(UPDATE_MS));
  const newer = update.state === 'newer' ? [sentence(update.says), ''] : [];
  const response = await askPerson({
    type: 'info',
    title: 'Fieldwright',
    message: versions[0] ?? '',
    detail: [...newer, ...versions.slice(1), '', sentence(createDetail('about.licence'))].join('\n'),
    buttons: BUTTONS.map((id) => sentence(createDetail(id))),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (BUTTONS[response] === 'about.copy') void clipboard.writeText(versions.join('\n'));
  if (BUTTONS[response] === 'about.licences') showLicences();
}

/** Shows the licences in a window without access to the app, and those of Chromium in their folder. */
function showLicences(): void {
  const window = new BrowserWindow({
    ...removeUndefined({ parent: getMainWindow() }),
    width: 800,
    height: 600,
    title: 'Fieldwright',
    autoHideMenuBar: true,
    webPreferences: { contextIsolation: true, sandbox: true, nodeIntegration: false, spellcheck: false },
  });
  lockDownContents(window.webContents);
  void window.loadURL(LICENCES_PAGE).catch(() => undefined);
}

/** Returns the licence of the program and those of the work of others in it. */
export async function readLicences(): Promise<string> {
  const out = findBuildDir();
  const resources = findResourcesDir();
  const read = (files: readonly string[]): Promise<string> =>
    Promise.any(files.map((file) => readFile(file, 'utf8'))).catch(() => '');
  // The second file of each is that of a checkout.
  const texts = await Promise.all([
    read([join(resources, 'LICENSE.txt'), join(dirname(out), 'LICENSE')]),
    read([join(resources, 'licences.txt'), join(out, 'licences.txt')]),
  ]);
  const beside = join(dirname(app.getPath('exe')), 'LICENSES.chromium.html');
  return [...texts, `Electron and Chromium: ${beside}`].join('\n\n');
}

/** Shows the log in its folder. */
export function openLogFolder(dataDir: string): void {
  shell.showItemInFolder(join(dataDir, 'fieldwright.log'));
}
