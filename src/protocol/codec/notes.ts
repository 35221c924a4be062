/** Remarks of a read, for people: bounded, and never with a value in them. */
import { detailOf, type Detail, type DetailId, type ValuesOf } from '../../shared/details.ts';
import { joinPath } from '../fields/path.ts';
import { shownName } from './problems.ts';

const MOST = 100;

/** Sentences that name a field and nothing else. */
export type FieldRemark = {
  [Id in DetailId]: [Readonly<Record<'field', string>>] extends ValuesOf<Id> ? Id : never;
}[Extract<DetailId, `read.${string}`>];

/** What a document holds and the definition does not know. */
export interface UnlistedNode {
  readonly path: string;
  readonly read: () => unknown;
}

export class Notes {
  readonly list: Detail[] = [];
  readonly unlisted: UnlistedNode[] = [];
  private omitted = 0;

  add(note: Detail): void {
    if (this.list.length < MOST) this.list.push(note);
    else this.omitted += 1;
  }

  /** `path` holds names of the definition only. */
  about(path: string, remark: FieldRemark | undefined): void {
    if (remark !== undefined) this.add(detailOf(remark, { field: namedField(path) }));
  }

  /** `read` gives the value, where somebody asks for it. */
  unknown(path: string, name: string, read: () => unknown): void {
    const field = joinPath(path, shownName(name));
    if (this.unlisted.length < MOST) this.unlisted.push({ path: field, read });
    this.add(detailOf('read.unlisted', { field }));
  }

  all(): readonly Detail[] {
    return this.omitted === 0 ? this.list : [...this.list, detailOf('read.more', { count: this.omitted })];
  }
}

/** How a remark names the field at a path. */
export function namedField(path: string): string {
  return path === '' ? 'The document' : path;
}
