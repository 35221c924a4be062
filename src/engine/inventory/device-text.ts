/** Names and tags as people write them, checked once. */
import { FieldwrightError } from '../../shared/errors.ts';
import { nearestName } from '../../protocol/index.ts';

const MAX_NAME = 200;
const MAX_TAGS = 50;
const MAX_IDENTITY = 300;

/** Trimmed; undefined where nothing is left. Throws `too-long`. */
export function checkName(name: string | undefined): string | undefined {
  const trimmed = name?.trim();
  if (trimmed === undefined || trimmed === '') return undefined;
  if (trimmed.length > MAX_NAME || /\p{Cc}/u.test(trimmed)) throw new FieldwrightError({ code: 'too-long', source: 'user', path: 'name', message: `A name has at most ${MAX_NAME} characters and no line breaks.` });
  return trimmed;
}

/** As discovery tells it. Throws `too-long`. */
export function checkIdentity(identity: string): string {
  if (identity === '' || identity.length > MAX_IDENTITY || /\p{Cc}/u.test(identity)) throw new FieldwrightError({ code: 'too-long', source: 'user', path: 'identity', message: `An identity has 1 to ${MAX_IDENTITY} characters and no line breaks.` });
  return identity;
}

/** Trimmed, each once. Throws `too-long`. */
export function checkTags(tags: readonly string[]): string[] {
  const clean = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (clean.length > MAX_TAGS || clean.some((tag) => tag.length > MAX_NAME || /\p{Cc}/u.test(tag))) {
    throw new FieldwrightError({ code: 'too-long', source: 'user', path: 'tags', message: `A device has at most ${MAX_TAGS} tags of at most ${MAX_NAME} characters.` });
  }
  return clean;
}

/** `unknown-device` with the nearest of the known names. */
export function unknownDevice(reference: string, names: readonly string[]): FieldwrightError {
  const nearest = nearestName(reference, names);
  return new FieldwrightError({
    code: 'unknown-device', source: 'user', device: reference, message: `There is no device "${reference}".`,
    ...(nearest === undefined ? {} : { nearest, hint: `Did you mean "${nearest}"?` }),
  });
}
