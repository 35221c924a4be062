/** The processes of a bench: a site to ask, and one that is measured, each built as the app is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { SiteOptions } from '#simulator/index.ts';
import type { BenchDevice } from './shared.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** The command as people call it. */
export const FIELDWRIGHT = fileURLToPath(new URL('../../build/tasks/fieldwright.mjs', import.meta.url));

/** Describes the command for reports: without a build it runs its sources, which takes longer to start. */
export function howItRuns(): string {
  const isBuilt = existsSync(join(HERE, '..', '..', 'out', 'main', 'cli.cjs'));
  return isBuilt ? 'the built command' : 'the command from its sources';
}

const built = new Map<string, Promise<string>>();
let folder: string | undefined;

/**
 * Returns the path of a script of this folder, bundled: people run a built program too, and Node's own
 * stripping of types costs 40 MB.
 */
function script(name: string): Promise<string> {
  const known = built.get(name) ?? bundle(name);
  built.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  if (folder === undefined) {
    // The folder is beside node_modules, so that the packages outside of the bundle are found.
    const cache = join(HERE, '..', '..', 'node_modules', '.cache');
    mkdirSync(cache, { recursive: true });
    const made = (folder = mkdtempSync(join(cache, 'fieldwright-bench-')));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const fileName = name.replace(/\.ts$/, '.mjs');
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(HERE, name),
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rollupOptions: { output: { entryFileNames: fileName, codeSplitting: false } },
    },
  });
  return join(folder, fileName);
}

/** Runs `work` beside a site; the same seed makes each one start alike. */
export async function withSite<T>(
  options: SiteOptions,
  work: (devices: readonly BenchDevice[]) => Promise<T>,
): Promise<T> {
  const site = spawn(process.execPath, [await script('site-run.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let text = '';
    site.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
    site.once('close', () => reject(new Error('The virtual site ended before it was ready.')));
    site.stdin.end(JSON.stringify(options));
    return await work((JSON.parse(await promise) as { readonly devices: readonly BenchDevice[] }).devices);
  } finally {
    site.kill('SIGTERM');
    if (site.exitCode === null && site.signalCode === null) await once(site, 'close');
  }
}

/** Runs a script of this folder with `task` on its standard input; gives what it printed as JSON. */
export async function runMeasured<T>(name: string, task: unknown, flags: readonly string[] = []): Promise<T> {
  const child = spawn(process.execPath, [...flags, await script(name)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stdin.end(JSON.stringify(task));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}.`);
  return JSON.parse(text) as T;
}

/**
 * A process of this folder that answers line by line, JSON each way; its last line follows a request to end.
 */
export interface Asked {
  ask<T>(question: unknown): Promise<T>;
}

/** Runs a script of this folder while `work` asks it; gives what `work` gave and the script's last line. */
export async function withAsked<T, Last>(
  name: string,
  work: (asked: Asked) => Promise<T>,
): Promise<{ readonly value: T; readonly last: Last }> {
  const child = spawn(process.execPath, [await script(name)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function next<A>(): Promise<A> {
    const line = await lines.next();
    if (line.done === true) throw new Error(`${name} ended too early.`);
    return JSON.parse(line.value) as A;
  }
  try {
    const value = await work({
      ask: (question) => {
        child.stdin.write(`${JSON.stringify(question)}\n`);
        return next();
      },
    });
    child.stdin.end();
    return { value, last: await next<Last>() };
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}
