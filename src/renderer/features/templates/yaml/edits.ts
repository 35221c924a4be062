/**
 * Edits that forms make to a template. Each returns the edited template; undefined if its text cannot be
 * edited that way.
 */
import type { Node, YAMLSeq } from 'yaml';
import {
  findResource,
  isPlain,
  mapLeaves,
  getOwn,
  getUsualParam,
  isSameOpaque,
  type Plain,
} from '#protocol/index.ts';
import type { DeviceKind } from '#shared/model.ts';
import { createNameOrder } from '#template/change-section.ts';
import { arrange, changeYaml, editYaml, hasLinks } from '#template/edit-yaml.ts';
import { listMemberNames } from '#template/grammar.ts';
import { splitPlaceholders, findWholeVariable } from '#template/placeholder.ts';
import type { TemplateDoc } from './template-doc.ts';

type Edited = TemplateDoc | undefined;

/** Sets a member, or removes it if the value is undefined. */
function withMember(members: Plain, name: string, value: unknown): Plain {
  const { [name]: before, ...others } = members;
  if (value === undefined) return others;
  return before === undefined ? { ...others, [name]: value } : { ...members, [name]: value };
}

/** The value of an alias changes with its anchor, and is then written out: once for each alias of an alias. */
const MOST_ROUNDS = 10;

/**
 * Returns the template with the value `root`. Where an anchor is changed its aliases get the old value written out, so that
 * nothing changes elsewhere behind the person's back.
 */
function bringTo(doc: TemplateDoc, root: Plain): Edited {
  let now: Edited = doc;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (isSameOpaque(now.root, root)) return now;
    const text: string | undefined =
      changedPieces(now, root) ?? changeYaml(now.text, now.root, root, createNameOrder(root));
    now = text === undefined ? undefined : now.reread(text);
    if (now === undefined) return undefined;
  }
  return undefined;
}

interface Replaced {
  readonly from: number;
  readonly to: number;
  readonly text: string | undefined;
}

/** Changes the entries and sections that differ, each as a text of its own; undefined where that cannot be. */
function changedPieces(doc: TemplateDoc, root: Plain): string | undefined {
  const sections = root['sections'];
  if (!doc.inPieces || !Array.isArray(sections) || sections.length !== doc.sections.length) return undefined;
  const orderOf = createNameOrder(root);
  const order = listMemberNames('top');
  const changed: Replaced[] = [];
  for (const { name, from, to } of doc.entries) {
    const after = getOwn(root, name);
    const end = lineEnd(doc.text, to);
    const before = getOwn(doc.root, name);
    if (!isSameOpaque(before, after))
      changed.push({
        from,
        to: end,
        text:
          after === undefined
            ? ''
            : changeYaml(doc.text.slice(from, end), { [name]: before }, { [name]: after }, orderOf),
      });
  }
  for (const [name, value] of Object.entries(root)) {
    if (name === 'sections' || Object.hasOwn(doc.root, name)) continue;
    const earlier = order.slice(0, Math.max(0, order.indexOf(name)));
    const previous = doc.entries.findLast((entry) => earlier.includes(entry.name)) ?? doc.entries[0];
    if (previous === undefined) return undefined;
    const at = lineEnd(doc.text, previous.to);
    const text = changeYaml(`${name}: null\n`, { [name]: null }, { [name]: value }, orderOf);
    const isOpen = doc.text[at - 1] !== '\n';
    changed.push({ from: at, to: at, text: isOpen ? `\n${text ?? ''}` : text });
  }
  for (const [index, { source }] of doc.sections.entries()) {
    const after: unknown = sections[index];
    const place = doc.places[index];
    if (place === undefined || isSameOpaque(source, after)) continue;
    const [from, to] = [place.from, lineEnd(doc.text, place.to)];
    const piece = doc.text.slice(from, to);
    const indent = /^ */.exec(piece)?.[0] ?? '';
    const text = changeYaml(piece, [source], [after], (path) =>
      orderOf(['sections', index, ...path.slice(1)]),
    );
    changed.push({ from, to, text: text?.replace(/(^|\n)(?=[^\n])/g, `$1${indent}`) });
  }
  return replacedIn(doc.text, changed);
}
function replacedIn(text: string, changed: Replaced[]): string | undefined {
  let out = '';
  let at = 0;
  for (const { from, to, text: insert } of changed.sort((a, b) => a.from - b.from)) {
    if (insert === undefined || from < at) return undefined;
    out += text.slice(at, from) + insert;
    at = to;
  }
  return out + text.slice(at);
}
/** Returns the offset behind the line break that ends the line of an offset. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function rawSections(doc: TemplateDoc): readonly unknown[] {
  const sections = doc.root['sections'];
  return Array.isArray(sections) ? sections : [];
}
export function setSectionMember(
  doc: TemplateDoc,
  index: number,
  name: 'params' | 'value' | 'change' | 'optional' | 'clamp',
  value: unknown,
): Edited {
  const raw = doc.sections[index]?.raw;
  return raw === undefined
    ? undefined
    : bringTo(doc, { ...doc.root, sections: rawSections(doc).with(index, withMember(raw, name, value)) });
}

/** Gives an entry of the outermost level another value; undefined takes it away. */
export function setEntry(doc: TemplateDoc, name: string, value: unknown): Edited {
  return bringTo(doc, withMember(doc.root, name, value));
}
export function setKinds(doc: TemplateDoc, kinds: readonly DeviceKind[]): Edited {
  return setEntry(doc, 'appliesTo', kinds.length === 0 ? undefined : { kinds });
}

