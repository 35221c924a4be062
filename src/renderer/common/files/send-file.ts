import { removeUndefined } from '#shared/remove-undefined.ts';

/** Bytes of a piece: a message stays well below what the wire takes. */
const PIECE = 3 * 1024 * 1024;

interface Piece {
  readonly uploadId?: string;
  readonly name: string;
  readonly base64: string;
  readonly last: boolean;
}

/** Hands a file to the engine piece by piece, and returns its last answer. */
export async function sendInPieces<Answer extends { readonly uploadId: string }>(
  file: File,
  send: (piece: Piece) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  let answer: Answer | undefined;
  for (let at = 0; ; at += PIECE) {
    signal?.throwIfAborted();
    const piece = await file.slice(at, at + PIECE).arrayBuffer();
    const last = at + PIECE >= file.size;
    answer = await send({
      name: file.name,
      base64: toBase64(new Uint8Array(piece)),
      last,
      ...removeUndefined({ uploadId: answer?.uploadId }),
    });
    if (last) return answer;
  }
}

const CHUNK = 0x8000;

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}
