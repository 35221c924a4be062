/**
 * The engine's end of one connection, for every face alike: text messages in, text messages out.
 * What carries them (a WebSocket, Electron's channels) is the face's matter.
 */
import { ORPCError } from '@orpc/server';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';
import type { LogEntry } from '#engine/api.ts';
import type { Router } from './router.ts';
import { countJson } from '#shared/read-json.ts';
import { MAX_MESSAGE_BYTES } from '#shared/transport.ts';
import { isUnexpected, toWireError } from './wire-error.ts';

/** Calls and streams open at once on one connection; a page needs a handful. */
const MOST_OPEN_CALLS = 256;
/** The largest legal call names 100,000 people, or has 10,000 devices with ten values each. */
const MESSAGE_BOUNDS = { bytes: MAX_MESSAGE_BYTES, depth: 64, nodes: 500_000, items: 100_001 };

export interface Peer {
  /** Takes one message. Never throws and never rejects: whatever is wrong ends the connection. */
  receive(message: string): void;
  /** Aborts every call and stream of this connection. */
  close(): void;
}

interface PeerOptions {
  /** Resolves when the message has left; the next event of a stream waits for it. */
  readonly send: (message: string) => Promise<void> | void;
  /** The other side does not keep to the protocol: the face should end the connection. */
  readonly violated: () => void;
}

export type PeerFactory = (options: PeerOptions) => Peer;

/** How far a call has come. */
interface Progress {
  /** Its body was read; what it holds is checked next. */
  isRead: boolean;
}

/** One factory a face; one peer a connection. */
export function createPeerFactory(router: Router, log: (entry: LogEntry) => void = () => {}): PeerFactory {
  const handler = new StandardRPCHandler<Progress>(router, {
    interceptors: [
      async ({ next, ...options }) => {
        const started = performance.now();
        const progress: Progress = { isRead: false };
        try {
          return await next({ ...options, context: progress });
        } catch (error) {
          // The library throws whatever it stumbles over in a body that it cannot read.
          if (!progress.isRead) throw toWireError(new ORPCError('BAD_REQUEST'));
          if (isUnexpected(error)) {
            log({
              level: 'error',
              event: 'call-failed-unexpectedly',
              operation: options.request.url.pathname.slice(1, 80).replaceAll('/', '.'),
              ms: Math.round(performance.now() - started),
              code: 'internal',
            });
          }
          throw toWireError(error);
        }
      },
    ],
    clientInterceptors: [
      ({ next, context }) => {
        context.isRead = true;
        return next();
      },
    ],
  });
  const handle = createServerPeerHandleRequestFn(handler, { context: { isRead: false } });

  return ({ send, violated }) => {
    const inbox: string[] = [];
    let closed = false;
    const peer = new ServerPeer(async (message) => {
      if (closed) return;
      if (typeof message !== 'string') throw new TypeError('Only text crosses.');
      await send(message);
    });

    function close(): void {
      if (closed) return;
      closed = true;
      inbox.length = 0;
      peer.close();
    }

    function violate(): void {
      if (closed) return;
      close();
      violated();
    }

    /**
     * One message a turn of the event loop. The library reads each message asynchronously and a
     * call takes longer than its cancellation: in one turn the second could overtake the first.
     */
    function takeNext(): void {
      const message = inbox.shift();
      if (message === undefined || closed) return;
      if (inbox.length > 0) setImmediate(takeNext);
      if (peer.length > MOST_OPEN_CALLS || typeof countJson(message, MESSAGE_BOUNDS) === 'object') {
        violate();
        return;
      }
      void peer.message(message, handle).catch(violate);
    }

    return {
      receive(message) {
        if (closed) return;
        inbox.push(message);
        if (inbox.length > MOST_OPEN_CALLS * 4) violate();
        else if (inbox.length === 1) setImmediate(takeNext);
      },
      close,
    };
  };
}
