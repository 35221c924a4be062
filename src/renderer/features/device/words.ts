import type { Operation } from '../../../protocol/definition.ts';
import type { FieldWords } from '../../common/words/field-words.ts';

/** Name of an operation in the language of the screen. */
export function operationLabel(words: FieldWords, operation: Pick<Operation, 'id' | 'label'>): string {
  return words[operation.id] ?? operation.label;
}
