/** The `sections` of a template: what they set, with which parameters, to which values. */
import { isForbidden } from '#engine/files/policy.ts';
import {
  findOperation,
  findResource,
  appendKey,
  mapLeaves,
  findNearestName,
  joinPath,
  resources,
  type Constraints,
  type Resource,
  type Plain,
} from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { checkNames, readFlagMember, readObjectMember } from './check-names.ts';
import { checkParamNames, coerceParam, checkParamFit } from './check-params.ts';
import { checkValue } from './check-value.ts';
import type { TemplateSection, VariableDeclaration } from '../document.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { readListChanges, type ListChange } from '#template/list-change.ts';
import { findWholeVariable } from '#template/placeholder.ts';
import type { Problems } from './problems.ts';
import { isObject, describeKind, type SourceTree } from '#template/source-tree.ts';
import { substitute } from '../values/substitute.ts';

interface Context {
  readonly tree: SourceTree;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  /** Also those whose declaration has an error. */
  readonly declared: ReadonlySet<string>;
  readonly problems: Problems;
  /** Limits a device reports, by capability operation. */
  readonly limits?: LimitsOf;
}

export type LimitsOf = (capability: string) => Constraints | undefined;

/** The sections that could be understood. */
export function checkSections(root: Plain, context: Context): readonly TemplateSection[] {
  const { problems } = context;
  const sections = root['sections'];
  if (sections === undefined || (Array.isArray(sections) && sections.length === 0))
    problems.add('missing-field', 'sections', createDetail('needs-sections'), { atKey: true });
  else if (!Array.isArray(sections))
    problems.add(
      'wrong-type',
      'sections',
      createDetail('takes', { name: 'sections', takes: 'a list', given: describeKind(sections) }),
    );
  else if (sections.length > TEMPLATE_LIMITS.sections)
    problems.add(
      'input-too-large',
      'sections',
      createDetail('too-many-sections', { max: TEMPLATE_LIMITS.sections }),
    );
  else {
    const understood = sections.flatMap(
      (section: unknown, index) => checkSection(section, index, context) ?? [],
    );
    checkEmpty(understood, context);
    checkDuplicates(understood, context);
    return understood;
  }
  return [];
}

function checkSection(section: unknown, index: number, context: Context): TemplateSection | undefined {
  const { problems } = context;
  const path = `sections[${index}]`;
  if (!isObject(section)) {
    problems.add('wrong-type', path, createDetail('section-not-an-object', { given: describeKind(section) }));
    return undefined;
  }

  checkNames(section, 'section', { path, problems });
  checkPlaceholders(section, path, context);
  const optional = readFlagMember(section, 'optional', { path, problems });
  const clamp = readFlagMember(section, 'clamp', { path, problems });
  const params = readObjectMember(section, 'params', { path, problems });
  const resource = checkSet(section, path, problems);
  if (resource === undefined) return undefined;

  if (params !== undefined) checkParams(params, resource, path, context);
  const { value, lists } = readChange(section, resource, path, problems);
  checkSectionValue({ section, value, lists }, resource, path, context, clamp);
  return {
    index,
    set: resource.name,
    resource,
    params: params ?? {},
    value,
    change: lists,
    optional,
    clamp,
  };
}

/** The resource named by `set`; knows the two usual slips: an operation id, and a name that can only be read. */
function checkSet(section: Plain, path: string, problems: Problems): Resource | undefined {
  const set = section['set'];
  const at = `${path}.set`;
  if (set === undefined)
    problems.add('missing-field', path, createDetail('needs-set', { example: 'thermal.thermometryBasic' }));
  else if (typeof set !== 'string')
    problems.add(
      'wrong-type',
      at,
      createDetail('takes', { name: 'set', takes: 'a name', given: describeKind(set) }),
    );
  else {
    const resource = findResource(set);
    if (resource !== undefined && isForbidden(set))
      problems.add('not-allowed', at, createDetail('policy-section', { set }));
    if (resource !== undefined) return resource;
    const bare = set.replace(/\.(get|put)$/, '');
    if (bare !== set && findResource(bare) !== undefined) {
      problems.add(
        'unknown-section',
        at,
        createDetail('drop-suffix', { set, suffix: set.slice(bare.length) }),
        {
          nearest: bare,
        },
      );
    } else if (
      findOperation(set) !== undefined ||
      findOperation(`${set}.get`) !== undefined ||
      findOperation(`${set}.put`) !== undefined
    ) {
      problems.add('unknown-section', at, createDetail('not-a-setting', { set }));
    } else {
      const nearest = findNearestName(
        set,
        resources.map((resource) => resource.name),
      );
      problems.add('unknown-section', at, createDetail('unknown-section', { set }), { nearest });
    }
  }
  return undefined;
}

