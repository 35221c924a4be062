/** What a list of devices may say about them, whatever the heading is called. */
import { nearestName } from '../../../protocol/index.ts';
import { say } from '../../../shared/details.ts';
import { userError } from '../../../shared/errors.ts';

export type Column =
  | 'address'
  | 'name'
  | 'tags'
  | 'site'
  | 'user'
  | 'credential'
  | 'profile'
  | 'prefix'
  | 'namespace'
  | 'auth'
  | 'certificate'
  | 'reason';

const HEADINGS: Readonly<Record<string, Column>> = {
  address: 'address',
  url: 'address',
  host: 'address',
  ip: 'address',
  device: 'address',
  name: 'name',
  tags: 'tags',
  tag: 'tags',
  site: 'site',
  user: 'user',
  username: 'user',
  credential: 'credential',
  signin: 'credential',
  profile: 'profile',
  prefix: 'prefix',
  pathprefix: 'prefix',
  namespace: 'namespace',
  auth: 'auth',
  certificate: 'certificate',
  fingerprint: 'certificate',
  reason: 'reason',
};
const SECRET = /^(password|passwd|pwd|pass|secret|passphrase)$/;

/** True for a heading of passwords, however it is spelled. */
export function isSecretHeading(heading: string): boolean {
  return SECRET.test(plainOf(heading));
}

function plainOf(heading: string): string {
  return heading.toLowerCase().replace(/[\s_-]/g, '');
}

/** Throws where the file as a whole cannot be taken: no address, an unknown column, one of them twice, passwords. */
export function readColumns(header: readonly string[]): readonly Column[] {
  const columns = header.map(readColumn);
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice !== undefined)
    throw userError('unreadable-file', say('columns-same', { name: twice }), { line: 1 });
  if (columns.includes('address')) return columns;
  throw userError('unreadable-file', say('columns-without-address'), { line: 1 });
}

function readColumn(heading: string): Column {
  const plain = plainOf(heading);
  if (SECRET.test(plain)) {
    throw userError('not-allowed', say('columns-with-password'), { line: 1 });
  }
  const column = Object.hasOwn(HEADINGS, plain) ? HEADINGS[plain] : undefined;
  if (column !== undefined) return column;
  const nearest = nearestName(plain, Object.keys(HEADINGS));
  throw userError('unknown-field', say('unknown-column', { name: heading.slice(0, 60) }), {
    line: 1,
    nearest,
  });
}
