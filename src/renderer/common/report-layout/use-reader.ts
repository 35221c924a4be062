import { computed, type ComputedRef } from 'vue';
import { Reader } from '#report-layout/reader.ts';
import { useFieldLabels } from '../labels/field-labels.ts';

/** Reads the words and values of documents in the language of the screen. */
export function useReader(): ComputedRef<Reader> {
  const loaded = useFieldLabels();
  return computed(() => new Reader(loaded.value));
}
