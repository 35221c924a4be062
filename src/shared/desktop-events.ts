/** Events that the desktop around the page brings to it. */
import type { ErrorShape } from './errors.ts';
import type { FileKind } from './file-types.ts';

export type DesktopEvent =
  /** The person clicked the notification of this job. */
  | { readonly type: 'job'; readonly id: string; readonly kind: string }
  /** The person opened a file with the app: a double click, or a drop on its icon. */
  | { readonly type: 'file'; readonly kind: FileKind; readonly name: string; readonly base64: string }
  /** A file that the person opened cannot be used. */
  | { readonly type: 'file-refused'; readonly error: ErrorShape }
  /** A file of the page was saved where the person chose. */
  | { readonly type: 'saved'; readonly id: number; readonly name: string };
