import { computed, shallowRef, watch, type Ref } from 'vue';
import type { TemplateEntry } from '../../../../shared/model.ts';
import type { Beginning } from '../templates.store.ts';
import { keepDraft, readDraft, type Draft } from './drafts.ts';
import type { Session } from './editor-session.ts';

const PAUSE_MS = 500;

interface DraftOptions {
  readonly id: () => string;
  readonly session: Session;
  /** What is saved under the id. */
  readonly entry: Ref<TemplateEntry | undefined>;
  readonly beginning: Ref<Beginning | undefined>;
  /** The text that was loaded. */
  readonly base: Ref<string>;
}

/** What was typed and not saved: kept while somebody types, and offered when the text is opened again. */
export function useDraft({ id, session, entry, beginning, base }: DraftOptions) {
  /** What is offered. */
  const draft = shallowRef<Draft>();
  let isReading = false;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  const draftId = computed(() => (entry.value === undefined ? 'new' : id()));

  /** Loads a text, and says whether there was another one typed. */
  async function open(text: string): Promise<void> {
    draft.value = undefined;
    isReading = true;
    session.load(text);
    const opened = draftId.value;
    const kept = await readDraft(opened);
    // Another one was opened meanwhile.
    if (opened !== draftId.value) return;
    isReading = false;
    const isNew = entry.value === undefined;
    // A new text was just begun on purpose: an older draft of another new one does not push it aside.
    if (kept === undefined || kept.text === session.text.value || (isNew && beginning.value !== undefined)) {
      keep();
      return;
    }
    if (isNew) session.load(kept.text);
    draft.value = kept;
  }

  function take(): void {
    if (draft.value !== undefined) session.edit({ text: draft.value.text });
    draft.value = undefined;
  }

  function drop(): void {
    draft.value = undefined;
    if (id() === 'new' && beginning.value === undefined) session.load('');
    void keepDraft(draftId.value, undefined);
  }

  /** What was typed is saved, or given up. */
  function forget(): Promise<void> {
    clearTimeout(keeping);
    return keepDraft(draftId.value, undefined);
  }

  watch(session.text, keep);
  function keep(): void {
    clearTimeout(keeping);
    // A draft that nobody has read or decided about yet is not written over, by a text that was only loaded least of all.
    if (isReading || (draft.value !== undefined && id() !== 'new')) return;
    keeping = setTimeout(() => void keepDraft(draftId.value, unsaved()), PAUSE_MS);
  }

  function unsaved(): Draft | undefined {
    const text = session.text.value;
    if (text === base.value || text.trim() === '') return undefined;
    return {
      text,
      base: base.value,
      at: new Date().toISOString(),
      ...(entry.value?.version !== undefined && { baseVersion: entry.value.version }),
    };
  }

  return { draft, open, take, drop, forget };
}
