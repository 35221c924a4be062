/**
 * The whole bridge between page and main process: text up, text down. Runs sandboxed; the page gets
 * these three things and no module, no channel name, no event object.
 */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { BRIDGE_DOWN, BRIDGE_UP, type DesktopBridge } from '#shared/transport.ts';

/** Names this loaded document, so that answers meant for the one before it are not taken for ours. */
const page = crypto.randomUUID();

const bridge: DesktopBridge = {
  face: 'desktop',
  send(message) {
    ipcRenderer.send(BRIDGE_UP, page, String(message));
  },
  onMessage(listener) {
    const deliver = (_event: IpcRendererEvent, forPage: unknown, message: unknown): void => {
      if (forPage === page && typeof message === 'string') listener(message);
    };
    ipcRenderer.on(BRIDGE_DOWN, deliver);
    return () => {
      ipcRenderer.removeListener(BRIDGE_DOWN, deliver);
    };
  },
};

contextBridge.exposeInMainWorld('fieldwright', bridge);
