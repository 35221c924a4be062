/**
 * Draft of the wizard that survives a reload of the window, kept by the window itself; never holds a secret.
 */
import type { PlanSource } from './plan-at-hand.ts';
import type { ValuesFile } from './template/values-file.ts';
import type { RawValues } from './template/variables.ts';
import { readOwnJson } from '#shared/read-json.ts';

const VERSION = 1;

export interface ApplyDraft {
  readonly version: typeof VERSION;
  /** Id of a saved template; absent for the text of a file. */
  readonly templateId?: string | undefined;
  readonly file?: { readonly name: string; readonly text: string } | undefined;
  readonly raw: RawValues;
  readonly valuesFile?: ValuesFile | undefined;
  readonly deviceIds: readonly string[];
  readonly source: PlanSource;
}

const KEY = 'fieldwright.apply';

/** Returns the draft; undefined if there is none, or one of another version. */
export function readDraft(): ApplyDraft | undefined {
  try {
    const draft = readOwnJson(sessionStorage.getItem(KEY) ?? 'null') as ApplyDraft | null;
    return draft?.version === VERSION ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the draft; one that is too large, or may not be kept here, has to be chosen again. */
export function keepDraft(draft: Omit<ApplyDraft, 'version'>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ version: VERSION, ...draft }));
  } catch {
    sessionStorage.removeItem(KEY);
  }
}
