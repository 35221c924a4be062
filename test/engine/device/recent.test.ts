import { expect, it } from 'vitest';
import { rememberRecent } from '#engine/device/recent.ts';

/** Counts how often it really reads. */
function counted() {
  const calls: string[] = [];
  const read = rememberRecent((payload: { readonly name: string }, text: string) => {
    calls.push(`${payload.name} ${text.slice(0, 8)}`);
    return { of: payload.name, text };
  });
  return { calls, read };
}
const [one, other] = [{ name: 'one' }, { name: 'other' }];

// Would catch: the answer to one operation taken for that of another with the same text.
it('keeps results apart by payload', () => {
  const { read, calls } = counted();

  const results = [read(one, '<a/>'), read(other, '<a/>'), read(one, '<a/>')];

  expect(results.map(({ of }) => of)).toEqual(['one', 'other', 'one']);
  expect(calls).toEqual(['one <a/>', 'other <a/>']);
});

// Would catch: memory that grows with every document a device ever sent.
it('forgets the oldest, and never keeps large documents', () => {
  const { read, calls } = counted();
  const large = 'x'.repeat(70_000);

  for (let nth = 0; nth < 65; nth += 1) read(one, `doc ${nth}`);
  read(one, 'doc 64');
  read(one, 'doc 0');
  read(one, large);
  read(one, large);

  expect(calls.slice(65)).toEqual(['one doc 0', 'one xxxxxxxx', 'one xxxxxxxx']);
});
