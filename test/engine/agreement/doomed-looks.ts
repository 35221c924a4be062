/** Process that looks, accepts, puts off and takes snapshots until it is killed. Argument: its data folder. */
import { join } from 'node:path';
import { createEngine, createKeyFileProtection } from '#engine/index.ts';

const [dataDir = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const engine = await createEngine({
  dataDir,
  resourcesDir: join(import.meta.dirname, '../../../resources'),
  face: 'cli',
  version: '0.0.0',
  user: 'doomed',
  protections: [createKeyFileProtection(join(dataDir, 'vault.key'))],
});
/** A line after each step, on which it is killed. */
const step = (): void => void process.stdout.write('step\n');
for (;;)
  for (const { id } of engine.devices.list()) {
    for await (const event of engine.agreements.look({ deviceIds: [id] }, never)) void event;
    step();
    await engine.snapshots.take({ deviceId: id }, never);
    step();
    const [{ state } = { state: 'unknown' }] = engine.agreements.status({ deviceIds: [id] });
    if (state !== 'drifted') continue;
    engine.agreements.putOff({ deviceIds: [id] });
    step();
    engine.agreements.accept({ deviceIds: [id], reason: 'seen by one that dies' });
    step();
  }
