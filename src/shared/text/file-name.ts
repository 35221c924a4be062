/** Names of files that tell what is in them, made of names that devices and people gave. */
import { replaceUnseen } from './unseen.ts';

const LONGEST_NAME = 150;
/** Longest part of a name, so that the parts behind it are kept. */
const LONGEST_PART = 60;
/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\s*(\.|$))/i;

/** Returns the first part of a path that Windows takes for a device or for a stream of another file, or shortens; undefined if there is none. */
export function findWindowsTrap(path: string): string | undefined {
  const parts = path.replace(/^(?:\\\\[?.]\\)?(?:[a-z]:)?/i, '').split(/[\\/]/);
  return parts.find(
    (part) => !/^\.{0,2}$/.test(part) && (/[<>:"|?*]|[ .]$/.test(part) || RESERVED.test(part)),
  );
}

/** Returns a name that every file system takes and that cannot point elsewhere. */
export function toSafeFileName(name: string): string {
  const safe = replaceUnseen(name, () => '/')
    .replace(/[<>:"/\\|?*]+/g, '-')
    .replace(/^[\s.-]+|[\s.]+$/g, '')
    .replace(RESERVED, '$1_');
  if (safe === '') return 'file';
  if (safe.length <= LONGEST_NAME) return safe;
  const dot = safe.lastIndexOf('.');
  const ending = dot > 0 && safe.length - dot <= 10 ? safe.slice(dot) : '';
  return whole(safe.slice(0, LONGEST_NAME - ending.length)) + ending;
}

/** Returns `kind whose 2030-01-31.ending`; parts that are empty are left out. */
export function buildFileName(parts: readonly string[], ending: string): string {
  const told = parts
    .map((part) => whole(part.trim().slice(0, LONGEST_PART)).trim())
    .filter((part) => part !== '');
  return toSafeFileName(`${told.join(' ')}.${ending}`);
}

/** Returns the text without half a surrogate pair at its end. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** Returns the name of the only one, else how many there are. */
export function formatOneOrCount(names: readonly string[], what: string): string {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : `${names.length} ${what}`;
}
