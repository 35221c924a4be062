/** Bytes of a text file from a spreadsheet or an editor to text: the same way in every face. */

import { sniffEncoding } from './file-encoding.ts';

/** Spreadsheets of a country still write in its old set of characters; nothing in the file says which. */
export type CodePage = 'windows-1252' | 'gb18030';

interface DecodedFile {
  readonly text: string;
  /** `guessed`: the file is not Unicode, so its code page was assumed. */
  readonly guessed: boolean;
}

/** UTF-8 with or without mark, UTF-16 by its mark or by its zero bytes, else `codePage`. */
export function decodeFile(bytes: Uint8Array, codePage: CodePage = 'windows-1252'): DecodedFile {
  const announced = sniffEncoding(bytes);
  if (announced !== 'utf-8') return { text: new TextDecoder(announced).decode(bytes), guessed: false };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), guessed: false };
  } catch {
    return { text: new TextDecoder(codePage).decode(bytes), guessed: true };
  }
}

/** Tells a spreadsheet, in a first line before the header, what separates the cells. */
const SEPARATOR_LINE = /^[ \t]*"?sep=([,;\t|])"?[,;\t|]*(?=[\r\n]|$)/i;

/**
 * The separator that a first line of its own names, else the one that the header line uses most: spreadsheets
 * write what their country does. Such a first line is empty in the text that comes back, so that lines keep their numbers.
 */
export function splitSeparator(text: string): { readonly text: string; readonly mark: string } {
  const named = SEPARATOR_LINE.exec(text);
  const rest = named === null ? text : text.slice(named[0].length);
  return { text: rest, mark: named?.[1] ?? delimiterOf(rest.trimStart()) };
}

function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string): number => header.split(mark).length;
  return [';', '\t', '|'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}
