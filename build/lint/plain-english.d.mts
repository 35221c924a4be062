import type { Rule } from 'eslint';

export declare const commentWords: Rule.RuleModule;
export declare const exportedVerbs: Rule.RuleModule;
