/** Every use of a message in the source of the pages, read by the compilers of TypeScript and Vue: which key, with which parameters. */
import ts from 'typescript';
import { compileScript, compileTemplate, parse } from 'vue/compiler-sfc';

export interface MessageUse {
  /** `file: text of the call`. */
  readonly where: string;
  /** Keys, `*` for what is put in at run time; undefined where the key itself comes from elsewhere. */
  readonly keys: readonly string[] | undefined;
  /** Names of the parameters; undefined where they come from elsewhere. */
  readonly given: readonly string[] | undefined;
  /** True if they are in an object that several messages share. */
  readonly isShared: boolean;
}

export function messageUses(file: string, source: string): readonly MessageUse[] {
  return (file.endsWith('.vue') ? codesOf(file, source) : [source]).flatMap((code) => usesIn(file, code));
}

/** Script and template of a component as two programs. */
function codesOf(file: string, source: string): readonly string[] {
  const { descriptor } = parse(source, { filename: file });
  const script =
    descriptor.scriptSetup === null && descriptor.script === null
      ? undefined
      : compileScript(descriptor, { id: file });
  const template =
    descriptor.template === null
      ? undefined
      : compileTemplate({
          id: file,
          filename: file,
          source: descriptor.template.content,
          compilerOptions: {
            expressionPlugins: ['typescript'],
            prefixIdentifiers: true,
            ...(script?.bindings === undefined ? {} : { bindingMetadata: script.bindings }),
          },
        });
  return [
    ...(script === undefined ? [] : [script.content]),
    ...(template === undefined ? [] : [template.code]),
  ];
}

function usesIn(file: string, code: string): readonly MessageUse[] {
  const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const uses: MessageUse[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslate(node.expression)) uses.push(useOf(file, node, tree));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return uses;
}

/** `t(…)`, `$setup.t(…)` in a template, `speaker.t(…)`. */
function isTranslate(callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee)
    ? callee.name.text
    : ts.isIdentifier(callee)
      ? callee.text
      : '';
  return name === 't' || name === 'translate';
}

function useOf(
  file: string,
  { arguments: [key, ...rest] }: ts.CallExpression,
  tree: ts.SourceFile,
): MessageUse {
  const where = `${file}: t(${[key, ...rest].map((each) => each?.getText(tree).replace(/\s+/g, ' ')).join(', ')})`;
  const [named] = rest;
  const names = named === undefined ? [] : namesOf(named);
  return {
    where,
    keys: key === undefined ? undefined : keysOf(key),
    isShared: named !== undefined && ts.isIdentifier(named),
    given: names,
  };
}

function keysOf(node: ts.Expression): readonly string[] | undefined {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')];
  if (ts.isParenthesizedExpression(node)) return keysOf(node.expression);
  if (!ts.isConditionalExpression(node)) return undefined;
  const [one, other] = [keysOf(node.whenTrue), keysOf(node.whenFalse)];
  return one === undefined || other === undefined ? undefined : [...one, ...other];
}

/** The names in an object that is written here, or in a constant that is in sight here. */
function namesOf(node: ts.Expression): readonly string[] | undefined {
  if (ts.isParenthesizedExpression(node)) return namesOf(node.expression);
  if (ts.isIdentifier(node)) {
    const declared = declarationOf(node.text, node.parent);
    return declared === undefined ? undefined : namesOf(declared);
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const names: string[] = [];
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const more = namesOf(property.expression);
      if (more === undefined) return undefined;
      names.push(...more);
      continue;
    }
    if (property.name === undefined || ts.isComputedPropertyName(property.name)) return undefined;
    names.push(property.name.text);
  }
  return names;
}

/**
 * Returns the value of the nearest constant of this name around the place; undefined if it is a parameter, or
 * no such object.
 */
function declarationOf(name: string, place: ts.Node | undefined): ts.Expression | undefined {
  if (place === undefined) return undefined;
  if (
    ts.isFunctionLike(place) &&
    place.parameters.some((parameter) => ts.isIdentifier(parameter.name) && parameter.name.text === name)
  )
    return undefined;
  const statements = ts.isBlock(place) || ts.isSourceFile(place) ? place.statements : [];
  const declared = statements
    .flatMap((statement) =>
      ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
    )
    .find((declaration) => ts.isIdentifier(declaration.name) && declaration.name.text === name);
  return declared === undefined ? declarationOf(name, place.parent) : declared.initializer;
}
