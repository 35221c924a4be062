import { defineConfig } from 'electron-vite';
import vue from '@vitejs/plugin-vue';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { pathToFileURL } from 'node:url';
import { firstUse } from './build/first-use.ts';
import { together } from './build/together.ts';

/** The bundles hold libraries without their notices. */
const LICENSE = { fileName: 'licenses.md' };

/** What only the command line says is a tenth of the sentences, and no page ever shows it. */
const withoutCliSentences: Plugin = {
  name: 'without-cli-sentences',
  enforce: 'pre',
  load: (id) =>
    /\/shared\/details\/cli\/\w+\.ts$/.test(id)
      ? 'export const CLI = {}, CLI_REFUSALS = {}, CLI_OUTPUT = {};'
      : undefined,
};

function isTexts(value: unknown): boolean {
  return (
    typeof value === 'object' && Object.values(value ?? {}).every((each: unknown) => typeof each === 'string')
  );
}

/** Sentences are read as JSON in half the time that the same takes as code. */
const sentencesAsJson: Plugin = {
  name: 'sentences-as-json',
  enforce: 'pre',
  async load(id) {
    if (!/\/shared\/details\/[\w-]+\.ts$/.test(id)) return undefined;
    const exported = Object.entries((await import(pathToFileURL(id).href)) as Record<string, unknown>);
    if (!exported.every(([, value]) => isTexts(value))) return undefined;
    return exported
      .map(([name, value]) => {
        const json = JSON.stringify(JSON.stringify(value));
        return `export const ${name} = /* @__PURE__ */ JSON.parse(${json});`;
      })
      .join('\n');
  },
};

/**
 * The library of the command line imports what starts commands that are programs of their own, which we have not:
 * Node would load sockets, workers and reports for it with every start.
 */
