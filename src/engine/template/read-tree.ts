import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { readYaml, type Position } from '#template/read-yaml.ts';
import { Problems } from './check/problems.ts';
import type { SourceTree } from '#template/source-tree.ts';

/**
 * Reads a file beside templates, YAML or JSON, within the same bounds; undefined if it is empty.
 * @throws `unreadable-file` with the position
 */
export function readYamlFile(text: string, file?: string): SourceTree | undefined {
  const problems = new Problems();
  const tree = readTree(text, problems);
  const [wrong] = problems.errors;
  // Everything may stand behind `#`.
  if (wrong === undefined || wrong.detail?.id === 'yaml.empty') return tree;
  throw new FieldwrightError({ ...wrong, code: 'unreadable-file', ...removeUndefined({ file }) });
}

/** Reads a document; undefined if something is wrong with it, which `problems` then has. */
export function readTree(text: string, problems: Problems): SourceTree | undefined {
  const values = new Map<string, Position>();
  const keys = new Map<string, Position>();
  const empty = new Set<string>();
  const read = readYaml(text.startsWith('\ufeff') ? text.slice(1) : text, {
    key(path, position) {
      keys.set(path, position);
      values.set(path, position);
    },
    value: (path, position) => values.set(path, position),
    empty(path) {
      empty.add(path);
      return null;
    },
  });
  for (const { code, path, detail, from } of read.problems)
    problems.add(code, path, detail, { position: read.positionOf(from) });
  if (read.problems.length > 0) return undefined;
  const tree = { root: read.value, values, keys, empty };
  problems.locateIn(tree);
  return tree;
}
