/** Events on their way to one reader; a slow reader gets the latest of each device, never a growing backlog. */
import type { DiscoveryEvent } from '#shared/discovery.ts';

interface EventQueue {
  push(events: readonly DiscoveryEvent[]): void;
  /** No more will come; what is there is still given. */
  end(): void;
  read(): AsyncIterable<DiscoveryEvent>;
}

export function createEventQueue(): EventQueue {
  const pending = new Map<string, DiscoveryEvent>();
  let ended = false;
  let wake = (): void => {};

  async function* read(): AsyncGenerator<DiscoveryEvent> {
    for (;;) {
      const batch = [...pending.values()];
      pending.clear();
      yield* batch;
      if (pending.size > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(events) {
      for (const event of events) {
        // Deleted first, so that the order of events is the order of the latest changes.
        pending.delete(keyOf(event));
        pending.set(keyOf(event), event);
      }
      if (events.length > 0) wake();
    },
    end() {
      ended = true;
      wake();
    },
    read,
  };
}

function keyOf(event: DiscoveryEvent): string {
  if (event.type === 'sighting' || event.type === 'vanished') return `row ${event.sighting.identity}`;
  return event.type === 'merged' ? `row ${event.identity}` : event.type;
}