const withoutUnusedBuiltins: Plugin = {
  name: 'without-unused-builtins',
  enforce: 'pre',
  transform(code, id) {
    if (!/[\\/]commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
    const without = code
      .replace(
        "import childProcess from 'node:child_process';",
        "const childProcess = { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };",
      )
      .replace("import process from 'node:process';", '');
    if (/from 'node:(?:child_)?process'/.test(without))
      this.error('commander imports processes in another way than before');
    return { code: without, map: null };
  },
};

/** One sign beyond Latin-1 makes Node keep two bytes for each of a file, and copy all of them; escaped it means the same. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      // What is taken as it is written would not be the same.
      if (file.type !== 'chunk' || /String\.raw`[^`]*[^\0-\x7f]/.test(file.code)) continue;
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/**
 * Of the HTTP library the engine uses one client: without the others, `fetch`, what stands in for servers in tests,
 * and HTTP/2, which devices do not speak, it is read in half the time.
 */
const ONE_CLIENT = '\0undici-client';
const oneHttpClient: Plugin = {
  name: 'one-http-client',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'undici' && importer !== undefined && /[\\/]src[\\/]engine[\\/]/.test(importer)
      ? ONE_CLIENT
      : undefined,
  load(id) {
    if (id === ONE_CLIENT)
      return [
        `import client from 'undici/lib/dispatcher/client.js';`,
        `import connect from 'undici/lib/core/connect.js';`,
        // Named again: an export that is only passed on gets lost.
        `export const Client = client, buildConnector = connect;`,
      ].join('\n');
    if (/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/.test(id))
      return `module.exports = () => { throw new Error('HTTP/2 is not part of this build.'); };`;
    return undefined;
  },
};

/** The areas of the engine, and what is large beside them: most commands use none of it, or one. */
const FIRST_USE = {
  'src/engine/apply/settings-schemas.ts': ['secretsCheckOf', 'settingsSchemas'],
  'src/engine/apply/area.ts': ['Applying', 'createPlans', 'createRetry'],
  'src/engine/calls/area.ts': ['Calls'],
  'src/engine/text/csv.ts': ['checkColumns', 'readTable', 'tableRows', 'unguarded', 'writeTable'],
  'src/engine/flow/area.ts': [
    'allFlows',
    'checkSteps',
    'Effects',
    'FlowKind',
    'Flows',
    'neverAsked',
    'readAnswers',
    'Records',
    'replyTo',
    'takenBy',
    'textOf',
  ],
  'src/engine/inventory/access/trust-shape.ts': ['trustOf'],
  'src/engine/fingerprints/area.ts': ['Prints', 'printsFollowing', 'PrintsKind', 'RemovedFingerprints'],
  'src/engine/people/area.ts': ['csvHead', 'csvLines', 'lineOf', 'ndjsonLines', 'People', 'peopleKind'],
  'src/engine/report-files/reader.ts': ['readerFor'],
  'src/engine/reports/area.ts': ['createReports'],
  'src/engine/swap/states.ts': ['createStates'],
  'src/engine/template/capture/capture-device.ts': ['captureDevice'],
  'src/engine/template/check/check-template.ts': ['checkTemplate'],
  'src/engine/template/compare.ts': ['compareTemplates'],
  'src/engine/template/expression.ts': ['compileExpression'],
  'src/engine/template/read-tree.ts': ['readTree', 'readYamlFile'],
  'src/engine/template/saved-capabilities.ts': ['readSavedCapabilities'],
  'src/engine/transfer/area.ts': ['engineLook', 'Models', 'pullDoctor'],
  'src/protocol/codec/xml-tree.ts': [
    'attributeOf',
    'childElements',
    'localName',
    'namespaceOf',
    'parseXml',
    'prefixOf',
    'serializeXml',
    'textOf',
  ],
};

/**
 * One build for every face, without Electron's binary: `out/main/index.cjs` (Electron),
 * `out/main/cli.cjs` (command line and browser-hosted server), `out/preload/index.cjs`,
 * `out/renderer/`. npm dependencies are part of it: a command starts in half the time.
 */
export default defineConfig({
  main: {
    plugins: [
      firstUse(FIRST_USE, { whole: 'index' }),
      sentencesAsJson,
      withoutUnusedBuiltins,
      oneHttpClient,
      inAscii,
    ],
    // As Node builds it into itself: without a parser that is still tried out.
    define: { esbuildDetection: 'true' },
    build: {
      target: 'node24',
      externalizeDeps: false,
      // Without comments and spaces, names as they are: read in a third less time, and a stack still says where.
      minify: false,
      license: LICENSE,
      sourcemap: true,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: resolve('src/main/index.ts'), cli: resolve('src/cli/index.ts') },
        output: {
          // Loaded at once, and what V8 makes of it can be kept whole (`build/tasks/support/built.mjs`).
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          codeSplitting: together({
            base: [resolve('src/cli/index.ts'), resolve('src/engine/index.ts')],
            then: {
              engine: resolve('src/engine/index.ts'),
              start: resolve('src/cli/index.ts'),
              apply: resolve('src/engine/apply/area.ts'),
              commands: resolve('src/cli/commands/apply/apply.ts'),
              yaml: resolve('src/engine/template/read-tree.ts'),
              table: resolve('src/engine/text/csv.ts'),
              http: resolve('src/engine/device/transport/http.ts'),
            },
          }),
          minify: { compress: false, mangle: false, codegen: true },
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script has no module loader: one CommonJS file with everything in it.
      target: 'node24',
      externalizeDeps: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: resolve('src/renderer'),
    plugins: [vue(), withoutCliSentences],
    build: {
      target: 'chrome144',
      outDir: resolve('out/renderer'),
      emptyOutDir: true,
      minify: true,
      license: LICENSE,
      // Read from disk, not from a network.
      chunkSizeWarningLimit: 1500,
      reportCompressedSize: false,
      rolldownOptions: { input: { index: resolve('src/renderer/index.html') } },
    },
  },
});
