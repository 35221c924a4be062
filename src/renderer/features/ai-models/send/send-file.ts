import { getApi } from '#renderer/client/use-client.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { ChosenFile } from '#shared/ai-models/ai-models.ts';

/** Bytes of a piece: a message stays well below what the wire takes. */
const PIECE = 3 * 1024 * 1024;

/** The engine gets the file piece by piece and keeps it in its data folder. `onProgress`: bytes so far. */
export async function uploadFile(
  file: File,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<ChosenFile> {
  let uploadId: string | undefined;
  for (let at = 0; ; at += PIECE) {
    signal.throwIfAborted();
    const piece = await file.slice(at, at + PIECE).arrayBuffer();
    const last = at + PIECE >= file.size;
    const received = await getApi().models.receive({
      name: file.name,
      base64: toBase64(new Uint8Array(piece)),
      last,
      ...removeUndefined({ uploadId }),
    });
    uploadId = received.uploadId;
    onProgress(received.bytes);
    if (received.file !== undefined) return received.file;
    if (last) throw new FieldwrightError({ code: 'internal', source: 'app', message: '' });
  }
}

const CHUNK = 0x8000;

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}
