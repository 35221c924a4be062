/** Templates that the app holds, as people name them: by id, by name, or `name@version`. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { userError } from '#shared/errors.ts';
import type { TemplateEntry } from '#shared/model.ts';
import type { Invocation } from '../invocation.ts';
import { createUsageError } from '../usage.ts';
import { isTemplateFile, isNamed, readTemplateFile, type TemplateSource } from './template.ts';

/** Throws `not-found`, and `usage` where several have the name. */
function findEntry(engine: Engine, reference: string): TemplateEntry {
  const entries = engine.templates.list();
  const byId = entries.find(({ id }) => id === reference || id === `bundled:${reference}`);
  if (byId !== undefined) return byId;
  const [found, ...others] = entries.filter((entry) => isNamed(entry, reference));
  if (found === undefined) throw userError('not-found', say('cli.no-template', { reference }));
  if (others.length > 0)
    throw createUsageError(
      say('cli.templates-same', {
        count: others.length + 1,
        reference,
        ids: [found, ...others].map(({ id }) => id).join(', '),
      }),
    );
  return found;
}

/** An own template; a bundled one has no versions. */
export function findOwn(engine: Engine, reference: string): TemplateEntry {
  const entry = findEntry(engine, reference);
  if (entry.source === 'own') return entry;
  throw userError('not-allowed', say('cli.bundled-template', { name: entry.name }));
}

/** Returns the text of a version, or the newest text if none is named. */
export function readVersion(engine: Engine, reference: string, version: number | undefined): TemplateSource {
  if (version === undefined) {
    const { id, text } = findEntry(engine, reference);
    return { text, file: id };
  }
  const { id } = findOwn(engine, reference);
  return { text: engine.templates.version({ id, version }).text, file: `${id}@${version}` };
}

/** A file, or what the app holds: `name`, `id`, `name@3`. */
export async function readAnySource(
  invocation: Invocation,
  engine: Engine,
  reference: string,
): Promise<TemplateSource> {
  if (isTemplateFile(reference)) return readTemplateFile(invocation, reference);
  const [, name = reference, version] = /^(.+)@(\d+)$/.exec(reference) ?? [];
  return readVersion(engine, name, version === undefined ? undefined : Number(version));
}
