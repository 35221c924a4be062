/** The real command line, run by a task. */
import { join } from 'node:path';
import { ownNode, root } from './paths.mjs';
import { childEnvironment } from './modules.mjs';
import { capture, start, stop } from './processes.mjs';
import { TaskError } from './report.mjs';

const entry = join(root, 'out', 'main', 'cli.cjs');
const READY_MS = 60_000;

/** Runs a command to its end and gives its exit code and JSON document. */
export async function cli(args, { env = {}, timeoutMs = 300_000 } = {}) {
  const result = await capture(ownNode, [entry, ...args, '--json'], {
    cwd: root,
    env: childEnvironment(env),
    timeoutMs,
  });
  let document;
  try {
    document = JSON.parse(result.stdout);
  } catch {
    throw new TaskError(
      `fieldwright ${args[0]} printed no JSON (exit ${result.code}${result.timedOut ? ', it took too long' : ''}).`,
      `${result.stdout}${result.stderr}`.slice(-2000),
    );
  }
  return { code: result.code, document };
}

/** Starts a command that prints one JSON line when it is ready, and goes on. `atTerminal`: it may ask the person there. */
export async function startCli(args, { env = {}, atTerminal = false } = {}) {
  const stdio = atTerminal ? ['inherit', 'pipe', 'inherit'] : ['ignore', 'pipe', 'pipe'];
  const running = start(ownNode, [entry, ...args], { cwd: root, env: childEnvironment(env), stdio });
  let stderr = '';
  running.child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-4000);
  });
  const ready = await new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new TaskError(`fieldwright ${args[0]} was not ready in ${READY_MS / 1000} s.`, stderr)),
      READY_MS,
    );
    running.child.stdout.setEncoding('utf8').on('data', (part) => {
      if (text.includes('\n')) return;
      text += part;
      const [line] = text.split('\n', 1);
      if (text.includes('\n')) {
        clearTimeout(timer);
        resolve(line);
      }
    });
    void running.done.then(({ code }) => {
      clearTimeout(timer);
      reject(new TaskError(`fieldwright ${args[0]} ended at once (exit ${code}).`, stderr));
    });
  });
  return { ...running, ready: JSON.parse(ready), stop: () => stop(running) };
}
