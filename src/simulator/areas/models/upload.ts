/**
 * A model package whose file is sent itself. Part 1 has a flag for it (2.1) and does not say how: these devices take a
 * form with the members of 2.3 as JSON in one part and the file in another, at the address of the package.
 */
import type { IncomingMessage } from 'node:http';
import { readJsonOrNothing } from '#shared/read-json.ts';
import { refuse, type Reply } from '#simulator/handler.ts';
import { findBody } from '#simulator/specification/bodies.ts';
import { parseBoundary, MultipartBroken, MultipartReader } from '#simulator/wire/multipart.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';
import { checkJsonBody } from '#simulator/wire/check.ts';
import { createModel } from './ai-models.ts';
import { DownloadFailed, Pace, Received } from './download.ts';
import { MODELS } from './models.ts';
import { Trouble } from './trouble.ts';

const LONGEST_JSON = 64 * 1024;
const MEGABYTE = 1024 * 1024;

/** Returns true if `takeUpload` reads this request, and the device accepts uploads. */
export function isUpload(
  request: IncomingMessage,
  operation: string | undefined,
  device: DeviceState,
): boolean {
  return (
    operation === 'aiPlatform.models.create' &&
    device.site.pushModels &&
    parseBoundary(request.headers['content-type']) !== undefined
  );
}

/** `cut`: the connection ended, or the device ends it. `unread`: some of the body is still to come. */
export type Upload =
  { readonly kind: 'cut' } | { readonly kind: 'read'; readonly reply: Reply; readonly unread: boolean };

export async function takeUpload(
  request: IncomingMessage,
  device: DeviceState,
  signal: AbortSignal,
): Promise<Upload> {
  const file = new Received();
  const json: Buffer[] = [];
  let into: 'json' | 'file' | 'nothing' = 'nothing';
  let jsonBytes = 0;
  const reader = new MultipartReader(parseBoundary(request.headers['content-type']) ?? '', {
    onHead: ({ filename, contentType }) => {
      into =
        filename !== undefined ? 'file' : contentType?.startsWith('application/json') ? 'json' : 'nothing';
    },
    onData: (chunk) => {
      if (into === 'file') file.add(chunk);
      if (into !== 'json') return;
      jsonBytes += chunk.length;
      if (jsonBytes > LONGEST_JSON) throw new MultipartBroken('The JSON part is too long.');
      json.push(Buffer.from(chunk));
    },
  });
  const length = Number(request.headers['content-length'] ?? 0);
  const room = device.part(MODELS).freeMegabytes * MEGABYTE;
  const refused = (reply: Reply): Upload => ({ kind: 'read', reply, unread: true });
  if (length > room + LONGEST_JSON) return refused(refuse('storageFull'));
  file.damaged = device.faults.strike('wrong-hash') !== undefined;
  const trouble = new Trouble(device);
  const pace = new Pace(device.site.downloadRate);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      reader.add(chunk);
      if (file.bytes > room) return refused(refuse('storageFull'));
      if (trouble.at(file.bytes, length) === 'drop') return { kind: 'cut' };
      await pace.wait(chunk.length, signal);
    }
  } catch (error) {
    if (error instanceof MultipartBroken) return refused(refuse('badParameters', error.message));
    if (error instanceof DownloadFailed) return refused(refuse('storageFull'));
    return { kind: 'cut' };
  }
  const reply = reader.isComplete
    ? created(Buffer.concat(json).toString(), file, device)
    : refuse('badParameters', 'The last boundary is missing.');
  return { kind: 'read', reply, unread: false };
}

function created(text: string, file: Received, device: DeviceState): Reply {
  const value = readJsonOrNothing(text);
  if (value === undefined) return refuse('badJsonFormat');
  const judged = checkJsonBody(findBody('newPackage'), value);
  if ('wrong' in judged) return refuse(judged.wrong.name, judged.wrong.detail);
  if (file.bytes === 0) return refuse('badParameters', 'The file is missing or empty.');
  return createModel(judged.content, device, file);
}
