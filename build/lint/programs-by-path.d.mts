import type { Rule } from 'eslint';

export declare const programsByPath: Rule.RuleModule;
