/**
 * Calls between page and engine over one pair of channels. A MessagePort is not used: it carries no sender
 * once handed over, so any code that got hold of it would be trusted for good. Here every message names its
 * frame and is checked before it is read.
 */
import { ipcMain, type IpcMainEvent, type WebContents } from 'electron';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { BRIDGE_DOWN, BRIDGE_UP, MAX_MESSAGE_BYTES } from '#shared/transport.ts';
import type { Peer, PeerFactory } from '#rpc/index.ts';
import type { LogEntry } from '#engine/api.ts';
import { APP_ORIGIN } from './app-protocol.ts';

export interface Bridge {
  /** Allows calls from the main frame of these contents. */
  admit(contents: WebContents): void;
}

export function createBridge(createPeer: PeerFactory, log: (entry: LogEntry) => void): Bridge {
  const admitted = new Map<WebContents, Line>();

  ipcMain.on(BRIDGE_UP, (event, page: unknown, message: unknown) => {
    const line = admitted.get(event.sender);
    const problem =
      line === undefined ? 'unknown-window' : (senderProblem(event) ?? messageProblem(page, message));
    if (line === undefined || problem !== undefined)
      log({ level: 'warn', event: 'message-refused', ...removeUndefined({ code: problem }) });
    else line.receive(page as string, message as string);
  });

  return {
    admit(contents) {
      const line = createLine(contents, createPeer);
      admitted.set(contents, line);
      contents.on('did-navigate', () => {
        line.close();
      });
      contents.on('render-process-gone', () => {
        line.close();
      });
      contents.once('destroyed', () => {
        admitted.delete(contents);
        line.close();
      });
    },
  };
}

/** The one conversation of a window: a new document ends the one before it. */
interface Line {
  receive(page: string, message: string): void;
  close(): void;
}

function createLine(contents: WebContents, createPeer: PeerFactory): Line {
  let current: { readonly page: string; readonly peer: Peer } | undefined;

  function close(): void {
    current?.peer.close();
    current = undefined;
  }

  return {
    receive(page, message) {
      if (current?.page !== page) {
        close();
        current = {
          page,
          peer: createPeer({
            send: (text) => {
              if (!contents.isDestroyed()) contents.send(BRIDGE_DOWN, page, text);
            },
            violated: close,
          }),
        };
      }
      current.peer.receive(message);
    },
    close,
  };
}

/** Undefined when the message came from our page in the window's own main frame. */
function senderProblem({ sender, senderFrame }: IpcMainEvent): string | undefined {
  // The frame is null if the document that sent the message no longer exists.
  if (senderFrame === null) return 'frame-gone';
  if (senderFrame.parent !== null || senderFrame.frameToken !== sender.mainFrame.frameToken)
    return 'not-main-frame';
  return senderFrame.origin === APP_ORIGIN ? undefined : 'foreign-origin';
}

function messageProblem(page: unknown, message: unknown): string | undefined {
  if (typeof page !== 'string' || !/^[\w-]{1,64}$/.test(page) || typeof message !== 'string')
    return 'malformed';
  return Buffer.byteLength(message) > MAX_MESSAGE_BYTES ? 'too-large' : undefined;
}
