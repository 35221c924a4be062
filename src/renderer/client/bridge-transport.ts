/** Desktop face: the bridge that the preload script put into the page. It is never lost. */
import type { DesktopBridge } from '#shared/transport.ts';
import type { Transport } from './transport.ts';

export function createBridgeTransport(bridge: DesktopBridge): Transport {
  return {
    face: 'desktop',
    open(events) {
      let open = true;
      const stopListening = bridge.onMessage((message) => {
        if (open) events.message(message);
      });
      // The event is deferred: the caller does not hold the wire yet.
      queueMicrotask(() => {
        if (open) events.opened();
      });
      return {
        send: (message) => {
          if (open) bridge.send(message);
        },
        close() {
          if (!open) return;
          open = false;
          stopListening();
          events.closed('lost');
        },
      };
    },
  };
}
