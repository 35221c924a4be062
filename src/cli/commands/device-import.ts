/** `device import`: a list of devices; what failed comes back to be mended. */
import { basename } from 'node:path';
import type { Engine } from '../../engine/api.ts';
import type { Credential, Device } from '../../shared/model.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import { readTableText, writeText } from '../input/files.ts';
import { profileOf, type DeviceOptions } from '../options.ts';
import { errorLines } from '../output/errors.ts';
import { passwordFor } from './device.ts';

export interface ImportOptions extends DeviceOptions { readonly failed?: string }

/** With `--user` (or FIELDWRIGHT_PASSWORD alone) all imported devices get that sign-in. */
export async function deviceImport(invocation: Invocation, file: string, options: ImportOptions): Promise<number> {
  const text = await readTableText(invocation.io, file);
  const user = options.user ?? (invocation.io.env['FIELDWRIGHT_PASSWORD'] === undefined ? undefined : 'admin');
  const password = user === undefined ? undefined : await passwordFor(invocation, user);
  return withEngine(invocation, async (engine) => {
    // Rows may name the sign-in's user, so it has to be there before they are read.
    const saved = engine.credentials.list();
    const credential = user === undefined || password === undefined ? undefined : engine.credentials.save({ label: freeLabel(`${user} (${basename(file)})`, saved), userName: user, password });
    try {
      const result = engine.devices.importCsv(text);
      const failed = result.failed.map((row) => ({ ...row, error: { ...row.error, file } }));
      const ids = result.added.map(({ id }) => id);
      adorn(engine, result.added, options);
      if (credential) engine.credentials.assign(credential.id, result.added.filter((device) => usesName(device, credential.userName, saved)).map(({ id }) => id));
      const added = ids.map((id) => engine.devices.find(id));
      return await reportImport(invocation, { added, failed, text }, options);
    } finally {
      if (credential && !engine.devices.list().some(({ credentialId }) => credentialId === credential.id)) engine.credentials.remove(credential.id);
    }
  });
}

function freeLabel(label: string, saved: readonly Credential[]): string {
  const taken = new Set(saved.map((each) => each.label));
  let free = label;
  for (let number = 2; taken.has(free); number += 1) free = `${label} ${number}`;
  return free;
}

/** A row that named another user keeps that one. */
function usesName(device: Device, user: string, saved: readonly Credential[]): boolean {
  const own = saved.find(({ id }) => id === device.credentialId);
  return own === undefined || own.userName === user;
}

/** Lays tags and connection settings of the command line over the imported devices. */
function adorn(engine: Engine, added: readonly Device[], options: ImportOptions): void {
  const profile = profileOf(options);
  if (!profile && !options.tag) return;
  for (const { id, tags } of added) engine.devices.update(id, { ...(profile ? { profile } : {}), ...(options.tag ? { tags: [...new Set([...tags, ...options.tag])] } : {}) });
}

async function reportImport(invocation: Invocation, result: { readonly added: readonly Device[]; readonly failed: readonly FailedRow[]; readonly text: string }, options: ImportOptions): Promise<number> {
  const { added, failed, text } = result;
  if (options.failed !== undefined && failed.length > 0) await writeText(options.failed, failedRows(text, failed));
  if (invocation.out.asJson) invocation.out.json({ added, failed });
  else printImport(invocation, added, failed);
  if (failed.length === 0) return EXIT.done;
  return added.length === 0 ? EXIT.usage : EXIT.failed;
}

interface FailedRow { readonly row: number; readonly cells: readonly string[]; readonly error: ErrorShape }

function csvCell(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows to be mended and imported again, the reason in a last column. */
function failedRows(text: string, failed: readonly FailedRow[]): string {
  const head = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '';
  const reasonHead = /(^|[,;])reason$/.test(head) ? head : `${head}${head.includes(';') && !head.includes(',') ? ';' : ','}reason`;
  const mark = reasonHead.includes(';') && !reasonHead.includes(',') ? ';' : ',';
  const width = reasonHead.split(mark).length - 1;
  const lines = failed.map(({ cells, error }) => [...Array.from({ length: width }, (_, at) => cells[at] ?? ''), error.message].map(csvCell).join(mark));
  return [reasonHead, ...lines, ''].join('\n');
}

function printImport(invocation: Invocation, added: readonly Device[], failed: readonly FailedRow[]): void {
  invocation.out.line(`${added.length} added, ${failed.length} failed.`);
  for (const { error } of failed) for (const line of errorLines(error)) invocation.out.note(line);
}
