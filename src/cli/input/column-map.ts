/** Fields of the columns of a file, in the words of `--map`. */
import { say } from '#shared/details.ts';
import { createUsageError } from '../usage.ts';

/** `column=field`; nothing behind the sign leaves the column out. Throws `usage`. */
export function mapOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.lastIndexOf('=');
      if (at <= 0) throw createUsageError(say('cli.map-form', { text: each }), { path: '--map' });
      return [each.slice(0, at), each.slice(at + 1).trim()];
    }),
  );
}
