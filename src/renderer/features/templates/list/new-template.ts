/** The text a new template begins with. */
import type { DeviceKind } from '#shared/model.ts';
import { TEMPLATE_FORMAT } from '#template/grammar.ts';
import { addSections, createSection, setEntry, setKinds } from '../yaml/edits.ts';
import { DocReader } from '../yaml/template-doc.ts';

export function buildTemplateText({
  name,
  kinds,
  sets,
}: {
  readonly name: string;
  readonly kinds: readonly DeviceKind[];
  readonly sets: readonly string[];
}): string {
  const text = `fieldwright: ${TEMPLATE_FORMAT}\nname: \nsections: []\n`;
  const read = new DocReader().read(text);
  const named = read.ok ? setEntry(read.doc, 'name', name) : undefined;
  const doc = named === undefined ? undefined : setKinds(named, kinds);
  return doc === undefined
    ? text
    : (addSections(
        doc,
        sets.map((set) => createSection(doc, set)),
      )?.text ?? doc.text);
}
