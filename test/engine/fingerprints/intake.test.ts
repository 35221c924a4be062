import { expect, it, onTestFinished } from 'vitest';
import { splitLines, type Line } from '#engine/fingerprints/lines.ts';
import { PrintIntake } from '#engine/fingerprints/intake.ts';
import { PrintRows } from '#engine/fingerprints/print-rows.ts';
import { openStore } from '#engine/store/index.ts';

const LINES = 20_000;

// Would catch: a file of nothing but mistakes that is written, and synced, line by line.
it('bad lines are kept in batches, each with its reason', async () => {
  const clock = { now: () => new Date(0), delay: () => Promise.resolve() };
  const store = openStore(':memory:', { clock });
  onTestFinished(() => store.close());
  let transactions = 0;
  const counted = {
    ...store,
    transactionSoon: <T>(work: () => T): T => {
      transactions += 1;
      return store.transactionSoon(work);
    },
  };
  const vault = {
    seal: (text: string) => Buffer.from(text),
    open: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
  };
  const rows = new PrintRows({ store: counted, vault, clock, onFailure: () => undefined });
  const intake = new PrintIntake(rows, new Set());
  const { jobId } = intake.open({ deviceIds: [] });
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('not a line\n'.repeat(LINES));
  }

  const ready = await intake.fill(jobId, file(), new AbortController().signal);

  expect(ready).toMatchObject({ prints: 0, bad: LINES });
  expect(transactions).toBeLessThan(LINES / 20);
  expect(rows.printResults(jobId, 0)[0]).toMatchObject({ status: 'bad-line', line: 1 });
});

// Would catch: fingerprints that an old PowerShell wrote, of which no line can be read.
it.each([
  ['with its mark', Buffer.from([0xff, 0xfe])],
  ['without', Buffer.alloc(0)],
])('lines in UTF-16 (%s) are read', async (_name, mark) => {
  const bytes = Buffer.concat([mark, Buffer.from('{"a":1}\r\n{"b":2}\r\n', 'utf16le')]);
  // Pieces that cut a character.
  async function* file(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }

  const lines: Line[] = [];
  for await (const line of splitLines(file())) lines.push(line);

  expect(lines).toMatchObject([{ text: '{"a":1}' }, { text: '{"b":2}' }]);
});
