import type { Rule } from 'eslint';

export declare const oneFileWriter: Rule.RuleModule;
