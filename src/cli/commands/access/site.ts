/** `site list|add|rename|remove`: places of work. */
import { findSite } from '#cli/input/named.ts';
import type { Invocation } from '#cli/invocation.ts';
import { listRows, type Outcome } from '#cli/outcome.ts';

export async function listSites({ open, out }: Invocation): Promise<Outcome> {
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
}

export async function addSite({ open, out }: Invocation, name: string): Promise<Outcome> {
  const site = (await open()).sites.save({ name });
  return { json: site, text: out.say('cli.site-added', { name: site.name, id: site.id }) };
}

export async function renameSite(
  { open, out }: Invocation,
  reference: string,
  name: string,
): Promise<Outcome> {
  const engine = await open();
  const before = findSite(engine, reference);
  const site = engine.sites.save({ id: before.id, name });
  return { json: site, text: out.say('cli.site-renamed', { before: before.name, name: site.name }) };
}

export async function removeSite({ open, out }: Invocation, reference: string): Promise<Outcome> {
  const engine = await open();
  const { id, name, devices } = findSite(engine, reference);
  const { removed } = engine.sites.remove({ id });
  return { json: { removed }, text: out.say('cli.site-removed', { name, devices: out.devices(devices) }) };
}
