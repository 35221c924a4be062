/** The checks that run no program of ours: arguments for the checkout's Node. */
import { toolScript } from './paths.mjs';

const PRETTIER = [
  toolScript('prettier', 'bin/prettier.cjs'),
  '--cache',
  '--cache-location=node_modules/.cache/prettier/files.json',
  '--log-level=warn',
];
export const FORMAT = [...PRETTIER, '--write', '.'];
/** Rules, and the layout of every file. */
export const LINT = [
  [toolScript('eslint', 'bin/eslint.js'), '--max-warnings', '0', '.'],
  [...PRETTIER, '--check', '.'],
];
export const TYPE_CHECKS = [
  [toolScript('typescript', 'bin/tsc'), '--noEmit', '-p', 'tsconfig.node.json'],
  [toolScript('vue-tsc', 'bin/vue-tsc.js'), '--noEmit', '-p', 'tsconfig.web.json'],
];
