/** What a window that is loaded anew needs to go on where it was, kept by the window itself; never a secret. */
import type { PlanSource } from './plan-at-hand.ts';
import type { ValuesFile } from './template/values-file.ts';
import type { RawValues } from './template/variables.ts';
import { readOwnJson } from '#shared/read-json.ts';

const VERSION = 1;

export interface ApplyDraft {
  readonly version: typeof VERSION;
  /** A template at hand; else the text of a file. */
  readonly templateId?: string | undefined;
  readonly file?: { readonly name: string; readonly text: string } | undefined;
  readonly raw: RawValues;
  readonly valuesFile?: ValuesFile | undefined;
  readonly deviceIds: readonly string[];
  /** Where the plan came from that the address names. */
  readonly source: PlanSource;
}

const KEY = 'fieldwright.apply';

/** Undefined where nothing was kept, or by a version that kept it otherwise. */
export function readDraft(): ApplyDraft | undefined {
  try {
    const draft = readOwnJson(sessionStorage.getItem(KEY) ?? 'null') as ApplyDraft | null;
    return draft?.version === VERSION ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** What is too large, or may not be kept here, is chosen again. */
export function keepDraft(draft: Omit<ApplyDraft, 'version'>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ version: VERSION, ...draft }));
  } catch {
    sessionStorage.removeItem(KEY);
  }
}
