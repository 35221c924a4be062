/** The engine's log: only fields that are named here leave it, whatever an entry carries. */
import type { LogEntry } from '../api/host.ts';

export type Log = (entry: LogEntry) => void;

/**
 * Wraps the host's sink. Fields are copied one by one and must have the type and form they are
 * meant to have, so that no text from a device or a person can ride along.
 */
export function createLog(sink: ((entry: LogEntry) => void) | undefined): Log {
  if (sink === undefined) return () => {};
  return (entry) => {
    sink({
      level: entry.level,
      event: word(entry.event) ?? 'event',
      ...known('device', word(entry.device)),
      ...known('operation', word(entry.operation)),
      ...known('ms', count(entry.ms)),
      ...known('http', count(entry.http)),
      ...known('code', word(entry.code)),
    });
  };
}

/** Ids and codes only: letters, digits, dots and dashes, of limited length. */
function word(value: string | undefined): string | undefined {
  return value !== undefined && /^[A-Za-z0-9._-]{1,80}$/.test(value) ? value : undefined;
}

function count(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? Math.round(value) : undefined;
}

function known<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const found: { [P in K]?: V } = {};
  if (value !== undefined) found[key] = value;
  return found;
}
