/** Electron's binary: there, fetched, or honestly not to be had. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownNode, root, toolScript } from './paths.mjs';
import { childEnvironment } from './modules.mjs';
import { capture } from './processes.mjs';
import { step } from './report.mjs';

const DOWNLOAD_MS = 240_000;

/** Path of the installed binary, or undefined. Never imports `electron`: that would download it. */
function electronBinary() {
  const folder = join(root, 'node_modules', 'electron');
  try {
    const path = join(
      process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'),
      readFileSync(join(folder, 'path.txt'), 'utf8').trim(),
    );
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** True where a window can be shown. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * The binary, downloaded where needed. Answers `{ path }` or `{ reason }`, one line for the person.
 * FIELDWRIGHT_ELECTRON=no leaves Electron out.
 */
export async function ensureElectron() {
  if (process.env.FIELDWRIGHT_ELECTRON === 'no')
    return { reason: 'Electron was left out (FIELDWRIGHT_ELECTRON=no)' };
  if (!hasDisplay()) return { reason: 'there is no display for a desktop window' };
  const present = electronBinary();
  if (present) return { path: present };
  try {
    await step('Fetching Electron (once; FIELDWRIGHT_ELECTRON=no leaves it out)', async () => {
      const result = await capture(ownNode, [toolScript('electron', 'install.js')], {
        cwd: root,
        env: childEnvironment(),
        timeoutMs: DOWNLOAD_MS,
      });
      if (result.code !== 0) throw new Error('not available');
    });
  } catch {
    // Being offline is no failure: the browser-hosted app does the same job.
  }
  const path = electronBinary();
  return path ? { path } : { reason: 'Electron could not be downloaded' };
}
