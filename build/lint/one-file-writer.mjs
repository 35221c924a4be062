/**
 * Files that people ask for are written by engine/files/write-file.ts alone: complete and on disk under their name, or not
 * at all. Looks at what opens, fills or renames a file in Node.
 */
const MODULES = /^(?:node:)?fs(?:\/promises)?$/;
const WRITERS =
  /^(?:writeFile|appendFile|copyFile|cp|rename|truncate|link|symlink)(?:Sync)?$|^createWriteStream$/;
const OPENERS = /^open(?:Sync)?$/;
/** Flags of `open` that allow no writing. */
const READS = /^rs?$/;
const READING_CONSTANTS = /^O_(?:RDONLY|NOFOLLOW|NONBLOCK|CLOEXEC|DIRECTORY)$/;

/** Returns whether the flags of an `open` are seen to allow no writing. */
function onlyReads(flags) {
  if (flags === undefined) return true;
  switch (flags.type) {
    case 'Literal':
      return typeof flags.value === 'string' ? READS.test(flags.value) : flags.value === 0;
    case 'BinaryExpression':
      return onlyReads(flags.left) && onlyReads(flags.right);
    case 'LogicalExpression':
      return onlyReads(flags.left) && onlyReads(flags.right);
    case 'MemberExpression':
      return READING_CONSTANTS.test(flags.property.name);
    default:
      return false;
  }
}

export const oneFileWriter = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      second: 'engine/files/write-file.ts writes files: complete and synced under their name, or not at all.',
    },
  },
  create(context) {
    /** Names here of functions that open a file, and of whole modules. */
    const openers = new Set();
    const modules = new Set();
    const report = (node) => context.report({ node, messageId: 'second' });
    return {
      ImportDeclaration(node) {
        if (!MODULES.test(node.source.value)) return;
        for (const each of node.specifiers) {
          const name = each.imported?.name;
          if (name === undefined || name === 'promises' || name === 'default') modules.add(each.local.name);
          else if (WRITERS.test(name)) report(each);
          else if (OPENERS.test(name)) openers.add(each.local.name);
        }
      },
      MemberExpression(node) {
        const { object, property } = node;
        const isModule =
          modules.has(object.name) ||
          (object.type === 'MemberExpression' &&
            modules.has(object.object.name) &&
            object.property.name === 'promises');
        if (isModule && WRITERS.test(property.name)) report(node);
      },
      CallExpression(node) {
        const { callee, arguments: given } = node;
        const opens =
          openers.has(callee.name) ||
          (callee.type === 'MemberExpression' &&
            modules.has(callee.object.name) &&
            OPENERS.test(callee.property.name));
        if (opens && !onlyReads(given[1])) report(node);
      },
    };
  },
};
