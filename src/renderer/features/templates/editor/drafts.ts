/**
 * Unsaved work survives a reload or a crash: the text is kept in this browser's own database beside
 * the version it began from. Templates hold no secrets; drafts are dropped once they are saved.
 */
import { createStore, del, get, set } from 'idb-keyval';

export interface Draft {
  readonly text: string;
  readonly baseVersion?: number;
  /** The text it began from: a draft equal to it says nothing. */
  readonly base: string;
  /** ISO 8601. */
  readonly at: string;
}

const store = () => createStore('fieldwright-drafts', 'templates');

/** A browser may refuse to keep anything; then a draft lives as long as the window. */
export async function readDraft(id: string): Promise<Draft | undefined> {
  try {
    const draft = await get<Draft>(id, store());
    return typeof draft?.text === 'string' && typeof draft.base === 'string' ? draft : undefined;
  } catch {
    return undefined;
  }
}
export async function keepDraft(id: string, draft: Draft | undefined): Promise<void> {
  try {
    await (draft === undefined ? del(id, store()) : set(id, draft, store()));
  } catch {
    // nothing to do: see above
  }
}
