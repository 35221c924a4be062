/** `site list|add|rename|remove`: places of work. */
import type { Action } from '#cli/declarations/all.ts';
import { findSite } from '#cli/input/named.ts';
import { listRows } from '#cli/outcome.ts';

export const listSites: Action<'site list'> = async ({ open, out }) => {
  const engine = await open();
  const labels = new Map(engine.credentials.list().map(({ id, label }) => [id, label]));
  return listRows(
    engine.sites.list(),
    {
      NAME: { value: 'name', flexible: true },
      DEVICES: 'devices',
      'SIGN-IN': { value: ({ credentialId }) => labels.get(credentialId ?? ''), flexible: true },
      ID: 'id',
    },
    out.say('cli.no-sites'),
  );
};

export const addSite: Action<'site add'> = async ({ open, out }, name) => {
  const site = (await open()).sites.save({ name });
  return { json: site, text: out.say('cli.site-added', { name: site.name, id: site.id }) };
};

export const renameSite: Action<'site rename'> = async ({ open, out }, reference, name) => {
  const engine = await open();
  const before = findSite(engine, reference);
  const site = engine.sites.save({ id: before.id, name });
  return { json: site, text: out.say('cli.site-renamed', { before: before.name, name: site.name }) };
};

export const removeSite: Action<'site remove'> = async ({ open, out }, reference) => {
  const engine = await open();
  const { id, name, devices } = findSite(engine, reference);
  const { removed } = engine.sites.remove({ id });
  return { json: { removed }, text: out.say('cli.site-removed', { name, devices: out.devices(devices) }) };
};
