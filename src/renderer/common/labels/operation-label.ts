import type { Operation } from '#protocol/definition.ts';
import type { FieldLabels } from './field-labels.ts';

/** Returns the name of an operation in the language of the screen. */
export function getOperationLabel(words: FieldLabels, operation: Pick<Operation, 'id' | 'label'>): string {
  return words[operation.id] ?? operation.label;
}
