/** `site pack|open`: a site as one file, sealed with a passphrase. */
import { statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { ACCESS } from '#cli/declarations/access.ts';
import { createUnreadableError, openStream } from '#cli/input/files.ts';
import { findSite } from '#cli/input/named.ts';
import { askSecret, askToGoOn } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { createUsageError } from '#cli/usage.ts';
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SiteFileConflict, SiteFileMerge } from '#shared/site-file.ts';

type Commands = (typeof ACCESS)['site']['commands'];

/** Writes the file. The passphrase comes from FIELDWRIGHT_PACK_PASSPHRASE or a prompt. */
export async function packSite(
  invocation: Invocation,
  { site, out: file, secrets, handOver, force }: OptionsOf<Commands['pack']>,
): Promise<Outcome> {
  const target = await openOutputFile(invocation, file, { force });
  const passphrase = await getPassphrase(invocation);
  const engine = await invocation.open();
  const { id } = findSite(engine, site);
  const { bytes, sha256, handedOver } = await engine.siteFiles.pack(
    { siteId: id, passphrase, ...removeUndefined({ secrets, handOver }) },
    target.writeThrough,
    invocation.interrupts.signal,
  );
  const { out } = invocation;
  return {
    json: { file, bytes, sha256, ...(handedOver > 0 && { handedOver }) },
    text: [
      out.say('cli.site-packed', { file, bytes }),
      ...(handedOver > 0 ? [out.say('cli.site-handed-over', { n: handedOver })] : []),
    ],
  };
}

/** Adds or merges the site of a file; without --yes it is shown first. */
export async function openSiteFile(
  invocation: Invocation,
  file: string,
  { site, dryRun, yes }: OptionsOf<Commands['open']>,
): Promise<Outcome> {
  const size = getSize(file);
  const passphrase = await getPassphrase(invocation);
  const engine = await invocation.open();
  const read = await engine.siteFiles.read(
    {
      bytes: addAbortSignal(invocation.interrupts.signal, openStream(file)),
      size,
      passphrase,
      ...(site !== undefined && { siteId: findSite(engine, site).id }),
    },
    invocation.interrupts.signal,
  );
  if (dryRun === true) return describeMerge(invocation, read, true);
  if (yes !== true && read.conflicts.length + read.removed > 0) {
    for (const line of describeLines(invocation, read, true)) invocation.out.note(line);
    await askToGoOn(
      invocation,
      invocation.out.say('cli.site-merge-ask', { n: read.conflicts.length, removed: read.removed }),
      say('cli.site-merge-unasked', { n: read.conflicts.length, removed: read.removed }),
    );
  }
  return describeMerge(invocation, engine.siteFiles.merge({ id: read.id }));
}

async function getPassphrase(invocation: Invocation): Promise<string> {
  const { io, out } = invocation;
  const passphrase =
    io.env['FIELDWRIGHT_PACK_PASSPHRASE'] ?? (await askSecret(invocation, out.say('cli.ask-passphrase')));
  if (passphrase === undefined) throw createUsageError(say('cli.pack-passphrase-needed'));
  return passphrase;
}

function getSize(file: string): number {
  try {
    return statSync(file).size;
  } catch (cause) {
    throw createUnreadableError(file, cause);
  }
}

function describeMerge(invocation: Invocation, merge: SiteFileMerge, dryRun = false): Outcome {
  const { site, by, at, secrets, added, merged, removed, conflicts, openWork } = merge;
  return {
    json: { site, by, at, secrets, added, merged, removed, conflicts, openWork, ...(dryRun && { dryRun }) },
    text: describeLines(invocation, merge, dryRun),
  };
}

function describeLines(
  { out }: Invocation,
  { site, by, added, merged, removed, conflicts, openWork }: SiteFileMerge,
  dryRun: boolean,
): readonly string[] {
  return [
    out.say(dryRun ? 'cli.site-would-open' : 'cli.site-opened', {
      site: site.name,
      by,
      devices: added.devices,
      jobs: added.jobs,
      changed: merged.devices + merged.jobs + merged.templates,
      removed,
    }),
    ...(openWork.taken + openWork.elsewhere > 0 ? [out.say('cli.site-open-work', openWork)] : []),
    ...conflicts.map((conflict) =>
      conflict.what === 'work'
        ? out.say('cli.site-work-twice', { ...describeConflict(conflict), first: conflict[conflict.kept] })
        : out.say(`cli.site-conflict-${conflict.kept}`, describeConflict(conflict)),
    ),
  ];
}

function describeConflict({ name, field, here, file }: SiteFileConflict) {
  const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
  return { name, field, here: shorten(here), file: shorten(file) };
}
