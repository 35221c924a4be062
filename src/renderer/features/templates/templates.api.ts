import type { SubscribeOptions } from '#renderer/client/index.ts';
import type { CaptureEvent } from '#shared/template/authoring.ts';
import type { InputAt } from '#shared/contract.ts';
import { useClient } from '#renderer/client/use-client.ts';

/** Reads the device; not begun again after a lost connection, the person decides. */
export function captureTemplate(
  request: InputAt<'templates.capture'>,
  onEvent: (event: CaptureEvent) => void,
  options: SubscribeOptions,
): () => void {
  const client = useClient();
  return client.subscribe(client.api.templates.capture, request, onEvent, { ...options, restart: false });
}
