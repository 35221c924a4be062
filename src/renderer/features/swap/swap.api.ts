import type { SubscribeOptions } from '#renderer/client/index.ts';
import type { CaptureEvent } from '#shared/template/authoring.ts';
import type { SavedState, SwapEvent } from '#shared/history.ts';
import { useClient } from '#renderer/client/use-client.ts';

type SaveEvent = CaptureEvent | { readonly type: 'state'; readonly state: SavedState };

/** Reads the device, writes nothing to it. Not begun again by itself after a lost connection. */
export function saveState(
  request: { readonly deviceId: string; readonly name?: string },
  onEvent: (event: SaveEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.states.save, request, onEvent, { ...options, restart: false });
}
/** Reads the other device, writes nothing to it. */
export function compareSwap(
  request: { readonly stateId: string; readonly deviceId: string },
  onEvent: (event: SwapEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.states.swap, request, onEvent, {
    ...options,
    restart: false,
  });
}
