/** A process that begins a job of two files and stops in the middle of the second one, until it is killed. */
import { openJobs } from './counting-kind.ts';

const { begin } = openJobs(process.argv[2] ?? '', async ({ file }) => {
  if (file !== 'second.bin') return;
  process.stdout.write(`${id}\n`);
  await new Promise(() => setInterval(() => undefined, 60_000));
});
const id = begin(['gate'], ['first.bin', 'second.bin']);
