import { defineConfig } from 'electron-vite';
import vue from '@vitejs/plugin-vue';
import { resolve } from 'node:path';

/** The bundles hold libraries without their notices. */
const LICENSE = { fileName: 'licenses.md' };

/**
 * One build for every face, without Electron's binary: `out/main/index.cjs` (Electron),
 * `out/main/cli.cjs` (command line and browser-hosted server), `out/preload/index.cjs`,
 * `out/renderer/`. npm dependencies are part of it: a command starts in half the time.
 */
export default defineConfig({
  main: {
    build: {
      target: 'node24',
      externalizeDeps: false,
      // Names and lines stay, so that a stack says where an error came from.
      minify: false,
      license: LICENSE,
      sourcemap: true,
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: resolve('src/main/index.ts'), cli: resolve('src/cli/index.ts') },
        output: {
          // CommonJS is loaded at once, file after file, which takes a start less time than ES modules do.
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
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
    // Messages are ICU ones: the compiler of the library's own form is left out.
    define: { __INTLIFY_DROP_MESSAGE_COMPILER__: true },
    plugins: [vue()],
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