/** Puts the sections in another order, or others in their place, with the comments above them. */
function rearrange(
  doc: TemplateDoc,
  change: <T>(items: T[], made: (section: Plain) => T, copy: (item: T) => T) => T[],
): Edited {
  const root = {
    ...doc.root,
    sections: change<unknown>(
      [...rawSections(doc)],
      (section) => section,
      (item) => item,
    ),
  };
  /**
   * Arranges the sections. An alias may then come before its anchor, or lose it: `isWrittenOut` has values in
   * their place.
   */
  const arranged = (isWrittenOut: boolean): Edited => {
    const text = editYaml(doc.text, (top, editor) => {
      const seq = editor.pairNamed(top, 'sections')?.value as YAMLSeq | null | undefined;
      if (seq?.items === undefined) return undefined;
      if (isWrittenOut)
        seq.items = (seq.items as Node[]).map((item, index) =>
          hasLinks(item) ? editor.nodeOf(doc.sections[index]?.source) : item,
        );
      arrange(seq, (items) =>
        change(
          items,
          (section) => editor.nodeOf(section),
          (item) => item.clone() as Node,
        ),
      );
      return top;
    });
    const made = text === undefined ? undefined : doc.reread(text);
    return made !== undefined && isSameOpaque(made.root, root) ? made : undefined;
  };
  return arranged(false) ?? arranged(true) ?? bringTo(doc, root);
}
export function moveSection(doc: TemplateDoc, from: number, to: number): Edited {
  if (to < 0 || to >= doc.sections.length || from === to) return undefined;
  return rearrange(doc, (items) => {
    items.splice(to, 0, ...items.splice(from, 1));
    return items;
  });
}
export function removeSection(doc: TemplateDoc, index: number): Edited {
  return rearrange(doc, (items) => items.toSpliced(index, 1));
}
export function buildDuplicateEdit(doc: TemplateDoc, index: number): Edited {
  return rearrange(doc, (items, _made, copy) =>
    items.flatMap((item, at) => (at === index ? [item, copy(item)] : item)),
  );
}
/** Adds sections as the last ones. */
export function addSections(doc: TemplateDoc, sections: readonly Plain[]): Edited {
  return rearrange(doc, (items, made) => [...items, ...sections.map(made)]);
}

