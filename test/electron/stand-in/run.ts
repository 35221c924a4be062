/** Entry of the stand-in's process: gives `electron` its stand-in, then runs the built main bundle. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Ask } from './protocol.ts';
import { browserContext, tell } from './surroundings.ts';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

// The bundle of a checkout lies in `out/main`.
const [program = '', , bundle = '', resources = join(bundle, '../../../resources'), ...args] = process.argv;
if (bundle === '') throw new Error('Usage: run.ts <built main bundle> [<resources folder>]');
// Electron sets this before the app begins.
Object.assign(process, { resourcesPath: resources });
process.env['STAND_IN_BUNDLE'] = bundle;
// An installed program has its own path before the arguments that it was started with.
process.argv.splice(0, Infinity, program, ...args);
const electron = await import('./electron.ts');

process.on('message', (ask: Ask) => {
  void answer(ask);
});
// This app ends with the test.
process.on('disconnect', () => {
  process.exit(1);
});

await browserContext();
await import(pathToFileURL(bundle).href);
tell({ type: 'started' });

async function answer({ id, type, source, argument }: Ask): Promise<void> {
  if (type === 'quit') {
    electron.app.quit();
    return;
  }
  try {
    const run = (0, eval)(`(${source ?? ''})`) as (module: typeof electron, argument: unknown) => unknown;
    tell({ type: 'answer', id, value: await run(electron, argument) });
  } catch (error) {
    tell({ type: 'answer', id, error: error instanceof Error ? error.message : String(error) });
  }
}
