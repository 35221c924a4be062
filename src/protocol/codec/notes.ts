/** Remarks of a read, for people: bounded, and never with a value in them. */
import { joinPath } from '../fields/path.ts';
import { shownName } from './problems.ts';

const MOST = 100;

/** What a document holds and the definition does not know. */
export interface UnlistedNode {
  readonly path: string;
  readonly read: () => unknown;
}

export class Notes {
  readonly list: string[] = [];
  readonly unlisted: UnlistedNode[] = [];
  private omitted = 0;

  add(note: string): void {
    if (this.list.length < MOST) this.list.push(note);
    else this.omitted += 1;
  }

  /** `path` holds names of the definition only. */
  about(path: string, note: string | undefined): void {
    if (note !== undefined) this.add(`${path === '' ? 'The document' : path} ${note}.`);
  }

  /** `read` gives the value, where somebody asks for it. */
  unknown(path: string, name: string, read: () => unknown): void {
    if (this.unlisted.length < MOST) this.unlisted.push({ path: joinPath(path, shownName(name)), read });
    this.add(
      `${path === '' ? '' : `${path}: `}${shownName(name)} is not in the specification; it is kept as it is.`,
    );
  }

  all(): readonly string[] {
    return this.omitted === 0 ? this.list : [...this.list, `${this.omitted} further notes were left out.`];
  }
}
