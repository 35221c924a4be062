/** What forms do to a template, as edits of its text. Undefined: this text cannot be edited that way. */
import {
  fieldAt,
  findResource,
  isPlain,
  mapLeaves,
  own,
  pathOf,
  type Payload,
  type Plain,
} from '#protocol/index.ts';
import type { DeviceKind } from '#shared/model.ts';
import { splitPlaceholders, wholeVariable } from '#shared/text/placeholder.ts';
import { SECTION_ORDER, TOP_ORDER, VARIABLE_ORDER } from '../editor/member-order.ts';
import { chunksOf, type Chunks } from './chunks.ts';
import { hasLinks, linkedText } from './linked.ts';
import { nextLine, patchText, wholeEdit, type Edit } from './patch.ts';
import { renderBlock } from './render.ts';
import { entryTarget, sectionTarget, type Target, type TemplateDoc } from './template-doc.ts';

function shifted(target: Target, edit: Edit | undefined): Edit | undefined {
  return edit === undefined
    ? undefined
    : { from: edit.from + target.from, to: edit.to + target.from, insert: edit.insert };
}
function without(members: Plain, name: string): Plain {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
}
/** Undefined takes the member away. */
function withMember(members: Plain, name: string, value: unknown): Plain {
  return value === undefined ? without(members, name) : { ...members, [name]: value };
}

/** Order of a section's members, and of the fields of its value by the specification. */
function sectionOrder(set: string): (path: readonly (string | number)[]) => readonly string[] | undefined {
  const payload = findResource(set)?.put.request;
  return ([member, ...inner]) => {
    if (member === undefined) return SECTION_ORDER;
    if (member === 'params') return findResource(set)?.put.params.map((param) => param.name);
    return member === 'value' && payload !== undefined ? fieldNames(payload, inner) : undefined;
  };
}
function fieldNames(payload: Payload, path: readonly (string | number)[]): readonly string[] | undefined {
  const field = fieldAt(payload, pathOf(path));
  return field?.kind === 'object' ? field.fields.map((inner) => inner.name) : undefined;
}

/**
 * Gives a section another content. Where it has anchors or aliases, the rest is wanted as it was: an alias of what
 * is changed here gets the old value written out, so that nothing changes elsewhere behind the person's back.
 */
function editSection(doc: TemplateDoc, index: number, change: (raw: Plain) => Plain): Edit | undefined {
  const section = doc.sections[index];
  if (section?.raw === undefined) return undefined;
  const order = sectionOrder(section.set);
  const patchAmong = (
    text: string,
    rest: Plain,
    sections: readonly unknown[],
    at: number,
  ): Edit | undefined =>
    patchText(
      text,
      (piece) => piece.node,
      { ...rest, sections: sections.with(at, change(section.raw ?? {})) },
      (path) => (path[0] === 'sections' && path[1] === at ? order(path.slice(2)) : undefined),
    );

  const sections = doc.root['sections'];
  if (!doc.inPieces && Array.isArray(sections)) return patchAmong(doc.text, doc.root, sections, index);
  const chunks = doc.linked.sections.includes(index) ? chunksOf(doc.text) : undefined;
  if (chunks !== undefined) {
    const together = linkedText(doc.text, chunks, doc.linked);
    const rest = Object.fromEntries([...doc.linked.entries].map((name) => [name, own(doc.root, name)]));
    const edit = patchAmong(
      together.text,
      rest,
      doc.linked.sections.map((at) => doc.sections[at]?.source),
      doc.linked.sections.indexOf(index),
    );
    return edit === undefined ? undefined : together.editOf(edit, chunksOf);
  }
  const target = sectionTarget(doc, index);
  return target === undefined
    ? undefined
    : shifted(target, patchText(target.text, target.select, change(section.raw), order));
}
export function setSectionMember(
  doc: TemplateDoc,
  index: number,
  name: 'params' | 'value' | 'optional' | 'clamp',
  value: unknown,
): Edit | undefined {
  return editSection(doc, index, (raw) => withMember(raw, name, value));
}

/** Gives an entry of the outermost level another value; undefined takes it away. */
export function setEntry(doc: TemplateDoc, name: string, value: unknown): Edit | undefined {
  const { target, isRoot } = entryTarget(doc, name);
  const order = (path: readonly (string | number)[]): readonly string[] | undefined =>
    path.length === 0 ? TOP_ORDER : path.length === 2 && path[0] === 'variables' ? VARIABLE_ORDER : undefined;
  if (isRoot) return patchText(target.text, target.select, withMember(doc.root, name, value), order);
  if (value === undefined) return { from: target.from, to: target.from + target.text.length, insert: '' };
  return shifted(target, patchText(target.text, target.select, { [name]: value }, order));
}
export function setKinds(doc: TemplateDoc, kinds: readonly DeviceKind[]): Edit | undefined {
  return setEntry(doc, 'appliesTo', kinds.length === 0 ? undefined : { kinds });
}

