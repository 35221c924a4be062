import { readdirSync, readFileSync } from 'node:fs';
import tseslint from 'typescript-eslint';
import vue from 'eslint-plugin-vue';
import vueParser from 'vue-eslint-parser';
import prettier from 'eslint-config-prettier/flat';
import { filesOfAFolder } from './build/lint/files-of-a-folder.mjs';
import { layoutInTheKit } from './build/lint/layout-in-the-kit.mjs';
import { oneFileWriter } from './build/lint/one-file-writer.mjs';
import { programsByPath } from './build/lint/programs-by-path.mjs';
import { roomRights } from './build/lint/room-rights.mjs';
import { commentWords, exportedVerbs } from './build/lint/plain-english.mjs';
import { wordsInTheCatalogue } from './build/lint/words-in-the-catalogue.mjs';

/** Parts that every screen may use without importing them. */
const KIT = [...readFileSync('src/renderer/components/ui/index.ts', 'utf8').matchAll(/default as (\w+)/g)]
  .map(([, name]) => `^${name}$`)
  .concat('^(Grid|Panel|Row|Stack|NButton|NInput|ErrorNotice|Problem|StatusBadge)$');

/** Folders of the engine that hold kinds of job. */
const KINDS = ['apply', 'calls', 'transfer', 'people', 'fingerprints', 'flow', 'replacement'].map(inEngine);
const FEATURES = readdirSync('src/renderer/features', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `renderer/features/${name}`);

function inEngine(folder) {
  return `engine/${folder}`;
}

/** Folders that each folder of `src` may import. */
const MAY_IMPORT = {
  shared: [],
  protocol: ['shared'],
  template: ['protocol', 'shared'],
  'report-layout': ['protocol', 'shared'],
  engine: ['template', 'report-layout', 'protocol', 'shared'],
  simulator: ['shared'],
  rpc: ['engine', 'template', 'protocol', 'shared'],
  main: ['rpc', 'engine', 'simulator', 'shared'],
  server: ['rpc', 'engine', 'simulator', 'shared'],
  cli: ['rpc', 'engine', 'simulator', 'server', 'shared'],
  preload: ['shared'],
  renderer: ['report-layout', 'template', 'shared', 'protocol'],
};

/** Imports that are not allowed inside a folder. */
const NEVER = [
  {
    in: ['engine'],
    from: ['engine/api.ts'],
    but: ['engine/index.ts'],
    why: 'Inside the engine, import from api/host.ts, api/routes.ts or the module itself, not from the facade.',
  },
  {
    in: ['engine/jobs'],
    from: [...KINDS, ...['template', 'planning', 'report-files', 'reports', 'discovery'].map(inEngine)],
    why: 'engine/jobs knows no kind of job: kinds are registered in engine/index.ts (src/engine/jobs/README.md).',
  },
  ...KINDS.map((kind) => ({
    in: [kind],
    // Fingerprints are those of people: they read people, and never the reverse. A replacement has people copied.
    from: KINDS.filter(
      (other) =>
        other !== kind &&
        !(['engine/fingerprints', 'engine/replacement'].includes(kind) && other === 'engine/people'),
    ),
    why: 'A kind of job never imports another kind.',
  })),
  {
    in: ['engine/report-files', 'engine/reports'],
    from: KINDS,
    why: 'Documents and reports know no kind of job: they are given what to tell.',
  },
  {
    in: ['engine/planning/pure'],
    from: ['device', 'store', 'jobs', 'apply', 'inventory'].map(inEngine),
    why: 'engine/planning/pure receives state, it does not fetch it.',
  },
  ...FEATURES.map((feature) => ({
    in: [feature],
    from: FEATURES.filter((other) => other !== feature),
    why: 'A feature never imports a sibling feature.',
  })),
  {
    in: ['features', 'common', 'components', 'composables', 'client', 'styles'].map(
      (name) => `renderer/${name}`,
    ),
    from: ['renderer/app'],
    why: 'Only app/ imports features, never the reverse.',
  },
  {
    in: ['common', 'components', 'composables', 'client', 'styles'].map((name) => `renderer/${name}`),
    from: ['renderer/features'],
    why: 'Only app/ imports features.',
  },
  {
    in: ['components', 'composables', 'client', 'styles'].map((name) => `renderer/${name}`),
    from: ['renderer/common'],
    but: ['renderer/common/labels', 'renderer/common/app-info'],
    why: 'Of what features share, the kit knows labels and the connection.',
  },
];

function forbid(regex, message) {
  return { regex, message };
}

const NO_ELECTRON = forbid('^electron($|/)', 'electron belongs in main/ and preload/ alone.');
const NO_VUE = forbid(
  '^(vue|pinia|naive-ui|vue-router|vue-i18n|@vueuse/.*)$',
  'Vue belongs in renderer/ alone.',
);
const NO_NODE = forbid(
  '^(node:|fs$|path$|undici|ws$)',
  'It runs in a browser too, or is pure: no Node, no HTTP of its own.',
);

