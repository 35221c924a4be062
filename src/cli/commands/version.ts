/** `version`: this version, and a newer one where the policy of an organisation says where to look. */
import type { Action } from '../declarations/all.ts';
import { checkForUpdate } from '#engine/files/updates.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { readProductVersion } from '#cli/version.ts';

export const showVersion: Action<'version'> = async ({ out, interrupts }, { check }) => {
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
};
