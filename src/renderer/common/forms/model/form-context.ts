import { inject, provide, type ComputedRef, type InjectionKey } from 'vue';
import type { Constraints } from '#protocol/capability/types.ts';
import type { Field, Payload } from '#protocol/definition.ts';
import type { Issue } from '#protocol/issue.ts';
import type { FormParts } from '../templates/form-parts.ts';
import type { WordContext } from './form-labels.ts';

/**
 * A form that writes a template: only fields that are named count, `null` removes one on the device,
 * and a variable may stand in place of a value. Entries of lists are whole values as everywhere.
 */
export interface TemplateForm {
  /** Asks which variable, and puts it in place of the value; absent where there are no variables. */
  toVariable?(field: Field, path: string): void;
  /** Puts a value in place of a variable or of `null`. */
  toValue(field: Field, path: string): void;
  /** Lists that are changed in part; absent where all are whole. */
  readonly parts?: ComputedRef<FormParts>;
  /** Changes a list in part, or as a whole without `part`. */
  setPart?(path: string, part: FormParts[string] | undefined): void;
}

/** Groups in which the fields of the root are shown, each with the words of its title, and the names of its fields. */
export type RootGroups = readonly {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly string[];
}[];

interface FormContext {
  readonly payload: ComputedRef<Payload>;
  readonly words: ComputedRef<WordContext>;
  readonly value: ComputedRef<unknown>;
  /** Value as read; undefined for a request that is written from nothing. */
  readonly original: ComputedRef<unknown>;
  readonly constraints: ComputedRef<Constraints | undefined>;
  readonly readOnly: ComputedRef<boolean>;
  /** Ids that belong to the interface are left out. */
  readonly quiet: ComputedRef<boolean>;
  readonly groups: ComputedRef<RootGroups | undefined>;
  /** Issues by path; values that are only missing are reported once the person tried to send. */
  readonly issues: ComputedRef<ReadonlyMap<string, Issue>>;
  /** Warnings by path: unusual values, which may be sent all the same. */
  readonly warnings: ComputedRef<ReadonlyMap<string, Issue>>;
  /** The field that a link leads to. */
  readonly target: ComputedRef<string | undefined>;
  readonly template?: TemplateForm;
  label(field: Field, path: string): string;
  /** The field with unit and limits as they are in the document: the edited one, or another. */
  inUnit<F extends Field>(field: F, document?: unknown): F;
  set(path: string, next: unknown): void;
  /** Takes a field out; in a template the device then keeps what it has. */
  remove(path: string): void;
  /** A text that is no value at all (broken JSON) stands against sending, whatever the value says. */
  unreadable(path: string, isUnreadable: boolean): void;
}

const KEY: InjectionKey<FormContext> = Symbol('form');

export function provideForm(form: FormContext): void {
  provide(KEY, form);
}
export function useForm(): FormContext {
  const form = inject(KEY);
  if (form === undefined) throw new Error('A field stands outside of a PayloadForm.');
  return form;
}
