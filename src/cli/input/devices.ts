/** Resolves `--device`, `--devices` and `--tag` to devices of the engine. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { findColumn, isSecretHeading, addPort } from '#engine/index.ts';
import type { ConnectionProfile, Device } from '#shared/model.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import { removeFormula, removeMarks } from '#shared/text/cell-marks.ts';
import { readProfileOptions, type DeviceOptions } from '../declarations/options.ts';
import { createUsageError } from '../usage.ts';
import type { Invocation } from '../invocation.ts';
import { readCsv } from './csv.ts';
import { readTableText } from './files.ts';
import { findSite } from './named.ts';
import { signIns, type SignInSource } from './passwords.ts';

const IS_URL = /^https?:\/\//i;
/** Headings of the column that names the device, in the order in which they are looked for. */
const ADDRESS_HEADINGS = ['device', 'url', 'address'];
/** Looked for where no other heading is one of addresses; a search tool calls its row numbers `ID`. */
const REFERENCE_HEADINGS = ['id', 'name'];

/** How one device was named, and what was said about it beside. */
interface Reference {
  readonly text: string;
  readonly name?: string;
  readonly user?: string;
  readonly profile?: Partial<ConnectionProfile>;
  readonly certificate?: string;
  /** Row of a file that named it. */
  readonly place?: { readonly file: string; readonly line: number };
}

interface DeviceResolver {
  one(reference: Reference): Promise<Device>;
}

function refuseUserInfo(text: string): void {
  const url = URL.parse(text);
  if (url && (url.username !== '' || url.password !== '')) {
    throw createUsageError(say('cli.address-with-user'), {
      path: '--device',
    });
  }
}

/** Resolves references; URLs may name devices that are not in the inventory. */
export function createDeviceResolver(
  invocation: Invocation,
  engine: Engine,
  options: DeviceOptions,
): DeviceResolver {
  const source: SignInSource = signIns(invocation, engine, options);
  return {
    async one(reference) {
      const isUrl = IS_URL.test(reference.text);
      if (isUrl) refuseUserInfo(reference.text);
      const known = isUrl ? engine.devices.known(reference.text) : engine.devices.find(reference.text);
      const signIn = await source.for(known, reference.user);
      const profile = { ...readProfileOptions(options), ...reference.profile };
      const certificate = reference.certificate ?? options.certificate;
      const isOverlaid = signIn !== undefined || certificate !== undefined || Object.keys(profile).length > 0;
      if (known && !isOverlaid) return known;
      return engine.devices.addTransient({
        url: known?.url ?? reference.text,
        ...(known ? {} : { name: reference.name || URL.parse(reference.text)?.host || reference.text }),
        ...(Object.keys(profile).length > 0 ? { profile } : {}),
        certificate,
        ...signIn,
      });
    },
  };
}

/** Every selected device once, in the order named. Throws `usage` where none was selected. */
export async function selectDevices(
  invocation: Invocation,
  engine: Engine,
  options: DeviceOptions,
  more: readonly string[] = [],
): Promise<readonly Device[]> {
  const references: Reference[] = [
    ...[...(options.device ?? []), ...more].map((text) => ({ text })),
    ...(options.devices === undefined ? [] : await referencesFrom(invocation, options.devices)),
    ...(options.tag ?? []).flatMap((tag) => tagged(engine, tag)),
    ...(options.site ?? []).flatMap((site) => ofSite(engine, site)),
  ];
  if (references.length === 0) throw createUsageError(say('cli.no-device'));
  const resolver = createDeviceResolver(invocation, engine, options);
  const devices = new Map<string, Device>();
  for (const reference of references) {
    const device = await resolver.one(reference).catch((error: unknown) => {
      throw error instanceof FieldwrightError && reference.place ? error.with(reference.place) : error;
    });
    devices.set(device.id, device);
  }
  return [...devices.values()];
}

