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

/** Number of drafts of one text; the oldest is dropped first. */
const MOST_KEPT = 5;
const store = () => createStore('fieldwright-drafts', 'templates');

/**
 * Reads the unsaved drafts of a text, newest first. A browser may refuse to store drafts; they then last as
 * long as the window.
 */
export async function readDrafts(id: string): Promise<readonly Draft[]> {
  try {
    const kept = await get<Draft | readonly Draft[]>(id, store());
    // Versions before kept one by itself.
    return [kept ?? []]
      .flat()
      .filter((draft) => typeof draft.text === 'string' && typeof draft.base === 'string');
  } catch {
    return [];
  }
}
export async function keepDrafts(id: string, drafts: readonly Draft[]): Promise<void> {
  try {
    await (drafts.length === 0 ? del(id, store()) : set(id, drafts.slice(0, MOST_KEPT), store()));
  } catch {
    // nothing to do: see above
  }
}
