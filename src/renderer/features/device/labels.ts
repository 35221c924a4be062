import type { Operation } from '#protocol/definition.ts';
import type { FieldLabels } from '#renderer/common/labels/field-labels.ts';

/** Name of an operation in the language of the screen. */
export function getOperationLabel(words: FieldLabels, operation: Pick<Operation, 'id' | 'label'>): string {
  return words[operation.id] ?? operation.label;
}