/** Creates a section for a resource: with the parameters of earlier sections, else the first channel. */
export function createSection(doc: TemplateDoc, set: string): Plain {
  const resource = findResource(set);
  const params = (resource?.put.params ?? []).map((param) => {
    const used = doc.sections.findLast((section) => Object.hasOwn(section.params, param.name))?.params[
      param.name
    ];
    return [param.name, used ?? getUsualParam(param)];
  });
  return {
    set,
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    value: resource?.put.request.rootItem === undefined ? {} : [],
  };
}

/** Places that name the variable: section by number, and the path inside the section. */
export function findVariableUses(
  doc: TemplateDoc,
  name: string,
): readonly { readonly section: number; readonly path: string }[] {
  return doc.sections.flatMap((section) =>
    (['params', 'value', 'change'] as const).flatMap((member) => {
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

/** Returns the sections with what `change` makes of every text that names the variable. */
function withTexts(doc: TemplateDoc, name: string, change: (text: string) => unknown): readonly unknown[] {
  const used = new Set(findVariableUses(doc, name).map((use) => use.section));
  const changed = (members: unknown): unknown =>
    mapLeaves(members, (leaf) => (typeof leaf === 'string' ? change(leaf) : leaf));
  return rawSections(doc).map((raw, index) =>
    used.has(index) && isPlain(raw)
      ? {
          ...raw,
          ...(raw['params'] !== undefined && { params: changed(raw['params']) }),
          ...(raw['value'] !== undefined && { value: changed(raw['value']) }),
          ...(raw['change'] !== undefined && { change: changed(raw['change']) }),
        }
      : raw,
  );
}
/** Escapes stay as they are written: `$${name}` names no variable. */
function replacedName(text: string, name: string, by: string): string {
  return text.replace(/(\$)?\$\{([^}]*)\}/g, (whole, escape: string | undefined, inner: string) =>
    escape === undefined && inner.trim() === name ? by : whole,
  );
}
export function renameVariable(doc: TemplateDoc, from: string, to: string): Edited {
  const used = bringTo(doc, {
    ...doc.root,
    sections: withTexts(doc, from, (text) => replacedName(text, from, `\${${to}}`)),
  });
  if (used === undefined) return undefined;
  const { text } = used;
  const entry = used.entries.find(({ name }) => name === 'variables') ?? { from: 0, to: text.length };
  const end = lineEnd(text, entry.to);
  const renamed = editYaml(text.slice(entry.from, end), (top, editor) => {
    const pair = editor.pairNamed(editor.pairNamed(top, 'variables')?.value, from);
    if (pair === undefined) return undefined;
    editor.rename(pair, to);
    return top;
  });
  return renamed === undefined
    ? undefined
    : used.reread(text.slice(0, entry.from) + renamed + text.slice(end));
}

function withVariable(doc: TemplateDoc, name: string, declaration: Plain | undefined): Plain {
  const declared = getOwn(doc.root, 'variables');
  const next = withMember(isPlain(declared) ? declared : {}, name, declaration);
  return withMember(doc.root, 'variables', Object.keys(next).length === 0 ? undefined : next);
}
export function setVariable(doc: TemplateDoc, name: string, declaration: Plain): Edited {
  return bringTo(doc, withVariable(doc, name, declaration));
}
/**
 * Removes a variable and puts its default wherever it was the whole value. Returns undefined if that is
 * impossible.
 */
export function dropVariable(doc: TemplateDoc, name: string): Edited {
  const fallback = doc.variables.find((variable) => variable.name === name)?.raw['default'];
  if (fallback === undefined && findVariableUses(doc, name).length > 0) return undefined;
  return bringTo(doc, {
    ...withVariable(doc, name, undefined),
    sections: withTexts(doc, name, (text) =>
      findWholeVariable(text) === name ? fallback : replacedName(text, name, String(fallback)),
    ),
  });
}
