/** The processes of a bench: a site to ask, and one that is measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SiteOptions } from '../../src/simulator/index.ts';
import type { BenchDevice } from './shared.ts';

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** A site while `work` runs; the same seed makes each one start alike. */
export async function withSite<T>(options: SiteOptions, work: (devices: readonly BenchDevice[]) => Promise<T>): Promise<T> {
  const site = spawn(process.execPath, [script('site-run.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
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
  const child = spawn(process.execPath, [...flags, script(name)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => { text += part; });
  child.stdin.end(JSON.stringify(task));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}.`);
  return JSON.parse(text) as T;
}
