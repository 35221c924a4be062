/** Files out of the window: what the page made in memory, saved where the person wants it. */
import { toSafeFileName } from '#shared/text/file-name.ts';

export interface FileToSave {
  /** Name offered to the person; characters that no file system takes are replaced. */
  readonly name: string;
  readonly text: string | Uint8Array<ArrayBuffer>;
  /** Media type; a text is written as UTF-8. */
  readonly type:
    'text/csv' | 'application/json' | 'application/yaml' | 'text/plain' | 'text/html' | 'application/pdf';
}

/** The link with address and name of the file has to outlive the click: some hosts ask for it only after their own dialog. */
const KEPT_MS = 60_000;
/**
 * Offers a text as a file. A browser puts it where it puts downloads, the desktop app asks for the
 * place. Nothing is sent anywhere: the file never leaves this computer.
 */
export function saveFile({ name, text, type }: FileToSave): void {
  const url = URL.createObjectURL(
    new Blob([text], { type: typeof text === 'string' ? `${type};charset=utf-8` : type }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = toSafeFileName(name);
  link.rel = 'noopener';
  link.hidden = true;
  document.body.append(link);
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
    link.remove();
  }, KEPT_MS);
}
