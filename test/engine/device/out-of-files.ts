/**
 * Process in which the system gives out no more files but so many: prints what became of one request to each of the
 * given devices. `node out-of-files.ts <free files> <address>…`
 */
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';
import { loadHttp } from '#engine/device/transport/transport.ts';
import { isOutOfFiles, toErrorShape } from '#shared/errors.ts';

const [free, ...addresses] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'fieldwright-files-'));
const engine = await createEngine({
  dataDir: folder,
  resourcesDir: join(folder, 'none'),
  face: 'cli',
  version: '0',
  user: 'tester',
  protections: [createKeyFileProtection(join(folder, 'vault.key'))],
});
const ids = addresses.map((address) => engine.devices.add({ address }).id);

// A long-running process has loaded it by then; it reads files of its own at the first request.
await loadHttp();
const dispatcher = new Agent();
await (await request(addresses[0] ?? '', { dispatcher })).body.dump();
await dispatcher.close();

const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch (error) {
  if (!isOutOfFiles(error)) throw error;
}
for (const file of taken.splice(0, Number(free))) closeSync(file);

const { signal } = new AbortController();
const became = await Promise.all(
  ids.map((deviceId) =>
    engine.operations.request({ deviceId, method: 'GET', path: '/API/System/capabilities' }, signal).then(
      ({ outcome }) => outcome,
      (error: unknown) => toErrorShape(error).code,
    ),
  ),
);
for (const file of taken) closeSync(file);
process.stdout.write(`${JSON.stringify(became)}\n`);
await engine.close();
rmSync(folder, { recursive: true });
