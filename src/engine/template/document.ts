/** A template as the engine works with it: every name known, every place in the file kept. */
import type { Resource } from '#protocol/index.ts';
import type { DeviceKind, Params, TemplateVariable } from '#shared/model.ts';
import type { ListChange } from '#template/list-change.ts';
import type { SourceTree } from '#template/source-tree.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';

export interface VariableDeclaration extends TemplateVariable {
  /** Regular expression that the whole text must match. */
  readonly pattern?: string;
}

export interface TemplateSection {
  /** Position in the template, from 0. */
  readonly index: number;
  /** Operation id without `.get` and `.put`. */
  readonly set: string;
  readonly resource: Resource;
  /** Parameters as written; a value may be a placeholder. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Value as written, with placeholders, and with the items of lists that are changed in part. */
  readonly value: unknown;
  /** Lists of which only the items in `value` are set or removed. */
  readonly change: readonly ListChange[];
  readonly optional: boolean;
  readonly clamp: boolean;
}

export interface TemplateDocument {
  readonly name: string;
  readonly description?: string;
  /** Empty: for every kind of device. */
  readonly kinds: readonly DeviceKind[];
  readonly variables: readonly VariableDeclaration[];
  readonly sections: readonly TemplateSection[];
  readonly tree: SourceTree;
  readonly file?: string;
}

/** A section with the values of one device in place of its variables. */
export interface ResolvedSection {
  readonly index: number;
  readonly set: string;
  readonly resource: Resource;
  readonly params: Params;
  /** Patch of the payload: what is not named stays as the device has it. */
  readonly value: unknown;
  /** Lists of which only the items in `value` are set or removed; absent if there are none. */
  readonly change?: readonly ListChange[];
  readonly optional: boolean;
  readonly clamp: boolean;
  /** Paths inside `value` whose secret was not given; they hold a placeholder value. */
  readonly open: ReadonlySet<string>;
}

/** Names what a section sets on a device: the setting with its channel, preset, … */
export function getSectionKey(set: string, params: Params): string {
  return encodeCanonicalJson([set, params]);
}
