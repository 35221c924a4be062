import { defineConfig } from 'electron-vite';
import vue from '@vitejs/plugin-vue';
import { resolve } from 'node:path';

/**
 * One build for every face: `out/main/index.js` (Electron), `out/main/cli.js` (command line and
 * browser-hosted server), `out/preload/index.cjs`, `out/renderer/`.
 */
export default defineConfig({
  main: {
    build: {
      target: 'node24',
      rollupOptions: {
        input: { index: resolve('src/main/index.ts'), cli: resolve('src/cli/index.ts') },
        output: { format: 'es' },
      },
    },
  },
  preload: {
    build: {
      target: 'chrome144',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve('src/renderer'),
    plugins: [vue()],
    build: {
      target: 'chrome144',
      outDir: resolve('out/renderer'),
      rollupOptions: { input: { index: resolve('src/renderer/index.html') } },
    },
  },
});
