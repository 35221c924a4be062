/** Templates that ship with the app, and the person's own. */
import { say } from '#shared/details.ts';
import { userError, isOutOfFiles } from '#shared/errors.ts';
import type { TemplateEntry } from '#shared/model.ts';
import { changeSection } from '#template/change-section.ts';
import type { TemplatesApi } from '../api/routes.ts';
import { checkTemplate } from './check/check-template.ts';
import { compareTemplates } from './compare.ts';
import { parseTemplate } from './parse-template.ts';
import { combineErrors } from './check/problems.ts';
import { createVersions, hashTemplate, type OwnTemplate, type VersionsOptions } from './versions.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { decodeText } from './text.ts';
import { readOwnJson } from '#shared/read-json.ts';

interface TemplatesOptions extends VersionsOptions {
  /** Holds `templates/*.yaml`. */
  readonly resourcesDir: string;
}

/** Template functions that only the engine uses, beside those of the API. */
export interface Templates extends Omit<TemplatesApi, 'capture'> {
  /** The saved version whose text has this fingerprint (`hashTemplate`), the latest where there are several; else the template that ships with the app. */
  findVersionByHash(hash: string): Pick<TemplateEntry, 'id' | 'version'> | undefined;
}

/** The templates of one data folder. */
export function createTemplates(options: TemplatesOptions): Templates {
  const versions = createVersions(options);
  let read: readonly TemplateEntry[] | undefined;
  const bundled = (): readonly TemplateEntry[] => (read ??= readBundled(options.resourcesDir));

  function save(entry: Parameters<TemplatesApi['save']>[0]): TemplateEntry {
    const { document, errors } = parseTemplate(entry.text);
    if (document === undefined) throw combineErrors(errors);
    return toEntry(versions.save({ ...entry, name: document.name }));
  }

  return {
    list: () => [...bundled(), ...versions.list().map(toEntry)],
    check: ({ text, ...given }) => checkTemplate(text, given),
    save,
    remove: versions.remove,
    versions: versions.versions,
    version: versions.version,
    changeSection({ text, ...change }) {
      const changed = changeSection(text, change);
      if (changed === undefined) throw userError('invalid-template', say('change-by-hand'));
      return { text: changed };
    },
    compare: ({ before, after }) => compareTemplates(before, after),
    findVersionByHash(hash) {
      const shipped = bundled().find(({ text }) => hashTemplate(text) === hash);
      return versions.findByHash(hash) ?? (shipped === undefined ? undefined : { id: shipped.id });
    },
  };
}

function toEntry({ id, text, version, savedAt }: OwnTemplate): TemplateEntry {
  return { id, source: 'own', ...headOf(text, id), text, version, savedAt };
}

/** Name and description of a template in lists. */
type Head = Pick<TemplateEntry, 'name' | 'description'>;

/** Returns the name and description; `otherwise` is the name of a text that is no template. */
function headOf(text: string, otherwise: string): Head {
  const summary = parseTemplate(text).summary;
  return {
    name: summary?.name ?? otherwise,
    description: summary?.description,
  };
}

/** Reads the bundled templates; an unreadable file is omitted instead of hiding the others. */
function readBundled(resourcesDir: string): readonly TemplateEntry[] {
  const heads = readHeads(resourcesDir);
  return readTexts(resourcesDir).map(({ name, text }) => {
    const id = `bundled:${name}`;
    return { id, source: 'bundled', ...(heads[hashTemplate(text)] ?? headOf(text, id)), text };
  });
}

/** The document of `templates.json`, as it is kept. */
export function formatTemplateIndex(resourcesDir: string): string {
  const heads = readTexts(resourcesDir).map(({ name, text }) => [hashTemplate(text), headOf(text, name)]);
  return `${JSON.stringify(Object.fromEntries(heads), null, 2)}\n`;
}

function readTexts(resourcesDir: string): readonly { readonly name: string; readonly text: string }[] {
  const folder = join(resourcesDir, 'templates');
  return listFiles(folder).flatMap((file) => {
    try {
      const bytes = readFileSync(join(folder, file));
      const text = decodeText(bytes, { maxBytes: TEMPLATE_LIMITS.characters * 4, file });
      return [{ name: basename(file, '.yaml'), text }];
    } catch (thrown) {
      return orThrow(thrown, []);
    }
  });
}

/**
 * Reads the heads of bundled templates by fingerprint; the file ships with the app, like the code that reads
 * it.
 */
function readHeads(resourcesDir: string): Readonly<Record<string, Head>> {
  try {
    return readOwnJson(readFileSync(join(resourcesDir, 'templates.json'), 'utf8')) as Record<string, Head>;
  } catch (thrown) {
    return orThrow(thrown, {});
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .sort();
  } catch (thrown) {
    return orThrow(thrown, []);
  }
}

/** Returns `nothing` for a file that is not there or is none of ours; a process that may open no more files has seen none. */
function orThrow<Nothing>(thrown: unknown, nothing: Nothing): Nothing {
  if (isOutOfFiles(thrown)) throw thrown;
  return nothing;
}
