import { computed, shallowRef, watch, type Ref } from 'vue';
import type { TemplateEntry } from '#shared/model.ts';
import type { Beginning } from '../templates.store.ts';
import { keepDrafts, readDrafts, type Draft } from './drafts.ts';
import type { Session } from './editor-session.ts';

const PAUSE_MS = 500;

interface DraftOptions {
  readonly id: () => string;
  readonly session: Session;
  readonly entry: Ref<TemplateEntry | undefined>;
  readonly beginning: Ref<Beginning | undefined>;
  /** The text that was loaded. */
  readonly base: Ref<string>;
}

/** Keeps unsaved text while a person types, and offers it when the template is opened again. */
export function useDraft({ id, session, entry, beginning, base }: DraftOptions) {
  /** Undecided drafts, newest first: kept beside the text typed meanwhile. */
  const offered = shallowRef<readonly Draft[]>([]);
  /** A new text that came back by itself: it is in the editor. */
  const restored = shallowRef<Draft>();
  let isReading = false;
  let keeping: ReturnType<typeof setTimeout> | undefined;
  const draftId = computed(() => (entry.value === undefined ? 'new' : id()));

  function clear(): void {
    offered.value = [];
    restored.value = undefined;
  }
  // A new text that is saved has a name from then on: drafts of other new ones are none of its own.
  watch(draftId, clear, { flush: 'sync' });

  /** Loads a text, and says whether there was another one typed. */
  async function open(text: string): Promise<void> {
    clear();
    isReading = true;
    session.load(text);
    const opened = draftId.value;
    const kept = await readDrafts(opened);
    // Another one was opened meanwhile.
    if (opened !== draftId.value) return;
    isReading = false;
    const others = kept.filter((draft) => draft.text !== session.text.value);
    // A new text that was just begun on purpose is not pushed aside.
    if (entry.value === undefined && beginning.value === undefined) restored.value = others.shift();
    if (restored.value !== undefined) session.load(restored.value.text);
    offered.value = others;
    keep();
  }

  function take(): void {
    const [newest, ...older] = offered.value;
    if (newest !== undefined) session.edit({ text: newest.text });
    offered.value = older;
  }

  /** Drops the restored draft, else the first one offered. */
  function drop(): void {
    if (restored.value === undefined) offered.value = offered.value.slice(1);
    else session.load('');
    restored.value = undefined;
    write();
  }

  /** Drops the draft of the current text, which was saved or discarded; offered drafts stay. */
  function forget(): Promise<void> {
    clearTimeout(keeping);
    return keepDrafts(draftId.value, offered.value);
  }

  watch(session.text, keep);
  function keep(): void {
    clearTimeout(keeping);
    // Stored drafts must not be overwritten before they are read.
    if (!isReading) keeping = setTimeout(write, PAUSE_MS);
  }

  function write(): void {
    void keepDrafts(draftId.value, [...unsaved(), ...offered.value]);
  }

  function unsaved(): readonly Draft[] {
    const text = session.text.value;
    if (text === base.value || text.trim() === '') return [];
    return [
      {
        text,
        base: base.value,
        at: new Date().toISOString(),
        ...(entry.value?.version !== undefined && { baseVersion: entry.value.version }),
      },
    ];
  }

  const draft = computed(() => restored.value ?? offered.value[0]);
  return { draft, restored, open, take, drop, forget };
}
