/** `version`: this version, and a newer one where the policy of an organisation says where to look. */
import { checkForUpdate } from '#engine/files/updates.ts';
import type { SITE } from '#cli/declarations/site.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { readProductVersion } from '#cli/version.ts';

export async function showVersion(
  { out, interrupts }: Invocation,
  { check }: OptionsOf<(typeof SITE)['version']>,
): Promise<Outcome> {
  const version = readProductVersion();
  if (check !== true) return { json: { version }, text: version };
  const update = await checkForUpdate(version, interrupts.signal);
  const { state, says, release } = update;
  const json = { version, ...update, says: out.sentence(says) };
  const code = state === 'unreadable' ? EXIT.failed : EXIT.done;
  if (state !== 'newer' || release === undefined)
    return { json, text: version, note: out.sentence(says), code };
  const notes = release.notes.split('\n').filter((line) => line !== '');
  return { json, text: [version, out.sentence(says), ...notes, `SHA-256 ${release.sha256}`] };
}
