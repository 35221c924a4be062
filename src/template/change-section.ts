/** One change to the text of a template, as a blocked plan offers it. */
import { findField, findResource, getOwn, isPlain, isSameOpaque, joinSteps, setAt } from '#protocol/index.ts';
import { changeYaml, type OrderOf } from './edit-yaml.ts';
import { listMemberNames } from './grammar.ts';
import { NOT_GIVEN } from './placeholder.ts';
import { readYaml } from './read-yaml.ts';

/** Returns the order of names of the template and its sections, and of the fields of a value by the specification. */
export function createNameOrder(root: Readonly<Record<string, unknown>>): OrderOf {
  return ([first, second, member, ...inner]) => {
    if (first === undefined) return listMemberNames('top');
    if (first === 'variables')
      return second !== undefined && member === undefined ? listMemberNames('variable') : undefined;
    if (first !== 'sections' || typeof second !== 'number') return undefined;
    if (member === undefined) return listMemberNames('section');
    const section = (root['sections'] as readonly unknown[])[second];
    const put = findResource(String(isPlain(section) ? section['set'] : ''))?.put;
    if (member === 'params') return put?.params.map(({ name }) => name);
    const field =
      member === 'value' && put !== undefined ? findField(put.request, joinSteps(inner)) : undefined;
    return field?.kind === 'object' ? field.fields.map(({ name }) => name) : undefined;
  };
}

/** Returns the text with the value at the path inside a section; undefined if that cannot be said in this text alone. */
export function changeSection(
  text: string,
  { index, path, value }: { readonly index: number; readonly path: string; readonly value: unknown },
): string | undefined {
  const read = (source: string): unknown => readYaml(source, { empty: () => NOT_GIVEN }).value;
  const before = read(text);
  const sections = isPlain(before) ? getOwn(before, 'sections') : undefined;
  if (!isPlain(before) || !Array.isArray(sections) || !isPlain(sections[index])) return undefined;
  const after = { ...before, sections: sections.with(index, setAt(sections[index], path, value)) };
  const changed = changeYaml(text, before, after, createNameOrder(after));
  // The aliases of an anchor would change with it.
  return changed !== undefined && isSameOpaque(read(changed), after) ? changed : undefined;
}
