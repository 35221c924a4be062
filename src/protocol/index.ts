/** The device interface as data, and everything pure that is done with it. Runs in a browser too. */
export * from './definition.ts';
export * from './catalogue.ts';
export * from './destroys.ts';
export * from './differences.ts';
export * from './operation-at.ts';
export * from './nearest.ts';
export type { Issue } from './issue.ts';
export * from './validate.ts';
export * from './utc.ts';
export * from './warnings.ts';
export * from './diff.ts';
export * from './field-text.ts';
export * from './fields/condition.ts';
export * from './fields/field-at.ts';
export * from './fields/path.ts';
export * from './fields/values.ts';
export * from './fulfils.ts';
export { formatPath, identifyItemsAlong, namePath } from './item-names.ts';
export * from './kinds.ts';
export * from './list-parts.ts';
export * from './outcome.ts';
export * from './storage-card.ts';
export * from './units.ts';
export * from './value.ts';
export * from './variable-of.ts';
export * from './capability/claims.ts';
export * from './capability/constraints.ts';
export * from './capability/flags.ts';
export * from './capability/limits-for.ts';
export * from './capability/narrow.ts';
export type * from './capability/types.ts';
export * from './codec/document.ts';
export type { UnlistedNode } from './codec/notes.ts';
export { DEFAULT_LIMITS } from './codec/limits.ts';
export { findAttribute, findNamespace, parseXml, serializeXml } from './codec/xml-tree.ts';
export {
  isSensitivePath,
  findMaskPath,
  redactBody,
  redactPlain,
  redactProse,
  redactUnlisted,
  redactValue,
  listSecrets,
  maskPlainSecrets,
} from './redact/index.ts';
export { isInterfaceWord } from './redact/words.ts';
export { restoreSpelling } from './codec/restore.ts';
