/** Scripts of the deb package: electron-builder's own, and the link that puts the command line on everybody's path. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const LINK = '/usr/bin/fieldwright';
/** Filled in by electron-builder. */
const PROGRAM = '/opt/${sanitizedProductName}/resources/bin/fieldwright';

const AFTER_INSTALL = `
# The command line. Something else of that name is left alone.
if [ ! -e '${LINK}' ] || [ "$(readlink '${LINK}')" = '${PROGRAM}' ]; then
    ln -sf '${PROGRAM}' '${LINK}'
fi
`;
const AFTER_REMOVE = `
if [ "$(readlink '${LINK}')" = '${PROGRAM}' ]; then
    rm -f '${LINK}'
fi
`;

function readTemplate(name) {
  const library = dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
  return readFileSync(join(library, 'templates', 'linux', name), 'utf8').trimEnd();
}

/** Writes both scripts into a folder. */
export function writeLinuxScripts(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, ours] of [
    ['after-install.tpl', AFTER_INSTALL],
    ['after-remove.tpl', AFTER_REMOVE],
  ])
    writeFileSync(join(folder, name), `${readTemplate(name)}\n${ours}`);
}
