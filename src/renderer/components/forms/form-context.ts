/** What the fields of one form share. */
import { inject, provide, type ComputedRef, type InjectionKey } from 'vue';
import type { Constraints } from '../../../protocol/capability/constraints.ts';
import type { Field, Payload } from '../../../protocol/definition.ts';
import type { Issue } from '../../../protocol/validate.ts';
import type { WordContext } from './form-words.ts';

export interface FormContext {
  readonly payload: ComputedRef<Payload>;
  readonly words: ComputedRef<WordContext>;
  /** The whole edited value. */
  readonly value: ComputedRef<unknown>;
  /** As read; undefined for a request that is written from nothing. */
  readonly original: ComputedRef<unknown>;
  readonly constraints: ComputedRef<Constraints | undefined>;
  readonly readOnly: ComputedRef<boolean>;
  /** By path; what is only missing is told once the person tried to send. */
  readonly issues: ComputedRef<ReadonlyMap<string, Issue>>;
  /** The field that a link leads to. */
  readonly target: ComputedRef<string | undefined>;
  label(field: Field, path: string): string;
  set(path: string, next: unknown): void;
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
