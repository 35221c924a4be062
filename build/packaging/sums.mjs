/** Checksums that lie beside the packages of a release. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

async function hashFile(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Returns lines as `sha256sum --check` reads them, in the order of names. */
export async function formatSums(folder, names) {
  const lines = [];
  for (const name of [...names].sort()) lines.push(`${await hashFile(join(folder, name))}  ${name}\n`);
  return lines.join('');
}

/** Endings of what people download. */
const PACKAGES = /\.(?:AppImage|deb|dmg|exe|gz|zip)$/;

export function listPackages(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && PACKAGES.test(entry.name))
    .map(({ name }) => name);
}

/** Writes the checksums of all packages in a folder, under a name of the system. */
export async function writeSums(folder, system) {
  writeFileSync(join(folder, `SHA256SUMS-${system}.txt`), await formatSums(folder, listPackages(folder)));
}
