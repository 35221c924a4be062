/**
 * A program is run by its absolute path: Windows takes a bare name from the current folder first. Looks at what starts
 * programs, here and in Node, and at tables of commands.
 */
const STARTS = new Set([
  'spawn',
  'spawnSync',
  'execFile',
  'execFileSync',
  'start',
  'startProcess',
  'capture',
  'become',
]);
/** They hand a line to a shell, which looks for the program itself. */
const SHELLS = new Set(['exec', 'execSync']);
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** Texts that an expression can be, as far as they are written there. */
function textsOf(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      // The beginning of the value is not known here.
      return node.quasis[0].value.cooked === '' ? [] : [node.quasis[0].value.cooked];
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    case 'TSAsExpression':
      return textsOf(node.expression);
    default:
      return [];
  }
}

export const programsByPath = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      bare: 'A program is run by its absolute path: runProgram(…) or startProgram(…) of engine/host/system-programs.ts; in build/ one from a fixed folder.',
      shell: 'No shell: it looks for the program in the current folder. execFile with an absolute path.',
    },
  },
  create(context) {
    const { sourceCode, filename } = context;
    const isInSource = /(?:^|[\\/])src[\\/]/.test(filename);
    const isBound = isInSource && !/[\\/]system-programs\.ts$/.test(filename);
    /** Texts of an expression, also where it is a constant of this file. */
    const resolved = (node) => {
      if (node?.type !== 'Identifier') return textsOf(node);
      for (let scope = sourceCode.getScope(node); scope; scope = scope.upper) {
        const variable = scope.set.get(node.name);
        if (variable) return variable.defs.flatMap(({ node: def }) => textsOf(def.init));
      }
      return [];
    };
    const check = (node) => {
      if (resolved(node).some((text) => !ABSOLUTE.test(text))) context.report({ node, messageId: 'bare' });
    };
    return {
      ImportDeclaration(node) {
        if (isBound && /^(?:node:)?child_process$/.test(node.source.value))
          context.report({ node, messageId: 'bare' });
      },
      CallExpression(node) {
        const { callee, arguments: given } = node;
        const isMember = callee.type === 'MemberExpression';
        const name = isMember ? callee.property.name : callee.name;
        // `exec` of a pattern is no shell.
        if (SHELLS.has(name) && (name === 'execSync' || !isMember || /child/i.test(callee.object.name)))
          context.report({ node, messageId: 'shell' });
        if (STARTS.has(name) && (!isMember || /^(?:spawn|exec)/.test(name))) check(given[0]);
      },
      // Source files use these as words of devices.
      Property({ key, value }) {
        if (isInSource) return;
        const name = key.name ?? key.value;
        if (name === 'command') check(value);
        if (
          name === 'shell' &&
          !(value.type === 'Literal' && (value.value === false || /\s/.test(value.value)))
        )
          context.report({ node: value, messageId: 'shell' });
        if (name === 'commands' && value.type === 'ArrayExpression')
          for (const each of value.elements) if (each?.type === 'ArrayExpression') check(each.elements[0]);
      },
    };
  },
};
