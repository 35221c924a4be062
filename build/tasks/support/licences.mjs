/** Notices of everything by others that is part of a build, as one text for About: `out/licences.txt`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Written by the bundler, one for each bundle: `## name - version (licence)`, then its text. */
const OF_BUNDLES = ['out/main/licenses.md', 'out/renderer/licenses.md'];
const FONTS = join('resources', 'fonts');
const FONT_LICENCE = '.LICENSE.txt';

const RULE = '-'.repeat(78);
const HEAD = `Fieldwright contains work of others, under the licences below.
What belongs to Electron and Chromium is listed in LICENSES.chromium.html of the
desktop app, and what belongs to Node in bin/LICENSE.node.txt of its command line.
`;

function readText(path) {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}

/** Returns the sections of a bundler's file by their heading. */
export function splitNotices(markdown) {
  return new Map(
    markdown
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const end = section.indexOf('\n');
        return end === -1 ? [section.trim(), ''] : [section.slice(0, end).trim(), section.slice(end).trim()];
      }),
  );
}

function readFontNotices() {
  return readdirSync(join(root, FONTS))
    .filter((name) => name.endsWith(FONT_LICENCE))
    .map((name) => [`${name.slice(0, -FONT_LICENCE.length)} (font)`, readText(join(FONTS, name)).trim()]);
}

/** Returns the text: one section a work, in the order of their names whatever the system. */
export function formatLicences() {
  const notices = new Map([
    ...OF_BUNDLES.flatMap((path) => [...splitNotices(readText(path))]),
    ...readFontNotices(),
  ]);
  const sections = [...notices]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `${RULE}\n${name}\n${RULE}\n${text}\n`);
  return [HEAD, ...sections].join('\n');
}
