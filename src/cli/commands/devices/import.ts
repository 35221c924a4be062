/** `device import`: a list of devices; what failed comes back to be mended. */
import { basename } from 'node:path';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Engine } from '#engine/api.ts';
import type { Credential, DeviceImport } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { mapOf } from '#cli/input/column-map.ts';
import { openOutputFile, type OutputFile } from '#cli/output/output-file.ts';
import { readTableText } from '#cli/input/files.ts';
import { findCredential, findProfile, findSite } from '#cli/input/named.ts';
import { requirePassword } from '#cli/input/passwords.ts';
import { readProfileOptions } from '#cli/options.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { formatError } from '#cli/output/errors.ts';
import { getUserToSave, type AddOptions } from './device.ts';

interface ImportOptions extends AddOptions {
  /** `column=field`, nothing behind the sign leaves the column out. */
  readonly map?: readonly string[];
  readonly failed?: string;
}

/** With `--user` (or FIELDWRIGHT_PASSWORD alone) the imported devices whose row names nobody else get that sign-in. */
export async function importDeviceFile(
  invocation: Invocation,
  file: string,
  options: ImportOptions,
): Promise<number> {
  const text = await readTableText(invocation, file);
  const failed =
    options.failed === undefined
      ? undefined
      : await openOutputFile(invocation, options.failed, { force: true });
  const user = getUserToSave(invocation, options);
  const password = user === undefined ? undefined : await requirePassword(invocation, user);
  return runWithEngine(invocation, async (engine) => {
    const profile = readProfileOptions(options);
    const given = removeUndefined({
      tags: options.tag,
      siteId: options.site === undefined ? undefined : findSite(engine, options.site).id,
      profileId: options.profile === undefined ? undefined : findProfile(engine, options.profile).id,
      profile,
      map: options.map === undefined ? undefined : mapOf(options.map),
    });
    const credential =
      options.credential === undefined ? undefined : findCredential(engine, options.credential);
    // Rows may name the sign-in's user, so it has to be there before they are read.
    const saved =
      user === undefined || password === undefined ? undefined : saveSignIn(engine, { user, password, file });
    const credentialId = saved?.id ?? credential?.id;
    try {
      const result = engine.devices.importCsv({
        text,
        ...given,
        ...removeUndefined({ credentialId }),
      });
      return await report(
        invocation,
        { ...result, failed: result.failed.map((row) => ({ ...row, error: { ...row.error, file } })) },
        failed,
      );
    } finally {
      if (saved && usedBy(engine, saved) === 0) engine.credentials.remove({ id: saved.id });
    }
  });
}

function saveSignIn(
  engine: Engine,
  { user, password, file }: { readonly user: string; readonly password: string; readonly file: string },
): Credential {
  const taken = new Set(engine.credentials.list().map(({ label }) => label));
  const label = `${user} (${basename(file)})`;
  let free = label;
  for (let number = 2; taken.has(free); number += 1) free = `${label} ${number}`;
  return engine.credentials.save({ label: free, userName: user, password });
}

function usedBy(engine: Engine, { id }: Credential): number {
  return engine.credentials.list().find((credential) => credential.id === id)?.devices ?? 0;
}

async function report(
  invocation: Invocation,
  { failedFile, ...result }: DeviceImport,
  target: OutputFile | undefined,
): Promise<number> {
  if (failedFile !== undefined) await target?.write(failedFile);
  const { added, failed } = result;
  if (invocation.out.asJson) invocation.out.json(result);
  else printImport(invocation, result);
  if (failed.length === 0) return EXIT.done;
  return added.length === 0 ? EXIT.usage : EXIT.failed;
}

function printImport(
  { out }: Invocation,
  { added, failed, notActivated, leftOut }: Omit<DeviceImport, 'failedFile'>,
): void {
  out.line(out.say('cli.import-counts', { added: added.length, failed: failed.length }));
  if (leftOut.length > 0) out.note(out.say('cli.columns-left-out', { names: cleanLine(leftOut.join(', ')) }));
  const inactive = added.filter(({ id }) => notActivated.includes(id)).map(({ name }) => name);
  if (inactive.length > 0) out.note(out.say('cli.not-activated', { names: cleanLine(inactive.join(', ')) }));
  for (const { error } of failed) for (const line of formatError(error, out)) out.note(line);
}
