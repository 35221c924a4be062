/** The words of the command line before they are parsed. */
import { say } from '#shared/details.ts';
import { GLOBAL_FLAGS, GLOBAL_VALUE_OPTIONS } from './declarations/options.ts';
import { createUsageError } from './usage.ts';

/** Global options may stand before the command; commands know them after it. */
export function hoistGlobals(argv: readonly string[]): readonly string[] {
  const leading: string[] = [];
  let at = 0;
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (GLOBAL_VALUE_OPTIONS.includes(word)) leading.push(word, argv[(at += 1)] ?? '');
    else if (isGlobal(word)) leading.push(word);
    else break;
  }
  const rest = argv.slice(at);
  const end = rest.indexOf('--');
  return end < 0 ? [...rest, ...leading] : [...rest.slice(0, end), ...leading, ...rest.slice(end)];
}

/** An option that every command takes, by itself or with its value (`--lang=en`). */
export function isGlobal(word: string): boolean {
  return (
    GLOBAL_FLAGS.includes(word) ||
    GLOBAL_VALUE_OPTIONS.some((option) => word === option || word.startsWith(`${option}=`))
  );
}

/** Arguments are seen by every process of the machine and kept in the shell's history. */
export function refusePasswords(argv: readonly string[]): void {
  if (wordsBeforeRest(argv).some((word) => /^--(password|passphrase)(=|$)/.test(word))) {
    throw createUsageError(say('cli.password-argument'));
  }
}

export function isJsonRequested(argv: readonly string[]): boolean {
  return wordsBeforeRest(argv).includes('--json');
}

/** The value of the last `--lang`, which what is wrong with the other words is said in as well. */
export function readLanguageOption(argv: readonly string[]): string | undefined {
  return wordsBeforeRest(argv).reduce<string | undefined>(
    (found, word, at, words) =>
      word === '--lang' ? words[at + 1] : word.startsWith('--lang=') ? word.slice('--lang='.length) : found,
    undefined,
  );
}

function wordsBeforeRest(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}
