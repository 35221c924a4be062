import type { SubscribeOptions } from '#renderer/client/index.ts';
import type { DeviceEvent, LostLink } from '#shared/model.ts';
import { useClient } from '#renderer/client/use-client.ts';

/** Makes the engine check repeatedly whether the devices are still there, until the subscription ends. */
export function keepChecked(options: SubscribeOptions): () => void {
  const client = useClient();
  return client.subscribe(client.api.devices.keepChecked, undefined, () => {}, options);
}

/** Reports the networks of this computer that are gone, and each change of that. */
export function watchLinks(
  onLost: (lost: readonly LostLink[]) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.devices.watchLinks, undefined, onLost, options);
}

/** First everything, then what changes; starts again by itself after a lost connection. */
export function watchDevices(onEvent: (event: DeviceEvent) => void, options: SubscribeOptions): () => void {
  const client = useClient();
  return client.subscribe(client.api.devices.watch, undefined, onEvent, options);
}
