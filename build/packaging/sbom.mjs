/**
 * The list of parts ("SBOM", CycloneDX) of a release. Everything is bundled, so that npm calls nearly all of it tools of
 * development: what is in the product is known to the bundler, which writes the notices.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmScript } from '../tasks/support/modules.mjs';
import { ownNode, root } from '../tasks/support/paths.mjs';
import { splitNotices } from '../tasks/support/licences.mjs';
import { capture } from '../tasks/support/processes.mjs';
import { TaskError } from '../tasks/support/report.mjs';

/** Parts that are no code of the bundles: the programs that packages are made around, and a font. */
const BESIDE = ['electron', 'node', '@expo-google-fonts/noto-sans-sc'];

/** Returns the names and versions of what the bundler took in: `name@version`. */
function readBundled() {
  const headings = ['out/main/licenses.md', 'out/renderer/licenses.md'].flatMap((path) => [
    ...splitNotices(readFileSync(join(root, path), 'utf8')).keys(),
  ]);
  return new Set(
    headings.map((heading) => {
      const [, name, version] = /^(\S+) - (\S+)/.exec(heading) ?? [];
      return `${name}@${version}`;
    }),
  );
}

/**
 * Keeps of npm's list what is in the product, and names the product as package.json does: npm takes the name of the
 * folder. Throws where a part is not in the list.
 */
export function keepShipped(list, bundled, { name, version }) {
  const components = list.components
    .filter((part) => bundled.has(`${part.name}@${part.version}`) || BESIDE.includes(part.name))
    .map(({ properties: _development, ...part }) => ({ ...part, scope: 'required' }));
  const missing = [...bundled].filter(
    (id) => !components.some((part) => `${part.name}@${part.version}` === id),
  );
  if (missing.length > 0) throw new TaskError(`npm does not know ${missing.join(', ')}.`);
  const own = list.metadata.component['bom-ref'];
  const kept = new Set([own, ...components.map((part) => part['bom-ref'])]);
  return {
    ...list,
    metadata: {
      ...list.metadata,
      component: { ...list.metadata.component, type: 'application', name, version },
    },
    components,
    dependencies: list.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((part) => kept.has(part)) })),
  };
}

/** Writes the list as a file. Needs a finished build, and no network. */
export async function writeSbom(path) {
  const { code, stdout, stderr } = await capture(
    ownNode,
    [npmScript(), 'sbom', '--sbom-format=cyclonedx', '--package-lock-only'],
    { cwd: root, keep: 64_000_000 },
  );
  if (code !== 0) throw new TaskError('npm sbom failed.', stderr.slice(-2000));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const list = keepShipped(JSON.parse(stdout), readBundled(), manifest);
  writeFileSync(path, `${JSON.stringify(list, null, 2)}\n`);
}
