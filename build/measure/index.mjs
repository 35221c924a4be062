/** `npm run measure`: size of the sources, circles of imports, names and comments that fall short of the standard. */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { beginsWithVerb, hasSubject, listRetiredWords, readComment } from '../lint/plain-english.mjs';
import { findCircles, readImports } from './import-graph.mjs';
import { listMissing, readLocales } from '../tasks/support/locales.ts';

function readAll(pattern) {
  return globSync(pattern).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

function countCharacters(files) {
  return files.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0);
}

/** Returns the script of a Vue file, or the text of another. */
function readScript({ path, text }) {
  if (!path.endsWith('.vue')) return text;
  return [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script]) => script).join('\n');
}

/** Returns the names of the functions that a file exports. */
function listExportedFunctions(source) {
  return source.statements
    .filter(
      (node) =>
        ts.isFunctionDeclaration(node) &&
        node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
    )
    .map(({ name }) => name?.text ?? '');
}

/** Returns the comments of a file as one line each, without their marks. */
function listComments(source) {
  const comments = [];
  const seen = new Set();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(source.text, node.pos) ?? []) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      comments.push(readComment(source.text.slice(range.pos, range.end).replace(/^\/[*/]|\*\/$/g, '')));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return comments;
}

const sources = readAll('src/**/*.{ts,vue,css}');
const parsed = sources
  .filter(({ path }) => !path.endsWith('.css'))
  .map((file) => ts.createSourceFile(file.path, readScript(file), ts.ScriptTarget.Latest, false));
const functions = parsed.flatMap((source) =>
  listExportedFunctions(source).map((name) => ({ name, path: source.fileName })),
);
const nouns = functions.filter(({ name }) => !beginsWithVerb(name));
const comments = parsed.flatMap((source) =>
  listComments(source).map((text) => ({ text, path: source.fileName })),
);
const fragments = comments.filter(({ text }) => !hasSubject(text));
const circles = findCircles(readImports('src'));
const rewriting = /plugins: \[([^\]]*)\]/g;
const config = readFileSync('electron.vite.config.ts', 'utf8');
const plugins = [...config.matchAll(rewriting)]
  .flatMap(([, list]) => list.replace(/\([^)]*\)/g, '').split(','))
  .map((name) => name.trim())
  .filter((name) => name !== '' && name !== 'vue');

const missing = listMissing(readLocales('resources/locales'));

const percent = (part, whole) => `${((part / Math.max(1, whole)) * 100).toFixed(1)} %`;
const rows = [
  ['characters of src that are no space', countCharacters(sources).toLocaleString('en')],
  ['characters of test that are no space', countCharacters(readAll('test/**/*.ts')).toLocaleString('en')],
  [
    'circles of imports (the longest; across folders)',
    `${circles.length} (${Math.max(0, ...circles.map((circle) => circle.length - 1))}; ${circles.filter((circle) => new Set(circle.map((file) => dirname(file))).size > 1).length})`,
  ],
  ['plugins that change what a source or a library says', plugins.length],
  [
    'exported functions without a verb',
    `${nouns.length} of ${functions.length} (${percent(nouns.length, functions.length)})`,
  ],
  [
    'comments without a subject',
    `${fragments.length} of ${comments.length} (${percent(fragments.length, comments.length)})`,
  ],
  ['retired words in comments', comments.reduce((sum, { text }) => sum + listRetiredWords(text).length, 0)],
  ...Object.entries(missing).map(([language, ids]) => [`sentences that ${language} lacks`, ids.length]),
];
const width = Math.max(...rows.map(([title]) => title.length));
for (const [title, value] of rows) console.log(`${title.padEnd(width)}  ${value}`);
if (process.argv.includes('--list')) {
  console.log('\nExported functions without a verb:');
  for (const { name, path } of nouns) console.log(`  ${name}  ${path}`);
  console.log('\nComments without a subject:');
  for (const { text, path } of fragments) console.log(`  ${text.slice(0, 100)}  ${path}`);
  for (const [language, ids] of Object.entries(missing)) {
    console.log(`\nSentences that ${language} lacks:`);
    for (const id of ids) console.log(`  ${id}`);
  }
  console.log('\nCircles:');
  for (const circle of circles) console.log(`  ${circle.join(' > ')}`);
}
