/** `device add|list|remove|test`: the inventory. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SignInSource } from '#shared/access.ts';
import type { Device, DeviceTest } from '#shared/model.ts';
import { EXIT, exitCodeOfAll } from '#cli/exit-codes.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { isInteractive } from '#cli/io.ts';
import { readProfileOptions, type DeviceOptions } from '#cli/options.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { findCredential, findProfile, findSite } from '#cli/input/named.ts';
import { requirePassword, readEnvPassword } from '#cli/input/passwords.ts';
import { askYes } from '#cli/input/prompt.ts';
import { formatError } from '#cli/output/errors.ts';
import { formatKinds } from '#cli/output/names.ts';
import type { Output, StateOf } from '#cli/output/output.ts';
import { createUsageError } from '#cli/usage.ts';
import { findBestProbe, toProbedProfile } from './probe.ts';

export interface AddOptions extends Omit<DeviceOptions, 'site'> {
  readonly name?: string;
  readonly site?: string;
  readonly credential?: string;
  readonly profile?: string;
  readonly probe?: boolean;
}

/** The user whose password is to be saved: named, or implied by FIELDWRIGHT_PASSWORD alone. Throws `usage` where a saved sign-in is named too. */
export function getUserToSave(
  invocation: Invocation,
  { user, credential }: Pick<AddOptions, 'user' | 'credential'>,
): string | undefined {
  if (credential !== undefined && user !== undefined)
    throw createUsageError(say('cli.sign-in-or-user'), {
      path: '--credential',
    });
  if (credential !== undefined) return undefined;
  return user ?? (readEnvPassword(invocation.io) === undefined ? undefined : 'admin');
}

/** The password is asked for before anything is added, so that a missing one leaves nothing half done. */
export async function addDevice(
  invocation: Invocation,
  address: string,
  options: AddOptions,
): Promise<number> {
  const url = URL.parse(address);
  if (url && (url.username !== '' || url.password !== ''))
    throw createUsageError(say('cli.address-with-user'));
  const user = getUserToSave(invocation, options);
  const password = user === undefined ? undefined : await requirePassword(invocation, user);
  return runWithEngine(invocation, async (engine) => {
    const found = options.probe === true ? await findBestProbe(invocation, engine, address) : undefined;
    const profile = { ...toProbedProfile(found), ...readProfileOptions(options) };
    const added = engine.devices.add({
      address: found?.url ?? address,
      ...removeUndefined({ name: options.name, tags: options.tag }),
      profile,
      ...removeUndefined({
        siteId: options.site === undefined ? undefined : findSite(engine, options.site).id,
        credentialId:
          options.credential === undefined ? undefined : findCredential(engine, options.credential).id,
        profileId: options.profile === undefined ? undefined : findProfile(engine, options.profile).id,
        certificate: options.certificate,
      }),
    });
    if (user !== undefined && password !== undefined)
      engine.credentials.save({
        label: `${user} @ ${added.name}`,
        userName: user,
        password,
        deviceIds: [added.id],
      });
    const device = engine.devices.find(added.id);
    if (invocation.out.asJson) invocation.out.json(device);
    else
      invocation.out.line(
        invocation.out.say('cli.device-added', { name: device.name, url: device.url, id: device.id }),
      );
    return EXIT.done;
  });
}

export async function listDevices(
  invocation: Invocation,
  options: { readonly tag?: readonly string[]; readonly site?: readonly string[] },
): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const { tag: wanted, site } = options;
    const sites = site?.map((reference) => findSite(engine, reference).id);
    const devices = engine.devices
      .list()
      .filter(
        ({ tags, siteId }) =>
          (wanted === undefined || wanted.some((tag) => tags.includes(tag))) &&
          (sites === undefined || sites.some((id) => id === siteId)),
      );
    if (invocation.out.asJson) invocation.out.json(devices);
    else if (devices.length === 0 && engine.devices.list().length > 0)
      invocation.out.note(invocation.out.say('cli.none-of-these'));
    else printDevices(invocation, devices, new Map(engine.sites.list().map(({ id, name }) => [id, name])));
    return EXIT.done;
  });
}

function printDevices(
  invocation: Invocation,
  devices: readonly Device[],
  sites: ReadonlyMap<string, string>,
): void {
  if (devices.length === 0) {
    invocation.out.note(invocation.out.say('cli.no-devices'));
    return;
  }
  invocation.out.table<Device>(
    [
      { title: 'NAME', cell: ({ name }) => name, flexible: true },
      { title: 'ADDRESS', cell: ({ url }) => url },
      { title: 'KIND', cell: ({ kinds }) => formatKinds(invocation.out, kinds) || '—' },
      { title: 'TAGS', cell: ({ tags }) => tags.join(', '), flexible: true },
      { title: 'SITE', cell: ({ siteId }) => sites.get(siteId ?? '') ?? '—', flexible: true },
      {
        title: 'REACH',
        cell: ({ reach }) => invocation.out.status('reach', reach),
        paint: ({ reach }) => (reach === 'reachable' ? 'good' : reach === 'unreachable' ? 'bad' : 'dim'),
      },
      ...(devices.some(({ restartDue }) => restartDue !== undefined)
        ? [
            {
              title: 'RESTART',
              cell: ({ restartDue }: Device) =>
                restartDue === undefined ? '—' : invocation.out.say('cli.restart-needed'),
              paint: ({ restartDue }: Device) => (restartDue === undefined ? undefined : ('warn' as const)),
            },
          ]
        : []),
      {
        title: 'SIGN-IN',
        cell: ({ signIn }) => invocation.out.status('signIn', signIn),
        paint: ({ signIn }) => (signIn === 'ok' ? 'good' : signIn === 'unknown' ? 'dim' : 'bad'),
      },
      {
        title: 'FROM',
        cell: ({ signInFrom }) => sourceText(signInFrom, sites, invocation.out),
        paint: ({ signInFrom }) => (signInFrom?.kind === 'conflict' ? 'bad' : undefined),
        flexible: true,
      },
      { title: 'ID', cell: ({ id }) => id },
    ],
    devices,
  );
}

