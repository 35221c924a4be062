/** Types of `t` and `te`: ids of the catalogue, and the values that each English message names. */
import type { EngineSentences, ScreenSentences } from '#locales/names.ts';
import type { Composer } from 'vue-i18n';
import type { reveal } from './format.ts';

type Messages = EngineSentences & ScreenSentences;
type MessageId = keyof Messages;
/** Names of the values of any of these messages. */
type NamesOf<Id extends MessageId> = Id extends unknown ? keyof Messages[Id] & string : never;
type ValueOf<Values, Name extends string> =
  Values extends Readonly<Record<Name, infer Value>> ? Value : never;
/** Messages that name no values. */
export type BareMessageId = {
  [Id in MessageId]: [keyof Messages[Id]] extends [never] ? Id : never;
}[MessageId];
/** Ends of the ids below a prefix: `video` for `models.board.video`. */
export type KeyBelow<Prefix extends string, Id = BareMessageId> = Id extends `${Prefix}.${infer Key}`
  ? Key
  : never;

/** Returns a message in the language of the screen. An id made of parts needs the values of each that it may be. */
export interface Translate {
  (id: BareMessageId): string;
  <Id extends MessageId>(
    id: Id,
    values: { readonly [Name in NamesOf<Id>]: ValueOf<Messages[Id], Name> },
  ): string;
}

interface Words extends Omit<Composer, 't' | 'te'> {
  readonly t: Translate;
  /** Returns whether there is a message of an id that a device, or another version, had a part in. */
  te(id: string): id is BareMessageId;
}

declare module 'vue-i18n' {
  export function useI18n(): Words;
}
declare module 'vue' {
  /** Functions of every template, without an import. */
  interface ComponentCustomProperties extends Pick<Words, 't' | 'n'> {
    readonly reveal: typeof reveal;
  }
}
