/** How tasks speak: short lines on stderr, so that stdout stays free for results. */
export class TaskError extends Error {
  /** `hint` says what the person can do. */
  constructor(message, hint) {
    super(message);
    this.name = 'TaskError';
    this.hint = hint;
  }
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** A line that says what is going on and, when it is over, how long it took. */
export async function step(label, work) {
  const started = Date.now();
  const live = process.stderr.isTTY === true;
  if (live) process.stderr.write(`… ${label}`);
  const clear = live ? '\r\u001b[2K' : '';
  try {
    const result = await work();
    process.stderr.write(`${clear}✓ ${label} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${clear}✗ ${label}\n`);
    throw error;
  }
}

/** Runs a task's main function; a failure is one readable message and exit code 1. */
export async function runTask(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (error instanceof TaskError) {
      say(`\n${error.message}`);
      if (error.hint) say(error.hint);
    } else {
      say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    process.exitCode = 1;
  }
}
