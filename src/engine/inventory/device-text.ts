/** Names and tags as people write them, checked once. */
import { say } from '#shared/details.ts';
import { userError, type FieldwrightError } from '#shared/errors.ts';
import { hasUnseen } from '#shared/text/unseen.ts';
import { findNearestName } from '#protocol/index.ts';

const MAX_NAME = 200;
const MAX_TAGS = 50;
const MAX_IDENTITY = 300;

/**
 * Checks a name in one line that shows what it is and cannot pose as another. `what` begins the sentence: `A
 * name`. @throws `too-long`, `not-allowed`
 */
function checkText(text: string, what: string, path: string): string {
  if (text.length > MAX_NAME)
    throw userError('too-long', say('text-too-long', { what, max: MAX_NAME }), { path });
  if (hasUnseen(text) || !text.isWellFormed())
    throw userError('not-allowed', say('text-misleading', { what }), { path });
  return text;
}

/** Returns the trimmed name; undefined if it is empty. @throws `too-long`, `not-allowed` */
export function checkName(name: string | undefined, path = 'name'): string | undefined {
  const trimmed = name?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : checkText(trimmed, 'A name', path);
}

/** Checks a required name like `checkName`. */
export function requireName(name: string, path = 'name'): string {
  const checked = checkName(name, path);
  if (checked === undefined) throw userError('missing-field', say('name-missing'), { path });
  return checked;
}

/** Returns a key; two names with one key are the same to a person. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Checks an identity as discovery reports it. @throws `too-long` */
export function checkIdentity(identity: string): string {
  if (identity === '' || identity.length > MAX_IDENTITY || hasUnseen(identity))
    throw userError('too-long', say('identity-form', { max: MAX_IDENTITY }), { path: 'identity' });
  return identity;
}

/** Returns the tags trimmed, each once. @throws `too-long`, `not-allowed` */
export function checkTags(tags: readonly string[]): string[] {
  const clean = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (clean.length > MAX_TAGS)
    throw userError('too-long', say('too-many-tags', { max: MAX_TAGS }), { path: 'tags' });
  return clean.map((tag) => checkText(tag, 'A tag', 'tags'));
}

/** Creates `unknown-device` with the nearest of the known names. */
export function createUnknownDeviceError(reference: string, names: readonly string[]): FieldwrightError {
  const nearest = findNearestName(reference, names);
  return userError('unknown-device', say('no-such-device', { device: reference }), {
    device: reference,
    nearest,
  });
}
