import type { TemplateEntry } from '#shared/model.ts';
import {
  describeTemplate,
  formatTemplateName,
  describeVariable,
} from '#renderer/common/labels/template-labels.ts';
import { setEntry, setVariable } from '../yaml/edits.ts';
import { DocReader } from '../yaml/template-doc.ts';

/** The text of a copy under a name of its own. Of what ships with the app it says in the language of the screen what it is for; everything else stays. */
export function copyOf(entry: TemplateEntry, named: (name: string) => string): string {
  const name = JSON.stringify(named(formatTemplateName(entry)));
  const text = entry.text.replace(/^name:[^\n]*/m, () => `name: ${name}`);
  const about = describeTemplate(entry);
  if (about === (entry.description ?? '')) return text;
  const read = new DocReader().read(text);
  if (!read.ok) return text;
  let doc = setEntry(read.doc, 'description', about) ?? read.doc;
  for (const { name: variable, raw } of doc.variables) {
    const description = describeVariable(entry.id, { name: variable });
    if (description !== undefined) doc = setVariable(doc, variable, { ...raw, description }) ?? doc;
  }
  return doc.text;
}