/** Where a sign-in comes from, in few words. */
function sourceText(from: SignInSource | undefined, sites: ReadonlyMap<string, string>, out: Output): string {
  switch (from?.kind) {
    case undefined:
      return '—';
    case 'device':
      return out.say('cli.from.device');
    case 'tag':
      return out.say('cli.tag', { tag: from.tag });
    case 'site':
      return out.say('cli.site', { site: sites.get(from.siteId) ?? from.siteId });
    case 'given':
      return out.say('cli.from.given');
    case 'conflict':
      return out.say('cli.from.conflict', { tags: from.tags.join(', ') });
  }
}

/** Says what would be lost. Whoever sits at the terminal is asked where something would; a script has said what it wants. */
export async function removeDevices(
  invocation: Invocation,
  references: readonly string[],
  options: { readonly yes?: boolean },
): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    // All must be known before the first is removed.
    const ids = [...new Set(references.map((reference) => engine.devices.find(reference).id))];
    const { out, io } = invocation;
    const removal = engine.devices.removal({ ids });
    const losses = LOSSES.filter((loss) => removal[loss] > 0);
    for (const loss of losses)
      out.note(out.say(`cli.loses-${loss}`, { devices: out.devices(removal[loss]) }));
    if (losses.length > 0 && options.yes !== true && !out.asJson && isInteractive(io)) {
      const question = out.say('cli.ask-remove', { devices: out.devices(ids.length) });
      if ((await askYes(invocation, question)) !== true) {
        out.note(out.say('cli.nothing-removed'));
        return EXIT.done;
      }
    }
    const { removed } = engine.devices.remove({ ids });
    if (invocation.out.asJson) invocation.out.json({ removed });
    else invocation.out.line(invocation.out.say('cli.removed-of', { removed, total: ids.length }));
    return EXIT.done;
  });
}

const LOSSES = ['places', 'credentials', 'restarts', 'keys'] as const;

interface TestOptions extends DeviceOptions {
  readonly all?: boolean;
}

export async function testDevices(
  invocation: Invocation,
  references: readonly string[],
  options: TestOptions,
): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const devices = options.all
      ? engine.devices.list()
      : await selectDevices(invocation, engine, options, references);
    const results = await engine.devices.test(
      { ids: devices.map(({ id }) => id) },
      invocation.interrupts.signal,
      (done) => invocation.out.progress(invocation.out.say('cli.trying', { done, total: devices.length })),
    );
    invocation.out.endProgress();
    if (invocation.out.asJson) invocation.out.json(results);
    else printTests(invocation, results);
    return exitCodeOfAll(results.map(({ error }) => error));
  });
}

/** What errors say of the sign-in itself; of others it is not known. */
const SIGN_IN_STATES: Readonly<Record<string, StateOf<'signIn'>>> = {
  'sign-in-failed': 'failed',
  'sign-in-paused': 'failed',
  'sign-in-required': 'needed',
  'basic-refused': 'needed',
  'certificate-changed': 'certificate-changed',
  'certificate-untrusted': 'certificate',
};

export function printTests(invocation: Invocation, results: readonly DeviceTest[]): void {
  invocation.out.table<DeviceTest>(
    [
      { title: 'NAME', cell: ({ name }) => name, flexible: true },
      { title: 'ADDRESS', cell: ({ url }) => url },
      {
        title: 'SIGN-IN',
        cell: ({ ok, error }) =>
          ok
            ? invocation.out.status('signIn', 'ok')
            : invocation.out.status('signIn', SIGN_IN_STATES[error?.code ?? ''] ?? 'unknown'),
        paint: ({ ok }) => (ok ? 'good' : 'bad'),
      },
      { title: 'SCHEME', cell: ({ scheme }) => scheme ?? '—' },
      { title: 'KIND', cell: ({ kinds }) => formatKinds(invocation.out, kinds) || '—' },
      { title: 'REQUESTS', align: 'right', cell: ({ requests }) => String(requests) },
    ],
    results,
  );
  for (const { name, error } of results)
    if (error)
      for (const line of formatError({ ...error, device: error.device ?? name }, invocation.out))
        invocation.out.note(line);
}
