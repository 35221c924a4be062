import { decodeFile } from '../../shared/file-text.ts';

/** Bytes of a file from a spreadsheet or editor to text: Unicode, else the western Windows set. */
export function decodeFileText(bytes: Uint8Array): string {
  return decodeFile(bytes).text;
}
