/** The `variables` of a template: names, types, limits and defaults that fit them. */
import { createDetail } from '#shared/details.ts';
import type { VariableDeclaration } from '../document.ts';
import { checkNames, readObjectMember, readTextMember } from './check-names.ts';
import { hasMember, VARIABLE_TYPES } from '#template/grammar.ts';
import { TEMPLATE_LIMITS } from '#template/limits.ts';
import { PatternWork, TEMPLATE_STEPS } from '../pattern.ts';
import { VARIABLE_NAME } from '#template/placeholder.ts';
import type { Problems } from './problems.ts';
import { isObject, describeKind } from '#template/source-tree.ts';
import { coerceVariable } from '../values/variable-value.ts';
import { appendKey, findNearestName, type Plain } from '#protocol/index.ts';

/** The declared variables that could be understood. */
export function checkVariables(root: Plain, problems: Problems): readonly VariableDeclaration[] {
  const declared = readObjectMember(root, 'variables', { path: '', problems }) ?? {};
  const names = Object.keys(declared);
  if (names.length > TEMPLATE_LIMITS.variables) {
    problems.add(
      'input-too-large',
      'variables',
      createDetail('too-many-variables', { max: TEMPLATE_LIMITS.variables }),
    );
    return [];
  }
  const context = { problems, patterns: new PatternWork(TEMPLATE_STEPS) };
  return names.flatMap((name) => checkVariable(name, declared[name], context) ?? []);
}

interface Context {
  readonly problems: Problems;
  readonly patterns: PatternWork;
}

function checkVariable(name: string, raw: unknown, context: Context): VariableDeclaration | undefined {
  const { problems } = context;
  const path = appendKey('variables', name);
  if (!VARIABLE_NAME.test(name)) {
    problems.add('invalid-template', path, createDetail('variable-name', { name }), { atKey: true });
    return undefined;
  }
  if (!isObject(raw)) {
    problems.add('wrong-type', path, createDetail('variable-not-an-object', { given: describeKind(raw) }), {
      hint: `${name}: { type: string }`,
    });
    return undefined;
  }

  checkNames(raw, 'variable', { path, problems });
  const type = variableType(raw, path, problems);
  if (type === undefined) return undefined;
  const declaration = {
    name,
    type,
    ...limits(raw, type, path, problems),
    ...optionsOf(raw, type, path, context),
    ...patternOf(raw, type, path, context),
    ...descriptionOf(raw, path, problems),
    required: raw['default'] === undefined,
  };
  return { ...declaration, ...defaultOf(raw, declaration, path, context) };
}

function variableType(raw: Plain, path: string, problems: Problems): VariableDeclaration['type'] | undefined {
  const type = raw['type'];
  const known = VARIABLE_TYPES.find((candidate) => candidate === type);
  if (known !== undefined) return known;
  if (type === undefined)
    problems.add(
      'missing-field',
      path,
      createDetail('variable-needs-type', { options: VARIABLE_TYPES.join(', ') }),
    );
  else {
    const nearest = typeof type === 'string' ? findNearestName(type, VARIABLE_TYPES) : undefined;
    problems.add(
      'not-allowed',
      `${path}.type`,
      createDetail('variable-type', { options: VARIABLE_TYPES.join(', ') }),
      { nearest },
    );
  }
  return undefined;
}

function limits(
  raw: Plain,
  type: VariableDeclaration['type'],
  path: string,
  problems: Problems,
): { readonly min?: number; readonly max?: number } {
  const result: { min?: number; max?: number } = {};
  for (const name of ['min', 'max'] as const) {
    const limit = raw[name];
    if (limit === undefined) continue;
    if (!hasMember(type, name))
      problems.add('not-allowed', `${path}.${name}`, createDetail('limit-without-number', { name, type }), {
        atKey: true,
      });
    else if (typeof limit !== 'number' || (type === 'integer' && !Number.isInteger(limit)))
      problems.add(
        'wrong-type',
        `${path}.${name}`,
        createDetail('takes', {
          name,
          takes: type === 'integer' ? 'a whole number' : 'a number',
          given: describeKind(limit),
        }),
      );
    else result[name] = limit;
  }
  if (result.min !== undefined && result.max !== undefined && result.min > result.max) {
    problems.add(
      'out-of-range',
      `${path}.max`,
      createDetail('limits-upside-down', { max: result.max, min: result.min }),
    );
    return {};
  }
  return result;
}

function optionsOf(
  raw: Plain,
  type: VariableDeclaration['type'],
  path: string,
  { problems, patterns }: Context,
): { readonly options?: readonly unknown[] } {
  const name = raw['options'] === undefined ? 'enum' : 'options';
  const options = raw[name];
  if (options === undefined) return {};
  if (name === 'options' && raw['enum'] !== undefined)
    problems.add('not-allowed', `${path}.enum`, createDetail('options-twice'), { atKey: true });
  if (!hasMember(type, name))
    problems.add('not-allowed', `${path}.${name}`, createDetail('type-has-no', { type, name }), {
      atKey: true,
    });
  else if (!Array.isArray(options) || options.length === 0)
    problems.add('wrong-type', `${path}.${name}`, createDetail('takes-values', { name }));
  else if (options.length > TEMPLATE_LIMITS.options)
    problems.add(
      'input-too-large',
      `${path}.${name}`,
      createDetail('too-many-options', { max: TEMPLATE_LIMITS.options }),
    );
  else {
    options.forEach((option: unknown, index) => {
      const fits = coerceVariable({ name: 'option', type, required: true }, option, {
        fromText: false,
        patterns,
      });
      if (!fits.ok)
        problems.add(
          'wrong-type',
          `${path}.${name}[${index}]`,
          createDetail('option-type', { type, given: describeKind(option) }),
        );
    });
    return { options };
  }
  return {};
}

function patternOf(
  raw: Plain,
  type: VariableDeclaration['type'],
  path: string,
  { problems, patterns }: Context,
): { readonly pattern?: string } {
  const pattern = readTextMember(raw, 'variable', 'pattern', { path, problems });
  if (pattern === undefined) return {};
  const complaint = hasMember(type, 'pattern')
    ? patterns.complaint(pattern)
    : createDetail('pattern-without-text', { type });
  if (complaint === undefined) return { pattern };
  problems.add('not-allowed', `${path}.pattern`, complaint, {
    atKey: complaint.id === 'pattern-without-text',
  });
  return {};
}

function descriptionOf(raw: Plain, path: string, problems: Problems): { readonly description?: string } {
  const description = readTextMember(raw, 'variable', 'description', { path, problems });
  return description === undefined ? {} : { description };
}

function defaultOf(
  raw: Plain,
  declaration: VariableDeclaration,
  path: string,
  { problems, patterns }: Context,
): { readonly default?: unknown } {
  const value = raw['default'];
  if (value === undefined) return {};
  if (!hasMember(declaration.type, 'default')) {
    problems.add('not-allowed', `${path}.default`, createDetail('secret-default'), { atKey: true });
    return {};
  }
  const fits = coerceVariable(declaration, value, { fromText: false, patterns });
  if (!fits.ok) problems.add(fits.code, `${path}.default`, fits.detail);
  return { default: value };
}
