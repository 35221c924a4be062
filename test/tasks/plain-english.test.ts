/** The lint rules for plain English in comments and names. */
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { commentWords, exportedVerbs } from '../../build/lint/plain-english.mjs';

function listComplaints(code: string): readonly string[] {
  return new Linter()
    .verify(code, {
      plugins: { english: { rules: { comments: commentWords, verbs: exportedVerbs } } },
      rules: { 'english/comments': 'error', 'english/verbs': 'error' },
    } as unknown as Linter.Config)
    .map(({ message }) => message);
}

// Would catch: comments whose subject the reader has to guess, and words that only this project uses.
describe('comments', () => {
  it.each([
    '/** Of earlier runs. */',
    '/**\n * As `plan`, from a file.\n */',
    '// Whether the writes may start.',
    '// Undefined where nothing was read.',
    '// The device is told at once.',
    '/** Reads on.\n * Nobody waits for it. */',
    '// The answer is read,\n// and somebody waits.',
  ])('refuses %j', (comment) => {
    expect(listComplaints(comment)).toHaveLength(1);
  });

  it.each([
    '/** Results recorded by earlier runs of this job. */',
    '// The request is sent again\n// if the connection was lost.',
    '// Forwards what the device sent.',
    "const text = 'of: // as told';",
    '/** Events since the last call of `told`. */',
  ])('allows %j', (comment) => {
    expect(listComplaints(comment)).toEqual([]);
  });
});

// Would catch: a function whose name does not say what it does.
describe('names of exported functions', () => {
  it('begin with a verb', () => {
    expect(listComplaints('export function personOf() {}')).toHaveLength(1);
    expect(listComplaints('export function readPerson() {}')).toEqual([]);
    expect(listComplaints('function inner() {}')).toEqual([]);
  });
});
