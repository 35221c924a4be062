/** `fieldwright.log` in the data folder: one JSON object a line, allow-listed fields only, bounded. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { createLog } from '#engine/host/log.ts';
import type { LogEntry } from '#engine/api.ts';

const LARGEST_BYTES = 1024 * 1024;

/** The file before it is kept as `.1`. A log that cannot be written never stops the app. */
export function openLogFile(file: string): (entry: LogEntry) => void {
  let size = sizeOf(file);
  return createLog((entry) => {
    const line = `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`;
    try {
      if (size + line.length > LARGEST_BYTES) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, line, { mode: 0o600 });
      size += line.length;
    } catch {
      /* A full disk is reported elsewhere. */
    }
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
