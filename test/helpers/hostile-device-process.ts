/** Process of the hostile device: prints its address, and ends when its standard input does. */
import { startHostileDevice } from './hostile-device.ts';

const device = await startHostileDevice();
process.stdout.write(`${device.url}\n`);
process.stdin.resume().once('end', () => void device.close());
