/** One stream of device changes per watcher; a slow watcher gets the latest of each device, never a growing backlog. */
import type { Device, DeviceEvent } from '#shared/model.ts';

export interface DeviceWatch {
  changed(device: Device): void;
  removed(id: string): void;
  /** `first` gives what stands when the stream is read for the first time. Ends when the signal aborts. */
  events(first: () => readonly Device[], signal: AbortSignal): AsyncIterable<DeviceEvent>;
  close(): void;
}

interface Watcher {
  readonly pending: Map<string, DeviceEvent>;
  wake: () => void;
}

export function createDeviceWatch(): DeviceWatch {
  const watchers = new Set<Watcher>();
  let closed = false;

  function tell(id: string, event: DeviceEvent): void {
    for (const watcher of watchers) {
      // Deleted first so that the order of events is the order of the latest changes.
      watcher.pending.delete(id);
      watcher.pending.set(id, event);
      watcher.wake();
    }
  }

  async function* events(first: () => readonly Device[], signal: AbortSignal): AsyncGenerator<DeviceEvent> {
    const watcher: Watcher = { pending: new Map(), wake: () => {} };
    const onAbort = () => watcher.wake();
    watchers.add(watcher);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      yield { type: 'all', devices: first() };
      while (!signal.aborted && !closed) {
        const batch = [...watcher.pending.values()];
        watcher.pending.clear();
        yield* batch;
        if (watcher.pending.size > 0 || signal.aborted || closed) continue;
        await new Promise<void>((resolve) => {
          watcher.wake = resolve;
        });
      }
    } finally {
      watchers.delete(watcher);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    changed: (device) => tell(device.id, { type: 'changed', device }),
    removed: (id) => tell(id, { type: 'removed', id }),
    events,
    close: () => {
      closed = true;
      for (const watcher of watchers) watcher.wake();
    },
  };
}
