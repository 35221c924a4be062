/** The engine as the command line runs it. */
import { join } from 'node:path';
import { KEY_FILE, createEngine, createKeyFileProtection } from '#engine/index.ts';
import type { Engine, EngineOptions } from '#engine/api.ts';
import { showFingerprint } from '#shared/text/certificate-fingerprint.ts';
import { findResourcesDir } from '#rpc/hosting/index.ts';
import { resolveDataDir, type GlobalOptions } from './data-dir.ts';
import type { Io } from './io.ts';
import type { Output } from './output/output.ts';
import { readProductVersion } from './version.ts';

/**
 * A script cannot be asked: the first certificate of a device is accepted and its fingerprint printed on
 * stderr. `certificates: 'ask'` is for a face behind which a person sits at a screen.
 */
export async function openEngine(
  { io, out, globals }: { readonly io: Io; readonly out: Output; readonly globals: GlobalOptions },
  { certificates = 'first-use' }: Pick<EngineOptions, 'certificates'> = {},
): Promise<Engine> {
  const folder = resolveDataDir(io, globals);
  return createEngine({
    dataDir: folder,
    resourcesDir: findResourcesDir(),
    face: 'cli',
    version: readProductVersion(),
    protections: [
      createKeyFileProtection(join(folder, KEY_FILE), () => out.note(out.say('cli.key-open', { folder }))),
    ],
    user: io.user,
    certificates,
    onTrusted: ({ url, trust }) =>
      out.note(out.say('cli.first-use', { url, fingerprint: showFingerprint(trust.fingerprint) })),
  });
}