function checkParams(params: Plain, resource: Resource, path: string, context: Context): void {
  const { problems, variables } = context;
  checkParamNames(params, resource.put.params, { path, set: resource.name, problems });
  for (const param of resource.put.params) {
    const raw = params[param.name];
    if (raw === undefined) continue;
    const at = appendKey(`${path}.params`, param.name);
    const name = typeof raw === 'string' ? findWholeVariable(raw) : undefined;
    const variable = name === undefined ? undefined : variables.get(name);
    if (name !== undefined && variable === undefined) continue;
    const complaint = variable === undefined ? undefined : checkParamFit(param, variable);
    if (complaint !== undefined) {
      problems.add(complaint.code, at, complaint.detail);
      continue;
    }
    const value = substitute(
      raw,
      '',
      (inner) => variables.get(inner)?.default ?? (param.type === 'int' ? (param.min ?? 1) : 'x'),
    );
    const coerced = coerceParam(param, value);
    if ('code' in coerced) problems.add(coerced.code, at, coerced.detail);
  }
}

/** The value of a section with the items of the lists that it changes in part. */
interface ReadValue {
  readonly section: Plain;
  readonly value: unknown;
  readonly lists: readonly ListChange[];
}

function readChange(
  section: Plain,
  { put }: Resource,
  path: string,
  problems: Problems,
): Pick<ReadValue, 'value' | 'lists'> {
  const { value, change } = section;
  if (change === undefined) return { value, lists: [] };
  return readListChanges(put.request, change, value, (inner, { code, detail, ...more }) =>
    problems.add(code, joinPath(`${path}.change`, inner), detail, more),
  );
}

function checkSectionValue(
  { section, value, lists }: ReadValue,
  resource: Resource,
  path: string,
  context: Context,
  clamp: boolean,
): void {
  const { problems, tree } = context;
  const at = `${path}.value`;
  const payload = resource.put.request;
  // A `change` from which nothing could be read has its complaints already.
  if (value === undefined && section['change'] !== undefined) return;
  if (value === undefined || (value === null && tree.empty.has(at))) {
    problems.add('missing-field', value === undefined ? path : at, createDetail('needs-value'));
    return;
  }
  const wantsList = payload.rootItem !== undefined;
  if (wantsList ? !Array.isArray(value) : !isObject(value)) {
    problems.add(
      'wrong-type',
      at,
      createDetail('value-shape', {
        set: resource.name,
        takes: wantsList ? 'a list' : 'an object',
        given: describeKind(value),
      }),
    );
    return;
  }
  const constraints =
    resource.capability === undefined ? undefined : context.limits?.(resource.capability.id);
  checkValue(value, {
    payload,
    section: path,
    lists,
    operation: resource.put.id,
    variables: context.variables,
    problems,
    ...(constraints === undefined ? {} : { constraints, clamp }),
  });
}

const VALUE_OF = /^sections\[(\d+)\]\.(?:value|change)[.[]/;

/** Settings with nothing behind their name. */
function checkEmpty(sections: readonly TemplateSection[], { problems, tree }: Context): void {
  const indexes = new Set(sections.map(({ index }) => index));
  for (const empty of tree.empty) {
    const index = VALUE_OF.exec(empty)?.[1];
    if (index !== undefined && indexes.has(Number(index)))
      problems.add('missing-field', empty, createDetail('empty-value'), { atKey: true });
  }
}

/** Variables that are not declared, and `${…}` that is no variable. */
function checkPlaceholders(section: Plain, path: string, context: Context): void {
  const { problems, declared } = context;
  for (const member of ['params', 'value', 'change'] as const) {
    substitute(
      section[member],
      `${path}.${member}`,
      (name, at) => {
        if (declared.has(name) || problems.isFull) return '';
        const nearest = findNearestName(name, declared);
        problems.add('undefined-variable', at, createDetail('undeclared-variable', { name }), { nearest });
        return '';
      },
      (text, at) => {
        problems.add('invalid-template', at, createDetail('no-placeholder', { text }));
      },
    );
  }
  for (const member of ['set', 'optional', 'clamp'] as const) {
    mapLeaves(
      section[member],
      (text, at) => {
        if (typeof text === 'string' && text.includes('${'))
          problems.add('invalid-template', at, createDetail('no-variables-here', { name: member }));
      },
      `${path}.${member}`,
    );
  }
}

/** Two sections that set the same thing with the same parameters: one of them would be lost. */
function checkDuplicates(sections: readonly TemplateSection[], { problems, tree }: Context): void {
  const seen = new Map<string, TemplateSection>();
  for (const section of sections) {
    const key = `${section.set} ${encodeCanonicalJson(section.params)}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, section);
    else {
      const line = tree.values.get(`sections[${first.index}].set`)?.line;
      problems.add(
        'duplicate-section',
        `sections[${section.index}].set`,
        createDetail('set-twice', { set: section.set, line: line ?? '?' }),
      );
    }
  }
}
