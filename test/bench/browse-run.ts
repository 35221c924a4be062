/** Measured process: a plain browser of the library; prints the milliseconds until it knows as many services as asked: `browse-run.ts COUNT`. */
import { Bonjour } from 'bonjour-service';

const wanted = Number(process.argv[2]);
const bonjour = new Bonjour();
const names = new Set<string>();
const startedAt = performance.now();
bonjour.find({ type: 'http' }, ({ name }) => {
  names.add(name);
  if (names.size < wanted) return;
  process.stdout.write(`${performance.now() - startedAt}\n`, () => process.exit(0));
});
