/** Remarks of a read, for people: bounded, and never with a value in them. */
import { joinPath } from '../value.ts';
import { shownName } from './problems.ts';

const MOST = 100;

export class Notes {
  readonly list: string[] = [];
  /** Paths of what the definition does not know. */
  readonly undescribed: string[] = [];
  private omitted = 0;

  add(note: string): void {
    if (this.list.length < MOST) this.list.push(note);
    else this.omitted += 1;
  }

  /** `path` holds names of the definition only. */
  about(path: string, note: string | undefined): void {
    if (note !== undefined) this.add(`${path === '' ? 'The document' : path} ${note}.`);
  }

  unknown(path: string, name: string): void {
    if (this.undescribed.length < MOST) this.undescribed.push(joinPath(path, shownName(name)));
    this.add(`${path === '' ? '' : `${path}: `}${shownName(name)} is not in the specification; it is kept as it is.`);
  }

  all(): readonly string[] {
    return this.omitted === 0 ? this.list : [...this.list, `${this.omitted} further notes were left out.`];
  }
}
