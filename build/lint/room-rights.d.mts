import type { Rule } from 'eslint';

export const roomRights: Rule.RuleModule;
