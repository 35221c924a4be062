/** `device add|list|remove|test`: the inventory. */
import type { Action } from '#cli/declarations/all.ts';
import { exitCodeOfAll } from '#cli/exit-codes.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { findBelongings, findSite } from '#cli/input/named.ts';
import { getUserToSave, requirePassword } from '#cli/input/passwords.ts';
import { askYes } from '#cli/input/prompt.ts';
import { isInteractive } from '#cli/io.ts';
import { readProfileOptions } from '#cli/declarations/options.ts';
import { listRows, type Outcome } from '#cli/outcome.ts';
import { printTests } from '#cli/output/device-tests.ts';
import { formatKinds } from '#cli/output/names.ts';
import type { SignInSource } from '#shared/access.ts';
import type { Output } from '#cli/output/output.ts';
import type { Device } from '#shared/model.ts';
import type { ArchivedDevice } from '#shared/replacement.ts';
import { findBestProbe, toProbedProfile } from './probe.ts';

/** The password is asked for before anything is added, so that a missing one leaves nothing half done. */
export const addDevice: Action<'device add'> = async (invocation, address, options) => {
  const { out, open } = invocation;
  const user = getUserToSave(invocation, options);
  const password = user === undefined ? undefined : await requirePassword(invocation, user);
  const engine = await open();
  const found = options.probe === true ? await findBestProbe(invocation, engine, address) : undefined;
  const added = engine.devices.add({
    address: found?.url ?? address,
    profile: { ...toProbedProfile(found), ...readProfileOptions(options) },
    name: options.name,
    tags: options.tag,
    certificate: options.certificate,
    ...findBelongings(engine, options),
  });
  if (user !== undefined && password !== undefined)
    engine.credentials.save({
      label: `${user} @ ${added.name}`,
      userName: user,
      password,
      deviceIds: [added.id],
    });
  const device = engine.devices.find(added.id);
  const { name, url, id } = device;
  return { json: device, text: out.say('cli.device-added', { name, url, id }) };
};

export const listDevices: Action<'device list'> = async ({ open, out }, { tag: wanted, site, archived }) => {
  const engine = await open();
  if (archived === true) return listArchived(engine.replacements.archived(), out);
  const all = engine.devices.list();
  const sites = site?.map((reference) => findSite(engine, reference).id);
  const devices = all.filter(
    ({ tags, siteId }) =>
      (wanted === undefined || wanted.some((tag) => tags.includes(tag))) &&
      (sites === undefined || sites.some((id) => id === siteId)),
  );
  const siteNames = new Map(engine.sites.list().map(({ id, name }) => [id, name]));
  const formatSource = (from: SignInSource): string => {
    switch (from.kind) {
      case 'tag':
        return out.say('cli.tag', { tag: from.tag });
      case 'site':
        return out.say('cli.site', { site: siteNames.get(from.siteId) ?? from.siteId });
      case 'conflict':
        return out.say('cli.from.conflict', { tags: from.tags.join(', ') });
      default:
        return out.say(`cli.from.${from.kind}`);
    }
  };
  return listRows<Device>(
    devices,
    {
      NAME: { value: 'name', flexible: true },
      ADDRESS: 'url',
      KIND: ({ kinds }) => formatKinds(out, kinds) || '—',
      TAGS: { value: ({ tags }) => tags.join(', '), flexible: true },
      SITE: { value: ({ siteId }) => siteNames.get(siteId ?? ''), flexible: true },
      REACH: {
        value: ({ reach }) => out.status('reach', reach),
        paint: ({ reach }) => (reach === 'reachable' ? 'good' : reach === 'unreachable' ? 'bad' : 'dim'),
      },
      ...(devices.some(({ restartDue }) => restartDue !== undefined) && {
        RESTART: {
          value: ({ restartDue }) => (restartDue === undefined ? undefined : out.say('cli.restart-needed')),
          paint: ({ restartDue }) => (restartDue === undefined ? undefined : 'warn'),
        },
      }),
      'SIGN-IN': {
        value: ({ signIn }) => out.status('signIn', signIn),
        paint: ({ signIn }) => (signIn === 'ok' ? 'good' : signIn === 'unknown' ? 'dim' : 'bad'),
      },
      FROM: {
        value: ({ signInFrom }) => signInFrom && formatSource(signInFrom),
        paint: ({ signInFrom }) => (signInFrom?.kind === 'conflict' ? 'bad' : undefined),
        flexible: true,
      },
      ID: 'id',
    },
    out.say(all.length > 0 ? 'cli.none-of-these' : 'cli.no-devices'),
  );
};

function listArchived(all: readonly ArchivedDevice[], out: Output): Outcome {
  return listRows(
    all,
    {
      NAME: { value: ({ device }) => device.name, flexible: true },
      ADDRESS: ({ device }) => device.url,
      WHEN: 'at',
      BY: { value: ({ replacedBy }) => replacedBy.name, flexible: true },
      JOB: 'jobId',
      ID: ({ device }) => device.id,
    },
    out.say('cli.archive-none'),
  );
}

const LOSSES = ['places', 'credentials', 'restarts', 'keys'] as const;

/** Says what would be lost, and asks at a terminal if something would; a script has said what it wants. */
export const removeDevices: Action<'device remove'> = async (invocation, references, options) => {
  const { out, io, open } = invocation;
  const engine = await open();
  // All must be known before the first is removed.
  const ids = [...new Set(references.map((reference) => engine.devices.find(reference).id))];
  const removal = engine.devices.removal({ ids });
  const losses = LOSSES.filter((loss) => removal[loss] > 0);
  for (const loss of losses) out.note(out.say(`cli.loses-${loss}`, { devices: out.devices(removal[loss]) }));
  if (losses.length > 0 && options.yes !== true && !out.asJson && isInteractive(io)) {
    const question = out.say('cli.ask-remove', { devices: out.devices(ids.length) });
    if ((await askYes(invocation, question)) !== true)
      return { json: undefined, note: out.say('cli.nothing-removed') };
  }
  const { removed } = engine.devices.remove({ ids });
  return { json: { removed }, text: out.say('cli.removed-of', { removed, total: ids.length }) };
};

export const testDevices: Action<'device test'> = async (invocation, references, options) => {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const devices = options.all
    ? engine.devices.list()
    : await selectDevices(invocation, engine, options, references);
  const results = await engine.devices.test({ ids: devices.map(({ id }) => id) }, interrupts.signal, (done) =>
    out.progress(out.say('cli.trying', { done, total: devices.length })),
  );
  out.endProgress();
  return {
    json: results,
    text: () => printTests(out, results),
    code: exitCodeOfAll(results.map(({ error }) => error)),
  };
};
