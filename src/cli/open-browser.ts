/** Start of the system's browser without showing the link to other users of the computer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '#engine/host/system-programs.ts';
import type { Invocation } from './invocation.ts';
import type { Io } from './io.ts';

/** Names of variables that a browser needs; passwords and secrets stay behind. */
const NEEDED = new RegExp(
  `^(?:${[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LANGUAGE',
    'LC_\\w+',
    'TZ',
    'TMPDIR',
    'TEMP',
    'TMP',
    'BROWSER',
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'XAUTHORITY',
    'XDG_\\w+',
    'DESKTOP_SESSION',
    'DBUS_SESSION_BUS_ADDRESS',
    'GDK_\\w+',
    'GTK_\\w+',
    'QT_\\w+',
    'KDE_\\w+',
    'GNOME_\\w+',
    'WSL\\w*',
    'SYSTEMROOT',
    'SYSTEMDRIVE',
    'WINDIR',
    'COMSPEC',
    'PATHEXT',
    'USERNAME',
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'PUBLIC',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
    'ALLUSERSPROFILE',
    'PROGRAMFILES(?:\\(X86\\))?',
    'PROGRAMW6432',
  ].join('|')})$`,
  'i',
);

function browserEnvironment(env: Io['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
}

/**
 * Hands the browser a file that forwards to the address: arguments stand in the list of processes for
 * every user of the computer, the file (mode 0600) for this one alone. When there is no browser the
 * printed address is enough. Returns what removes the file.
 */
export function openBrowser({ io, out }: Pick<Invocation, 'io' | 'out'>, url: string): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwright-open-'));
  const file = join(folder, 'open.html');
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Fieldwright</title><meta http-equiv="refresh" content="0; url=${url}">\n`,
    { mode: 0o600 },
  );
  const [program, args] =
    io.platform === 'win32'
      ? // This entry alone has a form for paths beyond the code page of the system.
        (['rundll32', ['shell32.dll,ShellExec_RunDLL', file]] as const)
      : ([io.platform === 'darwin' ? 'open' : 'xdg-open', [file]] as const);
  const missing = (): void => out.note(out.say('cli.no-browser'));
  const child = startProgram(program, args, browserEnvironment(io.env));
  if (child === undefined) missing();
  else child.once('error', missing);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
