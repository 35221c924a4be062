/** The same app in real Electron, where its binary exists. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { _electron } from 'playwright';
import { CHECKOUT, ROOT, type DesktopApp, type DesktopLauncher } from './desktop-app.ts';

/** Undefined: not downloaded. Never by requiring `electron`: that starts a download. */
function findElectron(): string | undefined {
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const binary = join(folder, 'dist', readFileSync(pathFile, 'utf8'));
  return existsSync(binary) ? binary : undefined;
}

/** Why the real one cannot run here; undefined: it can. */
export function whyNoElectron(): string | undefined {
  if (findElectron() === undefined) return 'the Electron binary is not installed (npx install-electron --no)';
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
    return 'there is no display';
  return undefined;
}

export function createElectronLauncher(): DesktopLauncher {
  const executablePath = findElectron() ?? '';
  // Chromium's sandbox refuses to run as root, which is what containers are.
  const args = [ROOT, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const environment = (dataDir: string): Record<string, string> => ({
    ...(process.env as Record<string, string>),
    FIELDWRIGHT_DATA_DIR: dataDir,
  });

  return {
    app: CHECKOUT,
    async launch(dataDir, more = []) {
      const app = await _electron.launch({
        executablePath,
        args: [...args, ...more],
        env: environment(dataDir),
      });
      const page = await app.firstWindow();
      return {
        page,
        evaluateMain: (run, argument) => app.evaluate(run as never, argument as never),
        close: () => app.close(),
      } satisfies DesktopApp;
    },
    async launchBeside(dataDir, more = []) {
      const second = spawn(executablePath, [...args, ...more], {
        env: environment(dataDir),
        stdio: 'ignore',
      });
      const [code] = (await once(second, 'exit')) as [number];
      return code;
    },
    dispose: () => Promise.resolve(),
  };
}
