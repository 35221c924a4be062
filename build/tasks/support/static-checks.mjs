/** The checks that run no program of ours: arguments for the checkout's Node. */
import { toolScript } from './paths.mjs';

export const LINT = [toolScript('eslint', 'bin/eslint.js'), '--max-warnings', '0', '.'];
export const TYPE_CHECKS = [
  [toolScript('typescript', 'bin/tsc'), '--noEmit', '-p', 'tsconfig.node.json'],
  [toolScript('vue-tsc', 'bin/vue-tsc.js'), '--noEmit', '-p', 'tsconfig.web.json'],
];
