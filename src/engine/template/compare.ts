/** Compares two templates, in the words of the definitions. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  computeChanges,
  findField,
  getValueAt,
  mapLeaves,
  readPartKey,
  rootField,
  type Payload,
} from '#protocol/index.ts';
import type { TemplateComparison } from '#shared/template/authoring.ts';
import type { Change, Params, TemplateVariable } from '#shared/model.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import type { TemplateDocument, TemplateSection, VariableDeclaration } from './document.ts';
import { parseTemplate } from './parse-template.ts';
import { combineErrors } from './check/problems.ts';

type ComparedSection = TemplateComparison['sections'][number];
type ComparedVariable = TemplateComparison['variables'][number];
type Pair = { readonly before?: TemplateSection; readonly after?: TemplateSection };

/** Both texts have to be readable, with or without errors in them; throws `invalid-template` and what else is wrong with a text that is not. */
export function compareTemplates(before: string, after: string): TemplateComparison {
  const [old, now] = [readable(before), readable(after)];
  return {
    sections: pairs(old.sections, now.sections).map(compareSections),
    variables: compareVariables(old.variables, now.variables),
    other: compareRest(old, now),
  };
}

function readable(text: string): TemplateDocument {
  const { readable: document, errors } = parseTemplate(text);
  if (document === undefined) throw combineErrors(errors);
  return document;
}

/** Sections of the same name and parameters; then those of one name that are alone on both sides: their parameters changed. In the order after. */
function pairs(before: readonly TemplateSection[], after: readonly TemplateSection[]): readonly Pair[] {
  const left = new Map(before.map((section) => [keyOf(section), section]));
  const paired = after.map((section): { before?: TemplateSection; after: TemplateSection } => {
    const same = left.get(keyOf(section));
    if (same === undefined) return { after: section };
    left.delete(keyOf(section));
    return { before: same, after: section };
  });
  for (const pair of paired) {
    if (pair.before !== undefined) continue;
    const gone = [...left.values()].filter(({ set }) => set === pair.after.set);
    const fresh = paired.filter((other) => other.before === undefined && other.after.set === pair.after.set);
    const [only] = gone;
    if (only === undefined || gone.length > 1 || fresh.length > 1) continue;
    pair.before = only;
    left.delete(keyOf(only));
  }
  return [...paired, ...[...left.values()].map((section) => ({ before: section }))];
}

function keyOf({ set, params }: TemplateSection): string {
  return `${set} ${encodeCanonicalJson(params)}`;
}

function compareSections({ before, after }: Pair): ComparedSection {
  const section = after ?? before;
  if (section === undefined) throw new Error('a pair of nothing');
  const changes = changesOf(before, after, section.resource.put.request);
  const state =
    before === undefined
      ? 'added'
      : after === undefined
        ? 'removed'
        : changes.length > 0
          ? 'changed'
          : 'same';
  return {
    set: section.set,
    label: section.resource.get.label,
    params: shownParams(section),
    state,
    changes,
  };
}

/** Returns parameters as written: placeholders are kept. */
function shownParams({ params }: TemplateSection): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? value : String(value)]),
  );
}

function changesOf(
  before: TemplateSection | undefined,
  after: TemplateSection | undefined,
  payload: Payload,
): readonly Change[] {
  const values = computeChanges(payload, withMarks(before?.value), withMarks(after?.value), {
    scope: 'patch',
  }).map(withoutMarks);
  if (before === undefined || after === undefined) return values;
  const names = after.resource.put.params.filter(
    ({ name }) => encodeCanonicalJson(before.params[name]) !== encodeCanonicalJson(after.params[name]),
  );
  return [
    ...names.map(({ name, label }) =>
      changed(`params.${name}`, label, before.params[name], after.params[name]),
    ),
    ...(before.optional === after.optional
      ? []
      : [changed('optional', 'Optional', before.optional, after.optional)]),
    ...(before.clamp === after.clamp
      ? []
      : [changed('clamp', 'Numbers moved into the limits of the device', before.clamp, after.clamp)]),
    ...(encodeCanonicalJson(before.change) === encodeCanonicalJson(after.change)
      ? []
      : [changed('change', 'Changed in part', describeParts(before), describeParts(after))]),
    ...values,
  ];
}

