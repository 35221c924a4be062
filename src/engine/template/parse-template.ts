/** Text of a template to a checked document, or to everything that is wrong with it. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { appendKey, findNearestName, type Plain } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { DEVICE_KINDS, type DeviceKind, type TemplateSummary } from '#shared/model.ts';
import { checkNames, readObjectMember, readTextMember } from './check/check-names.ts';
import { checkSections, type LimitsOf } from './check/check-sections.ts';
import { checkVariables } from './check/check-variables.ts';
import { TEMPLATE_FORMAT } from '#template/grammar.ts';
import type { TemplateDocument, VariableDeclaration } from './document.ts';
import { Problems } from './check/problems.ts';
import { readTree } from './read-tree.ts';
import { isObject, describeKind, type SourceTree } from '#template/source-tree.ts';
import { substitute } from './values/substitute.ts';

interface ParsedTemplate {
  /** Present only where nothing is wrong. */
  readonly document?: TemplateDocument;
  /** The document as far as it was understood, also with errors in it. */
  readonly readable?: TemplateDocument;
  /** Present whenever the document could be read at all. */
  readonly summary?: TemplateSummary;
  readonly errors: readonly ErrorShape[];
  /** Problems that are unusual without being wrong. */
  readonly warnings: readonly ErrorShape[];
}

/**
 * Checks a template against the specification. All errors are collected, each with file, line,
 * column, path and, for a name that is not known, the nearest one. `file` is a name for messages;
 * `limits` narrows the specification to what one device reports.
 */
export function parseTemplate(
  text: string,
  { file, limits }: { readonly file?: string; readonly limits?: LimitsOf } = {},
): ParsedTemplate {
  return readTemplate(text, file).check(limits);
}

/** The same for several devices: the text is read once and checked for each. */
export function readTemplate(text: string, file?: string): { check(limits?: LimitsOf): ParsedTemplate } {
  const unread = new Problems(file);
  const tree = readTree(text, unread);
  if (tree === undefined) return { check: () => ({ errors: unread.errors, warnings: [] }) };
  return {
    check: (limits) => checkTree(tree, removeUndefined({ file, limits })),
  };
}

function checkTree(
  tree: SourceTree,
  options: { readonly file?: string; readonly limits?: LimitsOf },
): ParsedTemplate {
  const problems = new Problems(options.file);
  problems.locateIn(tree);
  if (!isObject(tree.root)) {
    problems.add(
      'invalid-template',
      '',
      createDetail('not-an-object', { format: TEMPLATE_FORMAT, given: describeKind(tree.root) }),
    );
    return { errors: problems.errors, warnings: [] };
  }

  const document = checkDocument(tree.root, tree, problems, options);
  const errors = problems.errors;
  return {
    errors,
    warnings: problems.warnings,
    readable: document,
    summary: summaryOf(document),
    ...(errors.length === 0 ? { document } : {}),
  };
}

function checkDocument(
  root: Plain,
  tree: SourceTree,
  problems: Problems,
  { file, limits }: { readonly file?: string; readonly limits?: LimitsOf },
): TemplateDocument {
  checkFormat(root, problems);
  checkNames(root, 'top', { path: '', problems });
  const name = readTextMember(root, 'top', 'name', { path: '', problems });
  if (root['name'] === undefined || name?.trim() === '')
    problems.add('missing-field', 'name', createDetail('needs-name'));
  const description = readTextMember(root, 'top', 'description', { path: '', problems });
  const kinds = checkKinds(root, problems);
  const variables = checkVariables(root, problems);
  const sections = checkSections(root, {
    tree,
    problems,
    variables: new Map(variables.map((variable) => [variable.name, variable])),
    declared: new Set(isObject(root['variables']) ? Object.keys(root['variables']) : []),
    limits,
  });
  checkUnused(root, variables, problems);
  return {
    name: name ?? '',
    description,
    kinds,
    variables,
    sections,
    tree,
    file,
  };
}

function checkFormat(root: Plain, problems: Problems): void {
  const format = root['fieldwright'];
  if (format === TEMPLATE_FORMAT) return;
  if (format === undefined)
    problems.add('invalid-template', '', createDetail('no-template', { format: TEMPLATE_FORMAT }));
  else if (typeof format === 'string' && /^template\/\d+$/.test(format))
    problems.add(
      'invalid-template',
      'fieldwright',
      createDetail('other-format', { found: format, format: TEMPLATE_FORMAT }),
    );
  else
    problems.add(
      'invalid-template',
      'fieldwright',
      createDetail('wrong-format', { format: TEMPLATE_FORMAT }),
    );
}

function checkKinds(root: Plain, problems: Problems): readonly DeviceKind[] {
  const appliesTo = readObjectMember(root, 'appliesTo', { path: '', problems });
  if (appliesTo === undefined) return [];
  checkNames(appliesTo, 'appliesTo', { path: 'appliesTo', problems });
  const kinds = appliesTo['kinds'];
  if (kinds === undefined) return [];
  if (!Array.isArray(kinds) || kinds.length === 0) {
    problems.add(
      'wrong-type',
      'appliesTo.kinds',
      createDetail('takes-list', { name: 'kinds', options: DEVICE_KINDS.join(', ') }),
    );
    return [];
  }
  return kinds.flatMap((kind: unknown, index) => {
    const known = DEVICE_KINDS.find((candidate) => candidate === kind);
    if (known !== undefined) return known;
    const nearest = typeof kind === 'string' ? findNearestName(kind, DEVICE_KINDS) : undefined;
    problems.add(
      'not-allowed',
      `appliesTo.kinds[${index}]`,
      createDetail('one-of', { options: DEVICE_KINDS.join(', ') }),
      { nearest },
    );
    return [];
  });
}

/** A variable that nothing uses is a slip: the value given for it would do nothing. */
function checkUnused(root: Plain, variables: readonly VariableDeclaration[], problems: Problems): void {
  const used = new Set<string>();
  substitute(root['sections'], '', (name) => {
    used.add(name);
    return '';
  });
  for (const { name } of variables) {
    if (!used.has(name))
      problems.add(
        'unused-variable',
        appendKey('variables', name),
        createDetail('unused-variable', { name }),
        {
          atKey: true,
        },
      );
  }
}

function summaryOf(document: TemplateDocument): TemplateSummary {
  return {
    name: document.name,
    description: document.description,
    kinds: document.kinds,
    variables: document.variables.map(({ pattern: _pattern, ...variable }) => variable),
    sections: document.sections.map(({ set, resource, optional, clamp }) => ({
      set,
      label: resource.get.label,
      optional,
      clamp,
    })),
  };
}
