/** Remarks of a read, for people: bounded, and never with a value in them. */
import { createDetail, type Detail, type DetailId, type ValuesOf } from '#shared/details.ts';
import { joinPath } from '../fields/path.ts';
import { toDisplayName } from './problems.ts';

const MOST = 100;

/** Sentences that name a field and nothing else. */
export type FieldRemark = {
  [Id in DetailId]: [Readonly<Record<'field', string>>] extends ValuesOf<Id> ? Id : never;
}[Extract<DetailId, `read.${string}`>];

/** Node of a document that the definition does not know. */
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
    if (remark !== undefined) this.add(createDetail(remark, { field: nameField(path) }));
  }

  /** Notes oddities in the text of a single value; `isLimited`: limits are given beside it. */
  aboutLeaf(
    path: string,
    remark: FieldRemark,
    _leaf: { readonly text: string; readonly isLimited: boolean },
  ): void {
    this.about(path, remark);
  }

  /** Notes a value that came in another shape than its field has. */
  aboutShape(path: string, remark: Detail | FieldRemark): void {
    if (typeof remark === 'string') this.about(path, remark);
    else this.add(remark);
  }

  /** Notes an unknown node; `read` gives its value on demand. */
  unknown(path: string, name: string, read: () => unknown): void {
    const field = joinPath(path, toDisplayName(name));
    if (this.unlisted.length < MOST) this.unlisted.push({ path: field, read });
    this.add(createDetail('read.unlisted', { field }));
  }

  all(): readonly Detail[] {
    return this.omitted === 0
      ? this.list
      : [...this.list, createDetail('read.more', { count: this.omitted })];
  }
}

/** Flags and counts that are neither, where no limits say what they may be. */
const NO_CAPABILITY: ReadonlySet<FieldRemark> = new Set(['read.no-bool', 'read.no-number']);

/**
 * Notes about a capability document (part 1, 2; part 2, 3). It describes the allowed values of a field: the
 * text of a leaf may be missing, a sample or a list of values, and limits replace lists and objects.
 */
export class CapabilityNotes extends Notes {
  override aboutLeaf(
    path: string,
    remark: FieldRemark,
    { text, isLimited }: { readonly text: string; readonly isLimited: boolean },
  ): void {
    if (NO_CAPABILITY.has(remark) && !isLimited && text.trim() !== '' && !text.includes(','))
      this.about(path, remark);
  }

  override aboutShape(): void {
    // Any shape is a way to tell limits.
  }

  override unknown(path: string, name: string, read: () => unknown): void {
    // `@size` and `@opt` also occur among the members of an object.
    if (!name.startsWith('@')) super.unknown(path, name, read);
  }
}

/** How a remark names the field at a path. */
export function nameField(path: string): string {
  return path === '' ? 'The document' : path;
}