/** Returns the lists that a section changes in part, with the keys that it removes; undefined if it changes none so. */
function describeParts({ resource, value, change }: TemplateSection): string | undefined {
  const lists = change.map(({ path, missing, removed }) => {
    const list = path === '' ? rootField(resource.put.request) : findField(resource.put.request, path);
    const items = getValueAt(value, path);
    const gone = removed.map((at) =>
      list?.kind === 'list' && Array.isArray(items) ? `-${readPartKey(list, items[at]) ?? at}` : '',
    );
    return [path || resource.name, ...gone, ...(missing === 'refuse' ? ['missing: refuse'] : [])].join(' ');
  });
  return lists.length === 0 ? undefined : lists.join(', ');
}

function changed(path: string, label: string, from: unknown, to: unknown): Change {
  return { path, label, ...removeUndefined({ from, to }) };
}

/** A `null` removes a field on the device, which is not the same as not naming it: `diff` knows devices only, where it is. */
const REMOVES = '\u0000null';

function withMarks(value: unknown): unknown {
  return mapLeaves(value, (leaf) => (leaf === null ? REMOVES : leaf));
}

function withoutMarks(change: Change): Change {
  return {
    ...change,
    ...('from' in change && { from: unmarked(change.from) }),
    ...('to' in change && { to: unmarked(change.to) }),
    ...(change.list !== undefined && { list: unmarked(change.list) as Change['list'] }),
  };
}

function unmarked(value: unknown): unknown {
  return mapLeaves(value, (leaf) => (leaf === REMOVES ? null : leaf));
}

function compareVariables(
  before: readonly VariableDeclaration[],
  after: readonly VariableDeclaration[],
): readonly ComparedVariable[] {
  const old = new Map(before.map((variable) => [variable.name, variable]));
  const compared = after.flatMap((variable): ComparedVariable[] => {
    const known = old.get(variable.name);
    old.delete(variable.name);
    if (known === undefined) return [{ name: variable.name, state: 'added', after: shownVariable(variable) }];
    if (encodeCanonicalJson(known) === encodeCanonicalJson(variable)) return [];
    return [
      { name: variable.name, state: 'changed', before: shownVariable(known), after: shownVariable(variable) },
    ];
  });
  return [
    ...compared,
    ...[...old.values()].map((variable): ComparedVariable => ({
      name: variable.name,
      state: 'removed',
      before: shownVariable(variable),
    })),
  ];
}

function shownVariable({ pattern: _pattern, ...variable }: VariableDeclaration): TemplateVariable {
  return variable;
}

function compareRest(before: TemplateDocument, after: TemplateDocument): TemplateComparison['other'] {
  const [oldOrder, newOrder] = [commonOrder(before, after), commonOrder(after, before)];
  const rest = [
    { path: 'name', before: before.name, after: after.name },
    { path: 'description', before: before.description, after: after.description },
    { path: 'appliesTo.kinds', before: before.kinds, after: after.kinds },
    // Sections are written in their order.
    { path: 'sections', before: oldOrder, after: newOrder },
  ];
  return rest
    .filter((one) => encodeCanonicalJson(one.before) !== encodeCanonicalJson(one.after))
    .map(({ path, ...values }) => ({
      path,
      before: values.before,
      after: values.after,
    }));
}

/** The sections that both have, in the order of the first. */
function commonOrder(of: TemplateDocument, and: TemplateDocument): readonly string[] {
  const shared = new Set(and.sections.map(keyOf));
  return of.sections
    .filter((section) => shared.has(keyOf(section)))
    .map(({ set, params }) =>
      Object.keys(params).length === 0 ? set : `${set} ${encodeCanonicalJson(params)}`,
    );
}
