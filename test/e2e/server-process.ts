/** The browser-hosted app in a process of its own, which a test can put to sleep: `server-process.ts DATA_DIR RENDERER_DIR`. Each line on standard input is an address to add. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { startServer } from '#server/index.ts';

const [dataDir = '', rendererDir = ''] = process.argv.slice(2);
const engine = await createEngine({
  dataDir,
  resourcesDir: join(import.meta.dirname, '..', '..', 'resources'),
  face: 'browser',
  version: '0.0.0',
  protections: [createKeyFileProtection(join(dataDir, 'key'))],
});
const server = await startServer({
  engine,
  rendererDir,
  host: { canSimulate: false, startSimulatedSite: () => Promise.resolve(0) },
});
process.stdout.write(`${server.url}\n`);
for await (const address of createInterface({ input: process.stdin })) engine.devices.add({ address });
await server.close();
await engine.close();