/** Packages that some folders do without. */
function without(files, patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

const SPREAD_OF_UNDEFINED = {
  selector:
    'SpreadElement > ConditionalExpression[test.right.type="Identifier"][test.right.name="undefined"][consequent.properties.length=0] > ObjectExpression.alternate[properties.length=1] > Property[value.type="Identifier"]',
  message: 'removeUndefined({ … }) (src/shared/remove-undefined.ts) leaves out what is undefined.',
};

export default tseslint.config(
  { ignores: ['out/**', '.stryker-tmp/**', 'dist/**', 'node_modules/**', 'coverage/**', 'test-results/**'] },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'].map((config) => ({ files: ['src/renderer/**', '**/*.vue'], ...config })),
  prettier,
  {
    files: ['**/*.vue'],
    languageOptions: {
      parser: vueParser,
      parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.vue'] },
    },
    rules: {
      'vue/multi-word-component-names': 'off',
      'vue/attributes-order': 'off',
      'vue/no-v-html': 'error',
      // A part that is not imported is an unknown element, which shows nothing and fails no type check.
      'vue/no-undef-components': ['error', { ignorePatterns: ['router-(view|link)', 'i18n-t', ...KIT] }],
    },
  },
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'smart'],
      'no-console': 'error',
      'no-duplicate-imports': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,vue}'],
    ignores: ['src/shared/read-json.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'JSON',
          property: 'parse',
          message:
            'src/shared/read-json.ts reads JSON: readJson from outside, with bounds; readOwnJson our own.',
        },
      ],
    },
  },
  {
    files: ['{src,test}/**/*.{ts,vue}'],
    rules: {
      'no-restricted-syntax': ['error', SPREAD_OF_UNDEFINED],
    },
  },
  {
    files: ['src/**/*.{ts,vue}'],
    ignores: ['src/template/compose-yaml.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        SPREAD_OF_UNDEFINED,
        {
          selector:
            'ImportDeclaration[source.value="yaml"] > ImportSpecifier[imported.name=/^(parse|Composer$|Parser$|Lexer$)/]',
          message: 'src/template/compose-yaml.ts reads YAML, with bounds.',
        },
      ],
    },
  },
  {
    // A promise without `await` loses an error or a write here. Types cost lint half its time, so the rules hold
    // for these folders only, in a program without the tests.
    files: ['src/{engine,rpc,server,main,cli}/**/*.ts'],
    languageOptions: {
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // State that many functions share belongs to a class, or to several; a schema is one list, however long.
    files: ['src/{engine,protocol,documents,simulator,rpc,server,main,cli,renderer}/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 150, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['src/**/*.{ts,vue}', 'build/**/*.{mjs,cjs,ts}', '*.{js,ts}'],
    plugins: { programs: { rules: { 'by-path': programsByPath } } },
    rules: { 'programs/by-path': 'error' },
  },
  {
    files: ['src/{engine,rpc,server,main,cli}/**/*.ts'],
    ignores: [
      'src/engine/files/**',
      // The database makes its own files; a damaged one is moved aside.
      'src/engine/store/{store,soundness}.ts',
      // Made once, never replaced, and synced before anything is sealed with it.
      'src/engine/host/key-protection.ts',
      // Pieces of an upload under a name that no other program knows, until the last has come.
      'src/engine/transfer/received-files.ts',
      // Lines are added at the end, and the last ones may be lost.
      'src/main/log-file.ts',
      // Written while the window closes, where nothing can be waited for; half a file counts as none.
      'src/main/window-state.ts',
      // A page in a temporary folder, read by the browser once.
      'src/cli/open-browser.ts',
    ],
    plugins: { files: { rules: { 'one-writer': oneFileWriter } } },
    rules: { 'files/one-writer': 'error' },
  },
  {
    files: ['src/cli/**', 'build/**', 'test/{bench,screenshots,windows}/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]',
          message:
            'A worker loads a helper once for all of its test files: only the first of them would have this hook. Use onTestFinished.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,vue}', 'test/**/*.ts'],
    plugins: { rooms: { rules: { rights: roomRights } } },
    rules: { 'rooms/rights': ['error', { mayImport: MAY_IMPORT, never: NEVER }] },
  },
  without(['src/{report-layout,engine,rpc,server,cli,simulator}/**/*.ts'], [NO_ELECTRON, NO_VUE]),
  without(['src/{main,preload}/**/*.ts'], [NO_VUE]),
  without(
    ['src/{shared,protocol,template}/**/*.ts', 'src/engine/planning/pure/**/*.ts'],
    [NO_ELECTRON, NO_VUE, NO_NODE],
  ),
  without(['src/renderer/**/*.{ts,vue}'], [NO_ELECTRON, NO_NODE]),
  {
    files: ['src/renderer/**/*.vue'],
    ignores: ['src/renderer/components/ui/**'],
    rules: {
      'vue/no-restricted-html-elements': [
        'error',
        {
          element: ['input', 'button', 'select', 'textarea'],
          message: 'The kit (components/ui) has a part for it.',
        },
      ],
    },
  },
  {
    files: ['src/renderer/{features,common}/**/*.vue'],
    plugins: { kit: { rules: { layout: layoutInTheKit } } },
    rules: { 'kit/layout': 'error' },
  },
  {
    files: ['src/renderer/features/**/*.{ts,vue}'],
    plugins: { folders: { rules: { files: filesOfAFolder } } },
    rules: { 'folders/files': 'error' },
  },
  {
    files: ['{src,test}/**/*.{ts,vue}', 'build/**/*.{mjs,cjs,ts}', '*.{js,ts}'],
    // Cases of the rule itself.
    ignores: ['test/tasks/plain-english.test.ts'],
    plugins: { english: { rules: { comments: commentWords } } },
    rules: { 'english/comments': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    // Words of the declarations, which read as data: `int(1, 10)`, `separated(…)`.
    ignores: [
      'src/protocol/definition.ts',
      'src/protocol/definitions/operation.ts',
      'src/cli/declarations/parsers.ts',
    ],
    plugins: { names: { rules: { verbs: exportedVerbs } } },
    rules: { 'names/verbs': 'error' },
  },
  {
    files: ['src/{engine,protocol,rpc,main,server,cli}/**/*.ts'],
    // Editors show the schema's words, in English as those of the format itself.
    ignores: ['src/engine/template/json-schema.ts'],
    plugins: { words: { rules: { catalogue: wordsInTheCatalogue } } },
    rules: { 'words/catalogue': 'error' },
  },
);
