/** Handlers of a resource that is one document: read it, replace it as a whole. */
import { answer, replyDone, refuse, type Call, type Handlers, type Reply } from '../handler.ts';
import type { DeviceState } from '../state/device-state.ts';
import { buildDocumentKey } from '../state/documents.ts';

export interface StoredResource {
  /** Operation id without `.get` and `.put`. */
  readonly resource: string;
  /** Variables in the order of the key; none where the device has one such document. */
  readonly variables?: readonly string[];
  /** Returns undefined if these variables name nothing on this device. */
  readonly initial: (device: DeviceState, params: Call['params']) => string | undefined;
  /** Checks beyond the definition: a complaint refuses the write as content (6). */
  readonly check?: (call: Call, device: DeviceState) => string | undefined;
}

export function createStoredHandlers(stored: StoredResource): Handlers {
  return {
    [`${stored.resource}.get`]: (call, device) => {
      const text = readStored(stored, call.params, device);
      return text === undefined ? refuse('notExist') : answer(text);
    },
    [`${stored.resource}.put`]: (call, device) => {
      if (readStored(stored, call.params, device) === undefined) return refuse('notExist');
      const complaint = stored.check?.(call, device);
      if (complaint !== undefined) return refuseContent(call, complaint);
      return replyDone(() => writeStored(stored, call.params, device, call.body?.text ?? ''));
    },
  };
}

/** Returns the text of the document, written or as delivered; undefined if it does not exist. */
export function readStored(
  stored: StoredResource,
  params: Call['params'],
  device: DeviceState,
): string | undefined {
  return device.documents.read(keyOf(stored, params)) ?? stored.initial(device, params);
}

export function writeStored(
  stored: StoredResource,
  params: Call['params'],
  device: DeviceState,
  text: string,
): void {
  device.documents.write(keyOf(stored, params), text);
}

function keyOf(stored: StoredResource, params: Call['params']): string {
  return buildDocumentKey(stored.resource, ...(stored.variables ?? []).map((name) => params[name] ?? ''));
}

/** Refuses with 6, named after the format of the operation. */
export function refuseContent(call: Call, detail: string): Reply {
  return refuse(call.operation.format === 'xml' ? 'badXmlContent' : 'badJsonContent', detail);
}

/** Creates the handler of a document that is the same at every reading: capabilities. */
export function createFixedHandler(
  operation: string,
  text: (device: DeviceState, params: Call['params']) => string | undefined,
): Handlers {
  return {
    [operation]: (call, device) => {
      const body = text(device, call.params);
      return body === undefined ? refuse('notExist') : answer(body);
    },
  };
}

/** Restricts a document to the channels the device has; returns undefined for other channels. */
export function restrictToChannels(
  text: (device: DeviceState, channel: string) => string,
): (device: DeviceState, params: Call['params']) => string | undefined {
  return (device, params) => {
    const channel = params['channelID'];
    return channel !== undefined && device.hasChannel(channel) ? text(device, channel) : undefined;
  };
}