/** Sections that may stand in any order: none names what stands in another. */
function freeChunks(doc: TemplateDoc): Chunks | undefined {
  return doc.inPieces && !hasLinks(doc.linked) ? chunksOf(doc.text) : undefined;
}
/** Where each section begins (with the comment lines right above it) and where the last one ends. */
function bounds(doc: TemplateDoc): readonly number[] | undefined {
  const chunks = freeChunks(doc);
  if (chunks === undefined) return undefined;
  const { items } = chunks.sections;
  const starts = items.map(({ from }, index) =>
    commentsAbove(doc.text, from, items[index - 1]?.from ?? nextLine(doc.text, chunks.sections.head.from)),
  );
  return [...starts, items.at(-1)?.to ?? doc.text.length];
}
function commentsAbove(text: string, from: number, floor: number): number {
  let start = from;
  while (start > floor) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (above < floor || !text.slice(above, start).trimStart().startsWith('#')) return start;
    start = above;
  }
  return start;
}
function endingLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Lines of the sections, cut and put together anew; JSON and other layouts go by their values. */
function rearrange(
  doc: TemplateDoc,
  lines: (parts: string[]) => string[],
  values: (sections: unknown[]) => unknown[],
): Edit | undefined {
  const at = bounds(doc);
  if (at === undefined)
    return patchText(
      doc.text,
      (piece) => piece.node,
      {
        ...doc.root,
        sections: values([
          ...(Array.isArray(doc.root['sections']) ? (doc.root['sections'] as unknown[]) : []),
        ]),
      },
      (path) => (path.length === 0 ? TOP_ORDER : undefined),
    );
  const parts = at.slice(0, -1).map((from, index) => endingLine(doc.text.slice(from, at[index + 1])));
  const next = lines(parts);
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0];
  if (next.length === 0) return setEntry({ ...doc, inPieces: false }, 'sections', []);
  return wholeEdit(doc.text, doc.text.slice(0, first) + next.join('') + doc.text.slice(last));
}
export function moveSection(doc: TemplateDoc, from: number, to: number): Edit | undefined {
  if (to < 0 || to >= doc.sections.length || from === to) return undefined;
  function move<T>(list: T[]): T[] {
    list.splice(to, 0, ...list.splice(from, 1));
    return list;
  }
  return rearrange(doc, move, move);
}
export function removeSection(doc: TemplateDoc, index: number): Edit | undefined {
  function drop<T>(list: T[]): T[] {
    list.splice(index, 1);
    return list;
  }
  return rearrange(doc, drop, drop);
}
export function duplicateSection(doc: TemplateDoc, index: number): Edit | undefined {
  function twice<T>(list: T[]): T[] {
    const item = list[index];
    if (item !== undefined) list.splice(index + 1, 0, item);
    return list;
  }
  return rearrange(doc, twice, twice);
}
/** Adds a section as the last one. */
export function addSection(doc: TemplateDoc, section: Plain): Edit | undefined {
  const chunks = freeChunks(doc);
  const last = chunks?.sections.items[0];
  const indent = last === undefined ? 2 : (/^ */.exec(doc.text.slice(last.from))?.[0].length ?? 2);
  const line = `${' '.repeat(indent)}- ${renderBlock(section, indent + 2)}\n`;
  return rearrange(
    doc,
    (parts) => [...parts, line],
    (sections) => [...sections, section],
  );
}

/** A new section for a resource: with the parameters that sections before it have, else the first channel. */
export function newSection(doc: TemplateDoc, set: string): Plain {
  const resource = findResource(set);
  const params = (resource?.put.params ?? []).map((param) => {
    const used = doc.sections.findLast((section) => Object.hasOwn(section.params, param.name))?.params[
      param.name
    ];
    return [param.name, used ?? param.default ?? (param.type === 'int' ? Math.max(1, param.min ?? 1) : '1')];
  });
  return {
    set,
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    value: resource?.put.request.rootItem === undefined ? {} : [],
  };
}

