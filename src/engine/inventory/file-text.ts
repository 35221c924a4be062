/** Bytes of a file from a spreadsheet or editor to text. */
import { sniffEncoding } from '../file-encoding.ts';

/** UTF-8 with or without mark, UTF-16 by its mark or by its zero bytes, else the western Windows set. */
export function decodeFileText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  const announced = sniffEncoding(bytes);
  if (announced !== 'utf-8') return announced;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
