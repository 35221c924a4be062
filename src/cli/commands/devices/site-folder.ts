/** `site folder`: what is known of a site as text that only changes with it, a file a device, to be kept with git. */
import type { Action } from '#cli/declarations/all.ts';
import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { findSite } from '#cli/input/named.ts';
import { openOutputFile, removeOutputFile } from '#cli/output/output-file.ts';
import type { Engine } from '#engine/api.ts';
import { getSystemCode } from '#engine/files/folders.ts';
import { compareText } from '#engine/text/canonical-json.ts';
import { hashSha256 } from '#engine/text/sha256.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError, userError } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import { readJsonOrNothing } from '#shared/read-json.ts';
import { toSafeFileName } from '#shared/text/file-name.ts';

/** Hashes of the files as they were written, by path; git leaves it out. */
const RECORD = join('.fieldwright', 'written.json');
const RECORD_BOUNDS = { bytes: 16 * 1024 * 1024, depth: 2, nodes: 100_000 };

type Files = ReadonlyMap<string, string>;

/** Writes the folder, or nothing where a person has changed a file of it since. */
export const writeSiteFolder: Action<'site folder'> = async (
  invocation,
  folder,
  { site: reference, force },
) => {
  const engine = await invocation.open();
  const site = findSite(engine, reference);
  const devices = engine.devices
    .list()
    .filter(({ siteId }) => siteId === site.id)
    .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.url, b.url));
  const { files, unseen } = listFiles(engine, site.name, devices);

  const record = readRecord(folder);
  const there = new Map<string, string>();
  for (const path of new Set([...files.keys(), ...record.keys()])) {
    const text = readThere(folder, path);
    if (text !== undefined) there.set(path, text);
  }
  const changed = [...files].filter(([path, text]) => there.get(path) !== text);
  const gone = [...record.keys()].filter((path) => !files.has(path) && there.has(path));
  const foreign = [...changed.map(([path]) => path), ...gone].filter((path) => {
    const text = there.get(path);
    return text !== undefined && record.get(path) !== hashSha256(text);
  });
  if (foreign.length > 0 && force !== true)
    throw userError(
      'usage',
      say('cli.folder-edited', { files: foreign.slice(0, 10).join(', '), n: foreign.length }),
      {
        file: folder,
      },
    );

  const hashes = Object.fromEntries([...files].map(([path, text]) => [path, hashSha256(text)]));
  const own: Files = new Map([
    [RECORD, `${JSON.stringify(hashes, null, 1)}\n`],
    [join(dirname(RECORD), '.gitignore'), '*\n'],
  ]);
  const write = async ([path, text]: readonly [string, string]): Promise<void> => {
    const file = await openOutputFile(invocation, join(folder, path), { force: true, makesFolder: true });
    await file.write(text);
  };
  for (const each of changed) await write(each);
  for (const path of gone) await removeOutputFile(join(folder, path));
  // The record comes last: a file that it no longer names is never removed.
  for (const each of own) await write(each);
  return {
    json: { dir: folder, files: files.size, changed: changed.length, removed: gone.length },
    text: invocation.out.say('cli.folder-written', { n: files.size, changed: changed.length, folder }),
    note:
      unseen > 0
        ? invocation.out.say('cli.folder-unseen', { devices: invocation.out.devices(unseen) })
        : undefined,
  };
};

function listFiles(
  engine: Engine,
  site: string,
  devices: readonly Device[],
): { readonly files: Files; readonly unseen: number } {
  const files = new Map<string, string>();
  const settings = devices.map((device) => {
    const text = readSettings(engine, device);
    return text === undefined
      ? undefined
      : add(`devices/${toSafeFileName(device.name)}.yaml`, device.url, text);
  });
  const agreed = devices.map((device) => {
    const text = engine.agreements.describe(device.id);
    return text === undefined
      ? undefined
      : add(`agreed/${toSafeFileName(device.name)}.json`, device.url, `${text}\n`);
  });
  for (const { name, text, id } of engine.templates.list().filter(({ source }) => source === 'own'))
    add(`templates/${toSafeFileName(name)}.yaml`, id, text);
  const about = {
    fieldwright: 'site-folder/1',
    name: site,
    devices: devices.map(({ name, url, kinds, tags }, nth) => ({
      name,
      address: url,
      kinds: kinds.toSorted(compareText),
      tags: tags.toSorted(compareText),
      settings: settings[nth],
      agreed: agreed[nth],
    })),
  };
  files.set('site.json', `${JSON.stringify(about, null, 2)}\n`);
  return { files, unseen: settings.filter((path) => path === undefined).length };

  /** Two names that a file system takes for one get what differs behind them. */
  function add(file: string, other: string, text: string): string {
    const taken = new Set([...files.keys()].map((each) => each.toLowerCase()));
    const { dir, name, ext } = parse(file);
    const free = taken.has(file.toLowerCase()) ? `${dir}/${name} ${toSafeFileName(other)}${ext}` : file;
    files.set(free, text);
    return free;
  }
}

/** Returns undefined for a device of which nothing was seen yet, or nothing that can be set. */
function readSettings(engine: Engine, { id }: Device): string | undefined {
  try {
    return engine.snapshots.capture({ deviceId: id });
  } catch (thrown) {
    const isNothing =
      thrown instanceof FieldwrightError && ['not-found', 'not-supported'].includes(thrown.code);
    if (!isNothing) throw thrown;
    return undefined;
  }
}

/**
 * Returns the text of a file in the folder; empty for anything that this command has not written: a link, a folder, a pipe,
 * a file that is too large or may not be read. Returns undefined if there is nothing of that name.
 */
function readThere(folder: string, path: string): string | undefined {
  const steps = [dirname(path), path].filter((step) => step !== '.').map((step) => join(folder, step));
  try {
    for (const step of steps) {
      const found = lstatSync(step, { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      if (step !== steps.at(-1) ? !found.isDirectory() : !found.isFile() || found.size > RECORD_BOUNDS.bytes)
        return '';
    }
    return readFileSync(join(folder, path), 'utf8');
  } catch (thrown) {
    // The folder is a file: nothing can be in it, and writing will say so.
    return getSystemCode(thrown) === 'ENOTDIR' ? undefined : '';
  }
}

function readRecord(folder: string): ReadonlyMap<string, string> {
  const record = readJsonOrNothing(readThere(folder, RECORD) ?? '', RECORD_BOUNDS);
  if (typeof record !== 'object' || record === null) return new Map();
  return new Map(
    Object.entries(record).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && isInside(entry[0]),
    ),
  );
}

/** Returns true for a path that this command writes: a record that was changed points nowhere else. */
function isInside(path: string): boolean {
  return (
    path === 'site.json' || /^(?:(?:devices|templates)\/[^/\\]+\.yaml|agreed\/[^/\\]+\.json)$/.test(path)
  );
}
