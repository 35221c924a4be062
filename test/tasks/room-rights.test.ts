/** The lint rule that says which folder may import which. */
import { Linter } from 'eslint';
import { expect, it } from 'vitest';
import { roomRights } from '../../build/lint/room-rights.mjs';

const OPTIONS = {
  mayImport: { engine: ['shared'], shared: [], renderer: ['shared'] },
  never: [
    {
      in: ['engine/apply'],
      from: ['engine/people'],
      but: ['engine/people/view.ts'],
      why: 'A kind of job never imports another kind.',
    },
  ],
};

function messagesFor(code: string, filename: string): readonly string[] {
  const messages = new Linter().verify(
    code,
    {
      files: ['**/*.ts'],
      plugins: { rooms: { rules: { rights: roomRights } } },
      rules: { 'rooms/rights': ['error', OPTIONS] },
    } as unknown as Linter.Config,
    filename,
  );
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return messages.map(({ message }) => message);
}

// Would catch: a right that only one way to write an import is held to.
it.each([
  ["import { a } from '#renderer/a.ts';", 'src/engine/a.ts', 'engine/ may import only: shared'],
  ["export * from '#engine/a.ts';", 'src/shared/a.ts', 'shared/ may import only: nothing of ours'],
  ["export { a } from '#engine/a.ts';", 'src/shared/a.ts', 'shared/ may import only: nothing of ours'],
  ["const a = import('#engine/a.ts');", 'src/renderer/a.ts', 'renderer/ may import only: shared'],
  ["import '../people/plan.ts';", 'src/engine/apply/a.ts', 'A kind of job never imports another kind.'],
  [
    "import '#engine/people/plan.ts';",
    'src/engine/apply/undo/a.ts',
    'A kind of job never imports another kind.',
  ],
  ["import '../shared/a.ts';", 'src/engine/a.ts', 'Write #shared/a.ts.'],
  ["import '../../device/a.ts';", 'src/engine/apply/undo/a.ts', 'Write #engine/device/a.ts.'],
  ["import '../../helpers/a.ts';", 'test/engine/apply/a.test.ts', 'Write #test/helpers/a.ts.'],
])('refuses %s in %s', (code, filename, message) => {
  const messages = messagesFor(code, filename);

  expect(messages.join('\n')).toContain(message);
});

// Would catch: a rule that forbids what the map allows.
it.each([
  ["import '#shared/a.ts';", 'src/engine/apply/a.ts'],
  ["import '../device/a.ts';", 'src/engine/apply/a.ts'],
  ["import '#engine/people/view.ts';", 'src/engine/apply/a.ts'],
  ["import '#engine/apply/a.ts';", 'src/engine/people/a.ts'],
  ["import '#renderer/a.ts';", 'test/renderer/a.test.ts'],
  ["import 'vue';", 'src/renderer/a.ts'],
])('allows %s in %s', (code, filename) => {
  expect(messagesFor(code, filename)).toEqual([]);
});
