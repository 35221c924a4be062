/** Messages between the test and the stand-in's process over Node's own IPC. */
export interface Ask {
  readonly id: number;
  readonly type: 'evaluate' | 'quit';
  /** Source of a function that takes (electron, argument). */
  readonly source?: string;
  readonly argument?: unknown;
}

export type Reply =
  | { readonly type: 'started' }
  | { readonly type: 'window'; readonly url: string }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string };
