/** Columns that a list of devices may have, whatever the heading is called. */
import { findNearestName } from '#protocol/index.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ImportDevices } from '#engine/api/routes.ts';

export type Column =
  | 'address'
  /** Port of the web interface. */
  | 'port'
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
  /** True if the device has an administrator password. */
  | 'activation'
  | 'reason';

/** Headings of our own, of spreadsheets, and of the lists that the maker's search tools save, in both languages. */
const NAMES = {
  address: [
    'address',
    'url',
    'host',
    'hostname',
    'ip',
    'ipaddress',
    'ipv4',
    'ipv4address',
    'ipdomain',
    'device',
    'deviceaddress',
    'ipadresse',
    'ipv4adresse',
    'geräteadresse',
    '地址',
    'ip地址',
    'ipv4地址',
    '设备地址',
    '设备ip',
  ],
  port: ['httpport', 'webport', 'http端口', 'http端口号', 'web端口'],
  name: ['name', 'devicename', 'nickname', 'alias', 'gerätename', '名称', '设备名称', '别名'],
  tags: ['tags', 'tag', '标签'],
  site: ['site', 'standort', '站点'],
  user: ['user', 'username', 'benutzer', 'benutzername', '用户', '用户名'],
  credential: ['credential', 'signin'],
  profile: ['profile'],
  prefix: ['prefix', 'pathprefix'],
  namespace: ['namespace'],
  auth: ['auth'],
  certificate: ['certificate', 'fingerprint'],
  activation: [
    'status',
    'security',
    'securitystatus',
    'activation',
    'activationstatus',
    'activated',
    'active',
    'activestatus',
    '状态',
    '安全状态',
    '激活状态',
    '是否激活',
    '激活',
  ],
  reason: ['reason'],
} as const satisfies Record<Column, readonly string[]>;

const HEADINGS: ReadonlyMap<string, Column> = new Map(
  (Object.keys(NAMES) as Column[]).flatMap((column) => NAMES[column].map((name) => [name, column] as const)),
);
const SECRET =
  /^(?:pwd|pass|secret|passphrase)$|^(?!support|是否|支持).*(?:password|passwd|passwort|kennwort|密码|口令)$/;
/** A port without more: that of the web interface, unless the list is one of the maker's, which means its own protocol. */
const ANY_PORT = /^(port|portnumber|portno|端口|端口号|服务端口)$/;
/** Port of the maker's own protocol. */
const OWN_PORT = /sdk/;
const SERIAL = /serial|序列号/;
const VERSION = /version|版本/;
/** Columns in lists of the maker's tools that have no use here. */
const UNNEEDED =
  /^(no|id|index|number|序号|编号|serial|sn|mask|mac|dhcp|model|type)$|^support|^是否|^支持|^ipv6|sdk|serial(no|number)|version$|firmware|gateway|subnetmask|^mac(address)?$|modifiable$|channels?$|dhcp|(start|boot|up)time$|(device|product)(type|model)$|connect(status)?$|httpsport$|版本|网关|掩码|序列号|物理地址|mac地址|通道|启动时间|开机时间|设备类型|型号|https端口|萤石|ipv6/;

/** Returns true for a heading of passwords, however it is spelled. */
export function isSecretHeading(heading: string): boolean {
  return SECRET.test(plainOf(heading));
}

/** Returns what a heading names, if it is known. */
export function findColumn(heading: string): Column | undefined {
  return HEADINGS.get(plainOf(heading));
}

function plainOf(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

export interface ReadColumns {
  /** Field that each heading names; undefined for an omitted column. */
  readonly columns: readonly (Column | undefined)[];
  /** Headings of the omitted columns. */
  readonly leftOut: readonly string[];
}

/**
 * Reads the headings of a list of devices. Useless columns that the maker's tools write are omitted; `map`
 * and `leaveOutUnknown` omit more.
 *
 * @throws if the file as a whole cannot be taken: no address, an unknown column, one of them twice,
 * passwords.
 */
export function readColumns(
  header: readonly string[],
  { map = {}, leaveOutUnknown = false }: Pick<ImportDevices, 'map' | 'leaveOutUnknown'> = {},
): ReadColumns {
  if (header.some(isSecretHeading)) throw userError('not-allowed', say('columns-with-password'), { line: 1 });
  const given = mappedColumns(header, map);
  const has = (pattern: RegExp): boolean => header.some((heading) => pattern.test(plainOf(heading)));
  const isMakersList =
    has(OWN_PORT) || (has(SERIAL) && has(VERSION)) || header.some((each) => findColumn(each) === 'port');
  const unknown: string[] = [];
  const columns = header.map((heading) => {
    const plain = plainOf(heading);
    if (given.has(heading)) return given.get(heading);
    if (ANY_PORT.test(plain)) return isMakersList ? undefined : 'port';
    const column = HEADINGS.get(plain);
    if (column === undefined && !UNNEEDED.test(plain)) unknown.push(heading);
    return column;
  });
  if (unknown.length > 0 && !leaveOutUnknown) throw unknownColumns(unknown);
  const twice = columns.find((column, at) => column !== undefined && columns.indexOf(column) !== at);
  if (twice !== undefined)
    throw userError('unreadable-file', say('columns-same', { name: twice }), { line: 1 });
  if (!columns.includes('address'))
    throw userError('unreadable-file', say('columns-without-address'), { line: 1 });
  return { columns, leftOut: header.filter((_, at) => columns[at] === undefined) };
}

/** Returns the fields by heading of the file; an empty field leaves the column out. */
function mappedColumns(
  header: readonly string[],
  map: Readonly<Record<string, string>>,
): ReadonlyMap<string, Column | undefined> {
  return new Map(
    Object.entries(map).map(([wanted, name]) => {
      const heading = header.find((each) => plainOf(each) === plainOf(wanted));
      if (heading === undefined) {
        const nearest = findNearestName(wanted, header);
        throw userError('unknown-field', say('no-such-column', { name: wanted.slice(0, 60) }), { nearest });
      }
      if (name === '') return [heading, undefined];
      const column = plainOf(name) === 'port' ? 'port' : HEADINGS.get(plainOf(name));
      if (column === undefined) {
        const nearest = findNearestName(name, Object.keys(NAMES));
        throw userError('unknown-field', say('no-such-meaning', { name: name.slice(0, 60) }), { nearest });
      }
      return [heading, column];
    }),
  );
}

function unknownColumns(unknown: readonly string[]) {
  const [first = ''] = unknown;
  const nearest = unknown.length === 1 ? findNearestName(plainOf(first), HEADINGS.keys()) : undefined;
  const names = unknown.map((name) => name.slice(0, 60)).slice(0, 20);
  return userError(
    'unknown-field',
    say('unknown-columns', { names: names.join(', '), count: unknown.length }),
    { line: 1, nearest },
  );
}
