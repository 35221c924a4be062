/** One row of a list of devices. */
import { findNearestName } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { removeFormula, removeMarks } from '#shared/text/cell-marks.ts';
import type { ConnectionProfile } from '#shared/model.ts';
import type { AddDevice, ImportDevices } from '#engine/api/routes.ts';
import type { CredentialNames } from '../access/credential-rows.ts';
import type { Profiles } from '../profiles.ts';
import { addPort } from '#engine/device/transport/address.ts';
import type { Column } from './columns.ts';

export interface RowContext {
  readonly credentials: readonly CredentialNames[];
  readonly profiles: Pick<Profiles, 'named'>;
  readonly options: Omit<ImportDevices, 'text'>;
}

const AUTH: readonly ConnectionProfile['auth'][] = ['auto', 'digest', 'basic', 'none'];

/** `site` is a name that may have no site yet. Throws what is wrong with the row. */
export function readRow(
  columns: readonly (Column | undefined)[],
  cells: readonly string[],
  { credentials, profiles, options }: RowContext,
): { readonly device: AddDevice; readonly site: string | undefined; readonly isActivated: boolean } {
  if (cells.slice(columns.length).some((cell) => cell !== '')) {
    throw userError('unreadable-file', say('row-cells'));
  }
  const cell = (column: Column) => {
    const given = cells[columns.indexOf(column)] ?? '';
    const text = WORDS.has(column) ? removeFormula(given) : removeMarks(given);
    return text === '' ? undefined : text;
  };
  const address = cell('address');
  if (address === undefined)
    throw userError('missing-field', say('row-without-address'), { path: 'address' });
  const profileName = cell('profile');
  const tags = [...(cell('tags')?.split(/[,;|]/) ?? []), ...(options.tags ?? [])];
  const port = cell('port');
  const device = {
    address: port === undefined || NO_PORT.test(port) ? address : addPort(address, port),
    ...optional('name', cell('name')),
    ...(tags.length === 0 ? {} : { tags }),
    ...optional(
      'credentialId',
      credentialOf({ label: cell('credential'), user: cell('user') }, credentials, options.credentialId),
    ),
    ...optional('certificate', cell('certificate')),
    ...optional('profileId', profileName === undefined ? options.profileId : profiles.named(profileName).id),
    profile: {
      ...optional('pathPrefix', cell('prefix')),
      ...optional('namespace', cell('namespace')),
      ...optional('auth', authOf(cell('auth'))),
      ...options.profile,
    },
  };
  return { device, site: cell('site'), isActivated: !NOT_ACTIVATED.test(cell('activation') ?? '') };
}

/** Port of a device that has none, in the spelling of other tools. */
const NO_PORT = /^(n[/.]?a\.?|none|null|0|[-–—]+)$/i;
/** Free texts: an apostrophe before them is their own ('t Hart). */
const WORDS: ReadonlySet<Column> = new Set(['name', 'tags', 'site', 'user', 'credential', 'reason']);
/** Words of the maker's search tool for a device without an administrator password. */
const NOT_ACTIVATED = /^(inactive|(not|un)[ -]?activated|not[ -]?active|no|false|否|未激活|非激活)$/i;

function authOf(text: string | undefined): ConnectionProfile['auth'] | undefined {
  if (text === undefined) return undefined;
  const known = AUTH.find((option) => option === text.toLowerCase());
  if (known === undefined)
    throw userError('not-allowed', say('one-of', { options: AUTH.join(', ') }), { path: 'auth' });
  return known;
}

/** A label names one; a user name does where only one has it, or the one for the whole file. */
function credentialOf(
  { label, user }: { readonly label: string | undefined; readonly user: string | undefined },
  credentials: readonly CredentialNames[],
  standard: string | undefined,
): string | undefined {
  if (
    label === undefined &&
    (user === undefined || credentials.find(({ id }) => id === standard)?.userName === user)
  )
    return standard;
  const matches = credentials.filter(
    (credential) =>
      (label === undefined || credential.label === label) &&
      (user === undefined || credential.userName === user),
  );
  if (matches.length === 1) return matches[0]?.id;
  const path = label === undefined ? 'user' : 'credential';
  if (matches.length > 1) throw userError('not-allowed', say('row-sign-ins'), { path });
  const nearest =
    label === undefined
      ? undefined
      : findNearestName(
          label,
          credentials.map((credential) => credential.label),
        );
  throw userError('not-found', say('row-without-sign-in'), { path, nearest });
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const made: { [P in K]?: V } = {};
  if (value !== undefined) made[key] = value;
  return made;
}
