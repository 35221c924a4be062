/** A checked template with the values of one device in place of its variables. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import {
  listControllerPaths,
  findField,
  resolveUnit,
  joinPath,
  findNearestName,
  getParentPath,
  validate,
  type Payload,
} from '#protocol/index.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import type { Params } from '#shared/model.ts';
import { encodeCanonicalJson } from '#engine/text/canonical-json.ts';
import { coerceParam } from '../check/check-params.ts';
import type { ResolvedSection, TemplateDocument, TemplateSection, VariableDeclaration } from '../document.ts';
import { issueText } from '../check/issues.ts';
import { PatternWork, TEMPLATE_STEPS } from '../pattern.ts';
import { describeProblem } from '../check/problems.ts';
import { checkListKeys, isAboutWholeList, locateInSection } from '#template/list-change.ts';
import type { Position } from '#template/read-yaml.ts';
import { substitute } from './substitute.ts';
import { coerceVariable } from './variable-value.ts';
import { fitVariable } from './variable-fit.ts';

interface ResolveInput {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** False at planning: a secret that is not given yet is only asked for before sending. */
  readonly needSecrets: boolean;
  /** Named in the errors. */
  readonly device?: string;
}

export type Resolved =
  | {
      readonly ok: true;
      readonly sections: readonly ResolvedSection[];
      /** Values without secrets. */
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly errors: readonly ErrorShape[] };

type Values = ReadonlyMap<string, string | number | boolean>;

/**
 * Fills in defaults, values and secrets; text is converted strictly to the declared type. All errors are
 * collected: unknown or missing variables, wrong types, values that the specification does not allow in place
 * of the variable, and two sections that set the same thing.
 */
export function resolveTemplate(document: TemplateDocument, input: ResolveInput): Resolved {
  const errors = new Errors(document, input.device);
  const values = readValues(document, input, errors);
  if (errors.list.length > 0) return { ok: false, errors: errors.list };

  const sections = document.sections.map((section) => resolveSection(section, { document, values, errors }));
  checkDuplicates(sections, errors);
  if (errors.list.length > 0) return { ok: false, errors: errors.list };
  const plain = document.variables.filter(
    (variable) => variable.type !== 'secret' && values.has(variable.name),
  );
  return {
    ok: true,
    sections,
    values: Object.fromEntries(plain.map(({ name }) => [name, values.get(name)])),
  };
}

/** Errors of one device, placed in the template's file. */
class Errors {
  readonly list: ErrorShape[] = [];
  readonly #document: TemplateDocument;
  readonly #device: string | undefined;

  constructor(document: TemplateDocument, device: string | undefined) {
    this.#document = document;
    this.#device = device;
  }

  add(
    code: ErrorShape['code'],
    detail: Detail,
    extra: { readonly path?: string; readonly nearest?: string | undefined; readonly hint?: string } = {},
  ): void {
    this.addShape({ code, ...describeProblem(detail, extra.nearest) }, extra);
  }

