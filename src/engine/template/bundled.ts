/**
 * The templates that ship with the app. What lists show of them is kept beside them by the fingerprint of
 * their text (`templates.json`): parsing them all takes longer than most commands. One that changed since is parsed.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { isOutOfFiles } from '#shared/errors.ts';
import type { TemplateEntry } from '#shared/model.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { parseTemplate } from './parse-template.ts';
import { decodeText } from './text.ts';
import { hashTemplate } from './versions.ts';
import { readOwnJson } from '#shared/read-json.ts';

/** Name and description of a template in lists. */
type Head = Pick<TemplateEntry, 'name' | 'description'>;

/** Returns the name and description; `otherwise` is the name of a text that is no template. */
export function headOf(text: string, otherwise: string): Head {
  const summary = parseTemplate(text).summary;
  return {
    name: summary?.name ?? otherwise,
    ...removeUndefined({ description: summary?.description }),
  };
}

/** Reads the bundled templates; an unreadable file is omitted instead of hiding the others. */
export function readBundled(resourcesDir: string): readonly TemplateEntry[] {
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
