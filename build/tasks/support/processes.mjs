/** Child processes that never outlive their task, however it ends. */
import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownNode } from './paths.mjs';

const GRACE_MS = 4000;
const children = new Set();

const END_WITH_LAUNCHER = fileURLToPath(new URL('end-with-launcher.cjs', import.meta.url));

/** A child that runs in Node ends with this process, also if this one is killed (`end-with-launcher.cjs`). */
function spawnChild(command, args, { stdio = 'pipe', env = process.env, ...options }) {
  // Windows takes a bare name from the current folder first.
  if (!isAbsolute(command)) throw new Error(`${command} is not the absolute path of a program.`);
  if (command !== ownNode && command !== process.execPath)
    return spawn(command, args, { windowsHide: true, stdio, env, ...options });
  const streams = typeof stdio === 'string' ? [stdio, stdio, stdio] : stdio;
  const child = spawn(command, ['--require', END_WITH_LAUNCHER, ...args], {
    windowsHide: true,
    stdio: [...streams, 'ipc'],
    env: { ...env, FIELDWRIGHT_LAUNCHER: '1' },
    ...options,
  });
  // An open channel alone must not keep this process alive.
  child.channel?.unref();
  return child;
}

/** Starts a child that `stopAll` knows. */
export function start(command, args, options = {}) {
  const child = spawnChild(command, args, options);
  children.add(child);
  const done = new Promise((resolve) => {
    child.once('error', (error) => {
      children.delete(child);
      resolve({ code: 127, signal: null, error });
    });
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  return { child, done };
}

/**
 * Asks a child to end, then insists. Resolves when it has ended. One that runs in Node is asked through its
 * channel (`end-with-launcher.cjs`): on Windows a signal ends a process in the middle of what is under way.
 */
export async function stop({ child, done }, graceMs = GRACE_MS) {
  if (child.exitCode !== null || child.signalCode !== null) return done;
  if (child.connected) child.send('stop', () => undefined);
  else child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  try {
    return await done;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends every child of this task. */
export async function stopAll() {
  await Promise.all(
    [...children].map((child) =>
      stop({ child, done: new Promise((resolve) => child.once('close', resolve)) }),
    ),
  );
}

/**
 * Runs a child to its end and keeps what it printed (the last `keep` characters of each stream).
 * Resolves to `{ code, stdout, stderr, timedOut }`; never rejects.
 */
export async function capture(
  command,
  args,
  { timeoutMs, keep = 8_000_000, input, onStderr, ...options } = {},
) {
  const running = start(command, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...options,
  });
  let stdout = '';
  let stderr = '';
  let timedOut = false;
  running.child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout = (stdout + text).slice(-keep);
  });
  running.child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-keep);
    onStderr?.(text);
  });
  if (input !== undefined) running.child.stdin?.end(input);
  const timer = timeoutMs
    ? setTimeout(() => {
        timedOut = true;
        void stop(running, 1000);
      }, timeoutMs)
    : undefined;
  const { code, signal, error } = await running.done;
  clearTimeout(timer);
  return { code: code ?? 1, signal, stdout, stderr: error ? `${stderr}${error.message}` : stderr, timedOut };
}

/** Calls `onStop` once for the first SIGINT, SIGTERM or SIGHUP; returns a function that stops listening. */
export function onStopSignal(onStop) {
  let called = false;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  function handle(signal) {
    if (called) return;
    called = true;
    onStop(signal);
  }
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of signals) process.off(signal, handle);
  };
}

/** Exit code that says which signal ended a process. */
export function signalExitCode(signal) {
  return signal === 'SIGINT' ? 130 : signal === 'SIGHUP' ? 129 : 143;
}

/** Hands this process over to another command: same stdio, signals and exit code pass through. */
export function become(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawnChild(command, args, { stdio: 'inherit', ...options });
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = (signal) => {
      // The console has already sent Ctrl-C to the child on Windows, and `kill` would end it in the middle of
      // its work.
      if (process.platform !== 'win32') child.kill(signal);
    };
    for (const signal of signals) process.on(signal, forward);
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(127);
    });
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve(code ?? signalExitCode(signal));
    });
  });
}
