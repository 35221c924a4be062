/**
 * Names and hashes of the files of a build: the same sources give the same files on every system. Run as a script it prints
 * those of this checkout.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export function hashBuild(out: string): readonly string[] {
  return globSync('**/*', { cwd: out, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !/\.map$|^\.stamp$/.test(entry.name) && !entry.parentPath.includes('.compiled'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      return `${hash} ${path.slice(out.length).replaceAll('\\', '/')}`;
    })
    .sort();
}

if (import.meta.main) console.log(hashBuild(resolve(import.meta.dirname, '../../out')).join('\n'));
