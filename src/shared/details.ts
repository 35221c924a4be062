import type { EngineSentences } from '#locales/names.ts';
import type { Detail, DetailId } from './details/detail.ts';
import { ENGLISH, writeDetail } from './details/languages.ts';

export type { Detail, DetailId };

type NamesOf<Id extends DetailId> = Id extends DetailId ? keyof EngineSentences[Id] & string : never;
type ValueOf<Values, Name extends string> =
  Values extends Readonly<Record<Name, infer Value>> ? Value : never;
/** Values that a sentence names: all of them, and no others. */
export type ValuesOf<Id extends DetailId> = [NamesOf<Id>] extends [never]
  ? []
  : [values: { readonly [Name in NamesOf<Id>]: ValueOf<EngineSentences[Id], Name> }];
/** Sentences that name no values. */
export type BareDetailId = { [Id in DetailId]: ValuesOf<Id> extends [] ? Id : never }[DetailId];

const LONGEST = 300;

/** A detail with its values bounded: names in files and values of devices may be of any length. */
export function createDetail<Id extends DetailId>(id: Id, ...[values]: ValuesOf<Id>): Detail {
  if (values === undefined) return { id };
  const cut = Object.entries(values as Readonly<Record<string, string | number>>).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value,
  ]);
  return { id, values: Object.fromEntries(cut) as Record<string, string | number> };
}

/** The detail with its values as `show` gives them; which sentence it is stays, whatever is hidden. */
export function mapDetailValues({ id, values, reason }: Detail, show: (text: string) => string): Detail {
  const shown = Object.entries(values ?? {}).map(
    ([name, value]) => [name, typeof value === 'string' ? show(value) : value] as const,
  );
  return {
    id,
    ...(values === undefined ? {} : { values: Object.fromEntries(shown) }),
    ...(reason === undefined ? {} : { reason: show(reason) }),
  };
}

/** Returns the English sentence. */
export function formatDetail(detail: Detail): string {
  return writeDetail(ENGLISH, detail);
}

/** Returns whether the catalogue has a sentence of this id. */
export function isDetailId(id: string): id is DetailId {
  return ENGLISH.sentences[id] !== undefined;
}

/** Sentence of an error: what happened, and what to do about it. */
interface Sentences {
  readonly message: string;
  readonly hint?: string;
}

/** Message, detail and, where its entry has one, hint of an error at once. */
export function say<Id extends DetailId>(
  id: Id,
  ...values: ValuesOf<Id>
): Sentences & { readonly detail: Detail } {
  return sayDetail(createDetail(id, ...values));
}

/** Returns what `say` returns, with the reason that the device gave. */
export function sayWithReason<Id extends DetailId>(
  reason: string | undefined,
  id: Id,
  ...values: ValuesOf<Id>
): ReturnType<typeof say> {
  const detail = createDetail(id, ...values);
  return sayDetail(reason === undefined ? detail : { ...detail, reason });
}

function sayDetail(detail: Detail): ReturnType<typeof say> {
  return { ...splitSentences(formatDetail(detail)), detail };
}

/** The first of many names, and how many more there are. */
export function formatSomeNames(names: readonly string[], most = 10, comma = ', '): string {
  return names.length <= most
    ? names.join(comma)
    : `${names.slice(0, most).join(comma)} … (+${names.length - most})`;
}

/** Splits an entry of the catalogue into its two lines: the message, and the hint what to try. */
export function splitSentences(text: string): Sentences {
  const [message = '', hint] = text.split('\n');
  return hint === undefined ? { message } : { message, hint };
}