/** Places that name the variable: section by number, and the path inside the section. */
export function usesOf(
  doc: TemplateDoc,
  name: string,
): readonly { readonly section: number; readonly path: string }[] {
  return doc.sections.flatMap((section) =>
    (['params', 'value'] as const).flatMap((member) => {
      const found: { section: number; path: string }[] = [];
      const collect = (text: unknown, path: string): void => {
        const parts = typeof text === 'string' ? splitPlaceholders(text) : [];
        if (parts.some((part) => part.kind === 'variable' && part.name === name))
          found.push({ section: section.index, path });
      };
      mapLeaves(section.raw?.[member], collect, member);
      return found;
    }),
  );
}
function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  return mapLeaves(value, (leaf) => (typeof leaf === 'string' ? change(leaf) : leaf));
}
/** Escapes stay as they are written: `$${name}` names no variable. */
function replacedIn(text: string, name: string, by: string): string {
  return text.replace(/(\$)?\$\{([^}]*)\}/g, (whole, escape: string | undefined, inner: string) =>
    escape === undefined && inner.trim() === name ? by : whole,
  );
}

/** All sections in which something changed, as one list of edits that do not overlap. */
function inSections(
  doc: TemplateDoc,
  name: string,
  change: (text: string) => unknown,
): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  for (const section of new Set(usesOf(doc, name).map((use) => use.section))) {
    const edit = editSection(doc, section, (raw) => ({
      ...raw,
      ...(raw['params'] !== undefined && { params: mapTexts(raw['params'], change) }),
      ...(raw['value'] !== undefined && { value: mapTexts(raw['value'], change) }),
    }));
    if (edit === undefined) return undefined;
    edits.push(edit);
  }
  return edits;
}
/** Edits that overlap (a text that is read whole) are made one after another by the caller's own way. */
export function renameVariable(doc: TemplateDoc, from: string, to: string): string | undefined {
  const uses = inSections(doc, from, (text) => replacedIn(text, from, `\${${to}}`));
  const declared = own(doc.root, 'variables');
  if (uses === undefined || !isPlain(declared)) return undefined;
  const renamed = Object.fromEntries(
    Object.entries(declared).map(([name, value]) => [name === from ? to : name, value]),
  );
  const key = keyEdit(doc, from, to) ?? setEntry(doc, 'variables', renamed);
  return key === undefined ? undefined : applyEdits(doc.text, [...uses, key]);
}
/** The name alone where it stands plainly at the beginning of a line, so that its comments and place stay. */
function keyEdit(doc: TemplateDoc, from: string, to: string): Edit | undefined {
  const { target, isRoot } = entryTarget(doc, 'variables');
  if (isRoot) return undefined;
  const found = [...target.text.matchAll(/^([ \t]+)([A-Za-z_]\w*)([ \t]*:)/gm)].filter(
    (match) => match[2] === from && !match[1]?.includes('\t'),
  );
  const shallow = Math.min(
    ...[...target.text.matchAll(/^( +)[A-Za-z_]\w*[ \t]*:/gm)].map((match) => (match[1] ?? '').length),
  );
  const [only] = found.filter((match) => (match[1] ?? '').length === shallow);
  if (only === undefined) return undefined;
  const at = target.from + only.index + (only[1] ?? '').length;
  return { from: at, to: at + from.length, insert: to };
}
export function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
  const ordered = [...edits].sort((a, b) => a.from - b.from);
  let out = '';
  let at = 0;
  for (const edit of ordered) {
    if (edit.from < at) return undefined;
    out += text.slice(at, edit.from) + edit.insert;
    at = edit.to;
  }
  return out + text.slice(at);
}

/** Declares a variable or gives it another declaration. */
export function setVariable(
  doc: TemplateDoc,
  name: string,
  declaration: Plain | undefined,
): Edit | undefined {
  const declared = own(doc.root, 'variables');
  const next = withMember(isPlain(declared) ? declared : {}, name, declaration);
  return setEntry(doc, 'variables', Object.keys(next).length === 0 ? undefined : next);
}
/** Takes a variable away; where it stood alone its default takes its place. Undefined where that cannot be. */
export function dropVariable(doc: TemplateDoc, name: string): string | undefined {
  const fallback = doc.variables.find((variable) => variable.name === name)?.raw['default'];
  if (fallback === undefined && usesOf(doc, name).length > 0) return undefined;
  const uses = inSections(doc, name, (text) =>
    wholeVariable(text) === name ? fallback : replacedIn(text, name, String(fallback)),
  );
  const declaration = setVariable(doc, name, undefined);
  return uses === undefined || declaration === undefined
    ? undefined
    : applyEdits(doc.text, [...uses, declaration]);
}
