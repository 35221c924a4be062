/** Errors of the parser, as usage errors in the language of the terminal. */
import type { CommanderError } from 'commander';
import { say, splitSentences } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';

/** Commander tells what it found in English sentences alone. */
export function createParsingError({ code, message }: CommanderError): FieldwrightError {
  const text = message.replace(/^error: /, '');
  const name = /'([^']*)'/.exec(text)?.[1] ?? '';
  const meant = /\(Did you mean (?:one of )?(.+?)\?\)/s.exec(text)?.[1];
  const problem = problemOf(code, { text, name, meant });
  const path = /^--[\w-]+/.exec(name)?.[0];
  if (problem !== undefined) return userError('usage', problem, path === undefined ? {} : { path });
  const [first = '', ...suggestion] = text.split('\n');
  const hint = suggestion.length > 0 ? [suggestion.join(' ').replace(/^\(|\)$/g, '')] : [];
  return new FieldwrightError({
    code: 'usage',
    source: 'user',
    // A sentence of a later Commander, which the catalogue does not have, stays English.
    ...splitSentences([`${first.replace(/^./, (letter) => letter.toUpperCase())}.`, ...hint].join('\n')),
  });
}

function problemOf(
  code: string,
  { text, name, meant }: { readonly text: string; readonly name: string; readonly meant: string | undefined },
): ReturnType<typeof say> | undefined {
  switch (code) {
    case 'commander.unknownOption':
      return meant === undefined
        ? say('cli.unknown-option', { name })
        : say('cli.unknown-option-meant', { name, meant });
    case 'commander.unknownCommand':
      return meant === undefined
        ? say('cli.unknown-command', { name })
        : say('cli.unknown-command-meant', { name, meant });
    case 'commander.missingArgument':
      return say('cli.missing-argument', { name });
    case 'commander.optionMissingArgument':
      return say('cli.option-without-value', { name });
    case 'commander.missingMandatoryOptionValue':
      return say('cli.missing-option', { name });
    case 'commander.excessArguments': {
      const [, expected, received] = /Expected (\d+) .*? but got (\d+)/s.exec(text) ?? [];
      return expected === undefined || received === undefined
        ? undefined
        : say('cli.too-many-arguments', { expected, received });
    }
    default:
      return undefined;
  }
}