  /** One that has its words already. */
  addShape(
    shape: Pick<ErrorShape, 'code' | 'message' | 'hint' | 'detail' | 'nearest' | 'allowed'>,
    extra: {
      readonly path?: string;
      readonly nearest?: string | undefined;
      readonly hint?: string;
      readonly operation?: string;
    },
  ): void {
    const place = extra.path === undefined ? undefined : this.#locate(extra.path);
    const file =
      place !== undefined && this.#document.file !== undefined ? { file: this.#document.file } : {};
    this.list.push({
      source: 'user',
      ...shape,
      ...Object.fromEntries(Object.entries(extra).filter(([, item]) => item !== undefined)),
      ...removeUndefined({ device: this.#device }),
      ...file,
      ...place,
    });
  }

  #locate(path: string): Position | undefined {
    for (let at = path; at !== ''; at = getParentPath(at)) {
      const place = this.#document.tree.values.get(at);
      if (place !== undefined) return place;
    }
    return undefined;
  }
}

function readValues(document: TemplateDocument, input: ResolveInput, errors: Errors): Values {
  const names = document.variables.map((variable) => variable.name);
  for (const name of [...Object.keys(input.values), ...Object.keys(input.secrets)]) {
    if (names.includes(name)) continue;
    const nearest = findNearestName(name, names);
    const detail =
      names.length === 0
        ? createDetail('no-variables', { name })
        : createDetail('other-variables', { name, names: names.join(', ') });
    errors.add('undefined-variable', detail, { nearest });
  }

  const values = new Map<string, string | number | boolean>();
  const patterns = new PatternWork(TEMPLATE_STEPS);
  for (const variable of document.variables) {
    const raw = rawValue(variable, input, errors);
    if (raw === undefined) continue;
    const coerced = coerceVariable(variable, raw, { fromText: true, patterns });
    if (coerced.ok) values.set(variable.name, coerced.value);
    else errors.add(coerced.code, coerced.detail, { path: `variables.${variable.name}` });
  }
  return values;
}

function rawValue(variable: VariableDeclaration, input: ResolveInput, errors: Errors): unknown {
  const { name } = variable;
  if (variable.type === 'secret') {
    if (Object.hasOwn(input.values, name))
      errors.add('not-allowed', createDetail('secret-with-values', { name }));
    else if (Object.hasOwn(input.secrets, name)) return input.secrets[name];
    else if (input.needSecrets)
      errors.add('undefined-variable', createDetail('secret-needed', { name }), {
        path: `variables.${name}`,
      });
    return undefined;
  }
  if (Object.hasOwn(input.secrets, name)) errors.add('not-allowed', createDetail('no-secret', { name }));
  const given = Object.hasOwn(input.values, name) ? input.values[name] : undefined;
  const raw = given ?? variable.default;
  if (raw === undefined)
    errors.add('undefined-variable', createDetail('variable-without-value', { name }), {
      path: `variables.${name}`,
      hint: variable.description,
    });
  return raw;
}

interface SectionContext {
  readonly document: TemplateDocument;
  readonly values: Values;
  readonly errors: Errors;
}

function resolveSection(section: TemplateSection, context: SectionContext): ResolvedSection {
  const { resource } = section;
  const open = new Set<string>();
  const payload = resource.put.request;
  const value = substitute(section.value, '', (name, path) => {
    const given = context.values.get(name);
    if (given !== undefined) return given;
    open.add(path);
    return standInFor(name, path, payload, context.document);
  });
  checkResolved(value, payload, section, open, context);
  return {
    ...(section.change.length > 0 && { change: section.change }),
    index: section.index,
    set: section.set,
    resource,
    params: resolveParams(section, context),
    value,
    optional: section.optional,
    clamp: section.clamp,
    open,
  };
}

/** A text of the field's own form where the secret is still to be given. */
function standInFor(name: string, path: string, payload: Payload, document: TemplateDocument): unknown {
  const field = findField(payload, path);
  const variable = document.variables.find((candidate) => candidate.name === name);
  const fit =
    field === undefined || variable === undefined
      ? undefined
      : fitVariable(variable, resolveUnit(field, {}, 'patch'));
  return fit?.ok === true ? fit.standIn : '';
}

function checkResolved(
  value: unknown,
  payload: Payload,
  section: TemplateSection,
  open: ReadonlySet<string>,
  context: SectionContext,
): void {
  const locate = (path: string): string =>
    joinPath(`sections[${section.index}]`, locateInSection(section.change, path));
  for (const list of section.change)
    checkListKeys(payload, value, list, ({ code, detail, path }) =>
      context.errors.add(code, detail, { path: locate(path) }),
    );
  for (const issue of validate(payload, value, { mode: 'patch' })) {
    if (
      open.has(issue.path) ||
      listControllerPaths(payload, issue.path).some((controller) => open.has(controller)) ||
      isAboutWholeList(issue, section.change)
    )
      continue;
    context.errors.addShape(
      { code: issue.code, ...issueText(payload, issue) },
      {
        path: locate(issue.path),
        operation: section.resource.put.id,
      },
    );
  }
}

function resolveParams(section: TemplateSection, context: SectionContext): Params {
  const params: Record<string, string | number> = {};
  for (const param of section.resource.put.params) {
    const raw = section.params[param.name] ?? param.default;
    if (raw === undefined) continue;
    const value = substitute(raw, '', (name) => context.values.get(name));
    const coerced = coerceParam(param, value);
    if ('value' in coerced) params[param.name] = coerced.value;
    else
      context.errors.add(coerced.code, coerced.detail, {
        path: `sections[${section.index}].params.${param.name}`,
      });
  }
  return params;
}

function checkDuplicates(sections: readonly ResolvedSection[], errors: Errors): void {
  const seen = new Map<string, number>();
  for (const section of sections) {
    const key = `${section.set} ${encodeCanonicalJson(section.params)}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, section.index);
    else
      errors.add(
        'duplicate-section',
        createDetail('set-twice-with-values', {
          set: section.set,
          first: first + 1,
          second: section.index + 1,
        }),
        { path: `sections[${section.index}].set` },
      );
  }
}
