/**
 * Loaded before everything else in a process that `processes.mjs` starts: ends this process once its launcher
 * has ended, also if that was killed and could pass nothing on. The channel between the two closes with
 * either of them, on every system. A launcher that is killed is a stop signal here: what is under way is
 * finished, the rest stays for later. On Windows Node's job object ends the child of a killed launcher at
 * once; there this serves a launcher that lives.
 */
const MARK = 'FIELDWRIGHT_LAUNCHER';
/** Time for what is under way. */
const GRACE_MS = 60_000;
const EXIT_CODE = 143;

function end() {
  // Raised here, because on Windows a signal to a process ends it at once.
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(EXIT_CODE);
  setTimeout(() => process.exit(EXIT_CODE), GRACE_MS).unref();
}

if (process.env[MARK] !== undefined) {
  // The children of this process have channels and launchers of their own.
  delete process.env[MARK];
  if (process.connected !== true) end();
  else {
    process.once('disconnect', end);
    process.on('message', (message) => {
      if (message === 'stop') end();
    });
    process.channel.unref();
  }
}
