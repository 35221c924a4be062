/**
 * Checks imports between our own files: which folder may import which, and that an import which leaves its top folder, or
 * climbs more than one folder, is written `#folder/file.ts` (`imports` of package.json).
 */
import { dirname, join, relative, resolve, sep } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const TEST = '#test/';
const LOCALES = '#locales/';

/** Returns the path that a specifier of ours leads to, from the root of the project; undefined for packages. */
function findTarget(specifier, file) {
  if (specifier.startsWith(TEST)) return specifier.slice(1);
  if (specifier.startsWith(LOCALES)) return `resources/${specifier.slice(1)}`;
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  if (specifier.startsWith('.')) return join(dirname(file), specifier).replaceAll(sep, '/');
  return undefined;
}

/** Returns `engine` of `src/engine/…`; `test` for tests. */
function getRoom(path) {
  const [top, room] = path.split('/');
  return top === 'src' ? room : top;
}

function isIn(path, folders) {
  return folders.some((folder) => path === `src/${folder}` || path.startsWith(`src/${folder}/`));
}

export const roomRights = {
  meta: {
    type: 'problem',
    schema: [
      {
        type: 'object',
        properties: {
          /** Folders of `src`, each with those that it may import. */
          mayImport: { type: 'object' },
          /** `in` never imports `from`, but for `but` (paths below `src`). */
          never: { type: 'array' },
        },
      },
    ],
    messages: {
      room: '{{ room }}/ may import only: {{ allowed }} (src/README.md).',
      never: '{{ why }}',
      form: 'Write {{ better }}.',
    },
  },
  create(context) {
    const [{ mayImport, never }] = context.options;
    const file = relative(ROOT, context.filename).replaceAll(sep, '/');
    const room = getRoom(file);

    function check(source) {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const specifier = source.value;
      const target = findTarget(specifier, file);
      if (target === undefined || !/^(?:src|test)\//.test(target)) return;
      const other = getRoom(target);
      const allowed = mayImport[room];
      if (allowed !== undefined && other !== room && !allowed.includes(other))
        context.report({
          node: source,
          messageId: 'room',
          data: { room, allowed: allowed.join(', ') || 'nothing of ours' },
        });
      for (const { in: inside, from, but = [], why } of never)
        if (isIn(file, inside) && isIn(target, from) && !isIn(file, but) && !isIn(target, but))
          context.report({ node: source, messageId: 'never', data: { why } });
      const climbs = specifier.startsWith('../../');
      if (specifier.startsWith('.') && (other !== room || climbs))
        context.report({
          node: source,
          messageId: 'form',
          data: { better: target.startsWith('src/') ? `#${target.slice(4)}` : `#${target}` },
        });
    }
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
    };
  },
};
