import type { TemplateEntry } from '#shared/model.ts';
import { templateAbout, templateName, variableAbout } from '#renderer/common/labels/template-labels.ts';
import { applyEdits, setEntry, setVariable } from '../yaml/edits.ts';
import type { Edit } from '../yaml/patch.ts';
import { DocReader, type TemplateDoc } from '../yaml/template-doc.ts';

/** The text of a copy under a name of its own. Of what ships with the app it says in the language of the screen what it is for; everything else stays. */
export function copyOf(entry: TemplateEntry, named: (name: string) => string): string {
  const name = JSON.stringify(named(templateName(entry)));
  let text = entry.text.replace(/^name:[^\n]*/m, () => `name: ${name}`);
  const reader = new DocReader();
  const change = (edit: (doc: TemplateDoc) => Edit | undefined): void => {
    const read = reader.read(text);
    const made = read.ok ? edit(read.doc) : undefined;
    if (made !== undefined) text = applyEdits(text, [made]) ?? text;
  };
  const about = templateAbout(entry);
  if (about === (entry.description ?? '')) return text;
  change((doc) => setEntry(doc, 'description', about));
  const read = reader.read(text);
  for (const { name: variable, raw } of read.ok ? read.doc.variables : []) {
    const description = variableAbout(entry.id, { name: variable });
    if (description !== undefined) change((doc) => setVariable(doc, variable, { ...raw, description }));
  }
  return text;
}