/** The one device of a command that can only do one; throws `usage` for more. */
export async function selectOne(
  invocation: Invocation,
  engine: Engine,
  options: DeviceOptions,
): Promise<Device> {
  const [device, ...others] = await selectDevices(invocation, engine, options);
  if (!device || others.length > 0)
    throw createUsageError(say('cli.one-device', { count: others.length + 1 }));
  return device;
}

/** The device that is meant beside those of the options, talked to as they say. */
export function selectNamed(
  invocation: Invocation,
  engine: Engine,
  { device: _device, devices: _devices, tag: _tag, site: _site, ...connection }: DeviceOptions,
  reference: string,
): Promise<Device> {
  return selectOne(invocation, engine, { ...connection, device: [reference] });
}

function tagged(engine: Engine, tag: string): readonly Reference[] {
  const found = engine.devices.list().filter((device) => device.tags.includes(tag));
  if (found.length > 0) return found.map(({ id }) => ({ text: id }));
  throw userError('unknown-device', say('cli.no-tag', { tag }), { path: '--tag' });
}

function ofSite(engine: Engine, reference: string): readonly Reference[] {
  const { id, name } = findSite(engine, reference);
  const found = engine.devices.list().filter(({ siteId }) => siteId === id);
  if (found.length > 0) return found.map((device) => ({ text: device.id }));
  throw userError('unknown-device', say('cli.no-device-at-site', { name }), { path: '--site' });
}

async function referencesFrom(invocation: Invocation, file: string): Promise<readonly Reference[]> {
  const text = await readTableText(invocation, file);
  const { headings, names, rows } = readCsv(text, file);
  refusePasswordColumn(headings, file);
  const named = (wanted: 'address' | 'port') =>
    names[headings.findIndex((each) => findColumn(each) === wanted)];
  const [column = named('address') ?? REFERENCE_HEADINGS.find((heading) => names.includes(heading))] =
    ADDRESS_HEADINGS.filter((heading) => names.includes(heading));
  const port = column === named('address') && column !== 'device' ? named('port') : undefined;
  if (column === undefined) {
    // A plain list of addresses has no header line.
    if (headings.length === 1 && IS_URL.test(headings[0] ?? ''))
      return [
        { text: headings[0] ?? '' },
        ...rows.map(({ cells }) => ({ text: Object.values(cells)[0] ?? '' })),
      ];
    throw createUsageError(say('cli.no-device-column'), {
      file,
      line: 1,
    });
  }
  return rows.map(({ line, cells }) => {
    const isAddress = column !== 'device' && column !== 'name';
    const own = (isAddress ? removeMarks : removeFormula)(cells[column] ?? '');
    const number = port === undefined ? undefined : removeMarks(cells[port] ?? '');
    const reference = own && number && /^[1-9]\d*$/.test(number) ? addressAt(own, number) : own;
    if (!reference) throw userError('unknown-device', say('cli.row-without-device'), { file, line });
    return { text: reference, place: { file, line }, ...rowDetails(cells, column) };
  });
}

/** Returns an address with the port of another column; a name or an id as it is. */
function addressAt(text: string, port: string): string {
  try {
    return addPort(text, port);
  } catch {
    return text;
  }
}

/** A file of passwords is not read past its headings, and not silently taken for one without. */
function refusePasswordColumn(headings: readonly string[], file: string): void {
  if (!headings.some(isSecretHeading)) return;
  throw userError('not-allowed', say('cli.password-column'), { file, line: 1 });
}

function rowDetails(
  cells: Readonly<Partial<Record<string, string>>>,
  column: string,
): Omit<Reference, 'text' | 'place'> {
  const profile = {
    ...(cells['prefix'] ? { pathPrefix: cells['prefix'] } : {}),
    ...(cells['namespace'] ? { namespace: cells['namespace'] } : {}),
  };
  return {
    ...(column !== 'name' && cells['name'] ? { name: cells['name'] } : {}),
    ...(cells['user'] ? { user: cells['user'] } : {}),
    ...(cells['certificate'] ? { certificate: cells['certificate'] } : {}),
    ...(Object.keys(profile).length > 0 ? { profile } : {}),
  };
}
