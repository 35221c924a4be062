/** `site list|add|rename|remove`: places of work. */
import type { Site } from '#shared/access.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { findSite } from '#cli/input/named.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';

export async function listSites(invocation: Invocation): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const sites = engine.sites.list();
    if (invocation.out.asJson) invocation.out.json(sites);
    else if (sites.length === 0) invocation.out.note(invocation.out.say('cli.no-sites'));
    else {
      const labels = new Map(engine.credentials.list().map(({ id, label }) => [id, label]));
      invocation.out.table<Site>(
        [
          { title: 'NAME', cell: ({ name }) => name, flexible: true },
          { title: 'DEVICES', align: 'right', cell: ({ devices }) => String(devices) },
          {
            title: 'SIGN-IN',
            cell: ({ credentialId }) => labels.get(credentialId ?? '') ?? '—',
            flexible: true,
          },
          { title: 'ID', cell: ({ id }) => id },
        ],
        sites,
      );
    }
    return EXIT.done;
  });
}

export async function addSite(invocation: Invocation, name: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const site = engine.sites.save({ name });
    if (invocation.out.asJson) invocation.out.json(site);
    else invocation.out.line(invocation.out.say('cli.site-added', { name: site.name, id: site.id }));
    return EXIT.done;
  });
}

export async function renameSite(invocation: Invocation, reference: string, name: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const before = findSite(engine, reference);
    const site = engine.sites.save({ id: before.id, name });
    if (invocation.out.asJson) invocation.out.json(site);
    else
      invocation.out.line(invocation.out.say('cli.site-renamed', { before: before.name, name: site.name }));
    return EXIT.done;
  });
}

export async function removeSite(invocation: Invocation, reference: string): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const site = findSite(engine, reference);
    const { removed } = engine.sites.remove({ id: site.id });
    if (invocation.out.asJson) invocation.out.json({ removed });
    else
      invocation.out.line(
        invocation.out.say('cli.site-removed', {
          name: site.name,
          devices: invocation.out.devices(site.devices),
        }),
      );
    return EXIT.done;
  });
}
