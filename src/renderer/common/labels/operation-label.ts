import type { Operation } from '#protocol/definition.ts';
import type { FieldLabels } from './field-labels.ts';

export function getOperationLabel(words: FieldLabels, operation: Pick<Operation, 'id' | 'label'>): string {
  return words[operation.id] ?? operation.label;
}
