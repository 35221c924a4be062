/** The reference and the examples of commands, held against their declarations. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isGroup, type Declaration, type Declarations } from '#cli/declarations/declaration.ts';
import { DECLARATIONS } from '#cli/declarations/all.ts';
import { buildProgram } from '#cli/program.ts';
import { formatReference } from '../../build/tasks/support/cli-reference.mjs';

const COMMANDS = Object.entries(DECLARATIONS as Declarations).flatMap(([name, declared]) =>
  isGroup(declared)
    ? Object.entries(declared.commands).map(([word, command]): [string, Declaration] => [
        `${name} ${word}`,
        command,
      ])
    : [[name, declared] as [string, Declaration]],
);

// Would catch: an option or a command that was changed, and a reference that still tells of the old one.
it('is what `node build/tasks/derived.mjs` writes', () => {
  expect(readFileSync('src/cli/COMMANDS.md', 'utf8')).toBe(formatReference());
});

// Would catch: an example that ends with a usage error, or that is one of another command.
it.each(COMMANDS)('%s: the example is accepted', async (name, { example }) => {
  const words = example.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const begun: unknown[] = [];
  const program = buildProgram(
    '1.0.0',
    () =>
      async (...given) => {
        begun.push(given.at(-1));
      },
    words[0],
  );

  await program.parseAsync(words, { from: 'user' });

  const [command] = begun as { name(): string; parent: { name(): string; parent: unknown } }[];
  const path = [command?.parent.parent === null ? '' : command?.parent.name(), command?.name()];
  expect(path.filter(Boolean).join(' ')).toBe(name);
});
