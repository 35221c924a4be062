/** `device import`: a list of devices; rows that failed come back as a file to be mended. */
import type { Action } from '#cli/declarations/all.ts';
import { basename } from 'node:path';
import type { Engine } from '#engine/api.ts';
import type { Credential, DeviceImport, DeviceImportPreview } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { readTableText } from '#cli/input/files.ts';
import { findBelongings } from '#cli/input/named.ts';
import { getUserToSave, requirePassword } from '#cli/input/passwords.ts';
import { readProfileOptions } from '#cli/declarations/options.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { noteError } from '#cli/output/errors.ts';

/**
 * Adds the devices of a file. With `--user` (or FIELDWRIGHT_PASSWORD alone) that sign-in goes to the devices whose
 * row names no other.
 */
export const importDeviceFile: Action<'device import'> = async (invocation, file, options) => {
  const text = await readTableText(invocation, file);
  const target = await openOutputFile(invocation, options.failed, { force: true });
  const user = getUserToSave(invocation, options);
  const password = user === undefined ? undefined : await requirePassword(invocation, user);
  const engine = await invocation.open();
  const belongings = findBelongings(engine, options);
  // Rows may name the sign-in's user, so it has to be there before they are read.
  const saved =
    user === undefined || password === undefined ? undefined : saveSignIn(engine, { user, password, file });
  try {
    const request = {
      text,
      ...belongings,
      tags: options.tag,
      profile: readProfileOptions(options),
      map: options.map,
      credentialId: saved?.id ?? belongings.credentialId,
    };
    if (options.dryRun === true) {
      const { failedFile, ...preview } = engine.devices.previewCsv(request);
      if (failedFile !== undefined) await target?.write(failedFile);
      return {
        json: preview,
        text: () => printPreview(invocation, preview),
        code: preview.failed.length === 0 ? EXIT.done : EXIT.failed,
      };
    }
    const { failedFile, ...imported } = engine.devices.importCsv(request);
    if (failedFile !== undefined) await target?.write(failedFile);
    const failed = imported.failed.map((row) => ({ ...row, error: { ...row.error, file } }));
    const result = { ...imported, failed };
    const code = result.added.length === 0 ? EXIT.usage : EXIT.failed;
    return {
      json: result,
      text: () => printImport(invocation, result),
      code: failed.length === 0 ? EXIT.done : code,
    };
  } finally {
    if (saved && countUses(engine, saved) === 0) engine.credentials.remove({ id: saved.id });
  }
};

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

function countUses(engine: Engine, { id }: Credential): number {
  return engine.credentials.list().find((credential) => credential.id === id)?.devices ?? 0;
}

function printPreview({ out }: Invocation, { count, failed }: Omit<DeviceImportPreview, 'failedFile'>): void {
  const known = failed.filter(({ error }) => error.code === 'duplicate-device').length;
  out.line(out.say('cli.import-preview', { added: count, known, wrong: failed.length - known }));
  for (const { error } of failed) noteError(out, error);
}

function printImport(
  { out }: Invocation,
  { added, failed, notActivated, leftOut }: Omit<DeviceImport, 'failedFile'>,
): void {
  out.line(out.say('cli.import-counts', { added: added.length, failed: failed.length }));
  if (leftOut.length > 0) out.note(out.say('cli.columns-left-out', { names: cleanLine(leftOut.join(', ')) }));
  const inactive = added.filter(({ id }) => notActivated.includes(id)).map(({ name }) => name);
  if (inactive.length > 0) out.note(out.say('cli.not-activated', { names: cleanLine(inactive.join(', ')) }));
  for (const { error } of failed) noteError(out, error);
}
