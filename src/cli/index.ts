/** Entry point of the command line. */
import { homedir, userInfo } from 'node:os';
import { runCli } from './main.ts';
import type { Io } from './io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Some systems know no name for the running user. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.env['USER'] ?? process.env['USERNAME'] ?? 'unknown');
  }
}

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  platform: process.platform,
  homeDir: homedir(),
  user: userName(),
  onSignal(handler) {
    for (const signal of SIGNALS) process.on(signal, handler);
    return () => {
      for (const signal of SIGNALS) process.off(signal, handler);
    };
  },
  exitNow(code) {
    process.exit(code);
  },
};

// Most commands have ended before V8 takes much; for the others it is time enough.
setTimeout(() => {
  import('#rpc/hosting/young-generation.ts').then(
    (module) => module.boundYoungGeneration(),
    // A module that cannot be loaded for want of files is no loss: the command itself says so.
    () => undefined,
  );
}, 500).unref();
// Ends here although a connection may still be closing: everything that counts is done and written.
void runCli(process.argv.slice(2), io).then((code) => process.exit(code));
