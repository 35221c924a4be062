import { readJsonOrNothing } from './read-json.ts';

/** Endings of the files that open Fieldwright with a double click; the installers announce the same ones. */
interface FileType {
  readonly kind: 'template' | 'plan';
  /** Ending without its dot, lower case. */
  readonly ending: string;
}

/**
 * A template is YAML or JSON and a plan is JSON, as under their other endings (`.yaml`, `.json`), which belong to other
 * programs on most computers.
 */
export const FILE_TYPES: readonly FileType[] = [
  { kind: 'template', ending: 'fwtemplate' },
  { kind: 'plan', ending: 'fwplan' },
];

/** Kind of file that decides which screen shows it. */
export type FileKind = FileType['kind'] | 'people';

/** Bytes of a file that is opened with the app. */
export const LARGEST_OPENED = 5_000_000;

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ...FILE_TYPES.map(({ ending, kind }) => [ending, kind] as const),
  ...['yaml', 'yml', 'json'].map((ending) => [ending, 'template'] as const),
  ...['csv', 'ndjson', 'jsonl'].map((ending) => [ending, 'people'] as const),
]);

/** Returns the kind that a name promises; undefined for a file that no screen shows. */
export function findFileKind(name: string): FileKind | undefined {
  return KINDS.get(getEnding(name));
}

/** Returns the kind by the content too: `.json` may be a template or a plan, which names the devices that it was made for. */
export function recogniseKind(kind: FileKind, name: string, text: string): FileKind {
  if (getEnding(name) !== 'json') return kind;
  const read = Object(readJsonOrNothing(text)) as Record<string, unknown>;
  return Array.isArray(read['devices']) && 'template' in read ? 'plan' : kind;
}

function getEnding(name: string): string {
  return (/\.([^./\\]*)$/.exec(name)?.[1] ?? '').toLowerCase();
}
