/** Signs of life: held while their process lives, whatever has its number later. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '#engine/jobs/owner.ts';
import { dropSign, holdSign, isSignHeld } from '#engine/jobs/sign-of-life.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../../src/engine/jobs/sign-of-life.ts')).href;

let folder: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwright-sign-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(end));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts another process that holds a sign in the folder. */
async function startHolder(): Promise<{ readonly child: ChildProcess; readonly name: string }> {
  const script = `const { holdSign } = await import(${JSON.stringify(MODULE)});
    console.log(holdSign(process.argv[1], 'engine'));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, name: said.toString().trim() };
}
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
const signs = (): readonly string[] => readdirSync(join(folder, 'alive'));

describe('the sign of another process', () => {
  // Would catch: on Windows a job stays "being worked on" for good, because another program was given the number of the
  // process that died.
  it('is held while it lives, and not once it was killed, whoever has its number then', async () => {
    const { child, name } = await startHolder();
    const owner = { process: process.ppid, engine: 'other', started: name };
    expect([isSignHeld(folder, name), isAlive(owner, folder)]).toEqual([true, true]);

    await end(child);

    expect([isSignHeld(folder, name), isAlive(owner, folder)]).toEqual([false, false]);
  });

  it('that was left is removed by the next process, and one that is held stays', async () => {
    const [killed, living] = [await startHolder(), await startHolder()];
    await end(killed.child);

    const mine = holdSign(folder, 'engine');

    expect(signs()).toHaveLength(2);
    expect([killed.name, living.name].map((name) => isSignHeld(folder, name))).toEqual([false, true]);
    dropSign(folder, 'engine');
    expect(isSignHeld(folder, mine ?? '')).toBe(false);
  });
});

describe('the sign of this process', () => {
  it('is one for all its engines, and goes with the last of them', () => {
    const name = holdSign(folder, 'one');
    expect(holdSign(folder, 'other')).toBe(name);

    dropSign(folder, 'one');
    expect(isSignHeld(folder, name ?? '')).toBe(true);
    dropSign(folder, 'one');
    dropSign(folder, 'other');

    expect(signs()).toEqual([]);
  });

  it('is no other text, and never a path', () => {
    for (const text of ['boot/1', 'sign:', 'sign:../../../x', 'Thu Nov 26'])
      expect(isSignHeld(folder, text)).toBeUndefined();
  });
});
