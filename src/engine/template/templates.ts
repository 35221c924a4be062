/** The templates at hand: those that ship with the app, and the person's own. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FieldwrightError } from '../../shared/errors.ts';
import type { TemplateEntry } from '../../shared/model.ts';
import type { Clock, TemplatesApi } from '../api.ts';
import type { Store } from '../store/index.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import { parseTemplate } from './parse-template.ts';
import { asError } from './problems.ts';
import { decodeText } from './text.ts';

export interface TemplatesOptions {
  readonly store: Store;
  /** Holds `templates/*.yaml`. */
  readonly resourcesDir: string;
  readonly clock: Clock;
}

interface TemplateRow {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Fingerprint of a template's text, hexadecimal SHA-256. */
export function templateHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The templates of one data folder. */
export function createTemplates(options: TemplatesOptions): TemplatesApi {
  const { store, clock } = options;
  let bundled: readonly TemplateEntry[] | undefined;

  function own(): readonly TemplateEntry[] {
    return store.all<TemplateRow>('SELECT id, name, text FROM templates ORDER BY name, id').map(toEntry);
  }
  function save(entry: { readonly id?: string; readonly text: string }): TemplateEntry {
    const { document, errors } = parseTemplate(entry.text);
    if (document === undefined) throw asError(errors);
    const now = clock.now().toISOString();
    const id = entry.id ?? randomUUID();
    if (entry.id === undefined) {
      store.run('INSERT INTO templates (id, name, text, created_at, updated_at) VALUES (?, ?, ?, ?, ?)', id, document.name, entry.text, now, now);
    } else if (store.run('UPDATE templates SET name = ?, text = ?, updated_at = ? WHERE id = ?', document.name, entry.text, now, id).changes === 0) {
      throw new FieldwrightError({ code: 'not-found', source: 'user', message: 'There is no own template with this id; a bundled one is saved as a new one.' });
    }
    return toEntry({ id, name: document.name, text: entry.text });
  }

  return {
    list: () => [...(bundled ??= readBundled(options.resourcesDir)), ...own()],
    check: (text, { file } = {}) => {
      const { errors, summary } = parseTemplate(text, { file });
      return { ok: errors.length === 0, errors, ...(summary === undefined ? {} : { summary }) };
    },
    save,
  };
}

function toEntry({ id, text }: TemplateRow): TemplateEntry {
  return entryOf(id, 'own', text);
}

function entryOf(id: string, source: TemplateEntry['source'], text: string): TemplateEntry {
  const summary = parseTemplate(text).summary;
  return { id, source, name: summary?.name ?? id, ...(summary?.description === undefined ? {} : { description: summary.description }), text };
}

/** Files that ship with the app; one that cannot be read is left out rather than hiding the others. */
function readBundled(resourcesDir: string): readonly TemplateEntry[] {
  const folder = join(resourcesDir, 'templates');
  return listFiles(folder).flatMap((file) => {
    try {
      const text = decodeText(readFileSync(join(folder, file)), { maxBytes: TEMPLATE_LIMITS.characters * 4, file });
      return entryOf(`bundled:${file.replace(/\.ya?ml$/, '')}`, 'bundled', text);
    } catch {
      return [];
    }
  });
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)).sort();
  } catch {
    return [];
  }
}
