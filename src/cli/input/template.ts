/** The template of `--template`: a file, or the name of one that the app holds. */
import { existsSync } from 'node:fs';
import type { Engine } from '#engine/api.ts';
import type { TemplateEntry } from '#shared/model.ts';
import type { Invocation } from '../invocation.ts';
import { readText } from './files.ts';

export interface TemplateSource {
  readonly text: string;
  readonly file: string;
}

/** True where the reference is a file; everything else is looked up among the app's templates. */
export function isTemplateFile(reference: string): boolean {
  return reference === '-' || existsSync(reference);
}

/** Returns whether the reference is the template's id (`bundled:` may be omitted) or its name. */
export function isNamed(entry: TemplateEntry, reference: string): boolean {
  return entry.id === reference || entry.id === `bundled:${reference}` || entry.name === reference;
}

export async function readTemplateFile(invocation: Invocation, file: string): Promise<TemplateSource> {
  return { text: await readText(invocation.io, file), file };
}

export async function readTemplate(
  invocation: Invocation,
  engine: Engine,
  reference: string,
): Promise<TemplateSource> {
  const entry = isTemplateFile(reference)
    ? undefined
    : engine.templates.list().find((each) => isNamed(each, reference));
  return entry ? { text: entry.text, file: entry.id } : readTemplateFile(invocation, reference);
}
