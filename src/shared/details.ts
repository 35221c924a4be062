import { VALUES } from './details/values.ts';
import { DOCUMENTS } from './details/documents.ts';
import { REQUESTS } from './details/requests.ts';
import { TEMPLATES } from './details/templates.ts';
import { YAML } from './details/yaml.ts';
import { FILES } from './details/files.ts';
import { PLANS } from './details/plans.ts';
import { JOBS } from './details/jobs.ts';
import { DEVICE } from './details/device.ts';
import { INVENTORY } from './details/inventory.ts';
import { DISCOVERY } from './details/discovery.ts';
import { APP } from './details/app.ts';
import { CLI } from './details/cli/program.ts';
import { CLI_REFUSALS } from './details/cli/refusals.ts';
import { CLI_OUTPUT } from './details/cli/output.ts';
import { FLOW } from './details/flow/flow.ts';
import { FLOW_THERMAL } from './details/flow/thermal.ts';
import { FLOW_GATE } from './details/flow/gate.ts';
import { PEOPLE } from './details/people.ts';
import { PRINTS } from './details/prints.ts';
import { MODEL } from './details/model.ts';
import { REPORT } from './details/report.ts';
import { TRANSFER_SERVE } from './details/transfer-serve.ts';
import { REPORTS } from './details/reports.ts';
import { STATUS, buildStatusSentences } from './details/status.ts';

const AREAS = [
  VALUES,
  DOCUMENTS,
  REQUESTS,
  TEMPLATES,
  YAML,
  FILES,
  PLANS,
  JOBS,
  DEVICE,
  INVENTORY,
  DISCOVERY,
  APP,
  CLI,
  CLI_REFUSALS,
  CLI_OUTPUT,
  FLOW,
  FLOW_THERMAL,
  FLOW_GATE,
  PEOPLE,
  PRINTS,
  MODEL,
  REPORT,
  TRANSFER_SERVE,
  REPORTS,
  buildStatusSentences(STATUS.en),
] as const satisfies readonly Readonly<Record<string, string>>[];
type Together<Areas extends readonly unknown[]> = Areas extends readonly [infer Area, ...infer Others]
  ? Area & Together<Others>
  : unknown;

/**
 * What exactly is wrong, or why something was changed, as data: an id and named values. The English
 * sentences stand here once, for engine and command line, a file for each area; Chinese has its own by
 * id, in `resources/locales/zh-CN.details`. A second line is a hint: what to try next. What begins with
 * `device.` is what a device did, or the way to it; screens have words of their own for it, by the code of
 * the error. A value that is one of `TERMS` is a word and not a name: it is translated as well.
 */
// With a prototype V8 makes a shape for each of a thousand sentences, which takes every start 5 ms.
export const DETAILS: Together<typeof AREAS> = /* @__PURE__ */ Object.assign(Object.create(null), ...AREAS);
export type DetailId = keyof typeof DETAILS;

/** `{name}`, or `{name:one|several}` by its number; neither `{ }` nor the `${name}` of a template is one. */
type NamesIn<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}$`
    ? NamesIn<Rest>
    : Rest extends `${infer Name}}${infer After}`
      ? Exclude<Name extends `${infer Of}:${string}|${string}` ? Of : Name, ' '> | NamesIn<After>
      : never
  : never;
type NamesOf<Id extends DetailId> = NamesIn<(typeof DETAILS)[Id]>;
/** The values that a sentence names: all of them, and no others. */
export type ValuesOf<Id extends DetailId> = [NamesOf<Id>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Id>, string | number>>];
/** Sentences that name no values. */
export type BareDetailId = { [Id in DetailId]: ValuesOf<Id> extends [] ? Id : never }[DetailId];

/** Words among the values of a detail; everything else is a name or a number. */
export const TERMS = [
  'nothing',
  'a list',
  'an object',
  'text',
  'a whole number',
  'a number',
  'true or false',
  'one of its options',
  'a date and time',
  'a date',
  'a time',
  'a time of day',
  'a value',
  'a name',
  'no lowest',
  'no highest',
  'any number of',
  'This value',
  'The value',
  'The list',
  'A template',
  'A section',
  'A variable',
  'A name',
  'A tag',
  'an empty body',
  'plain text',
  'a web page (HTML)',
  'a single value',
  'none',
  'the whole list',
  'The document',
] as const;

export interface Detail {
  readonly id: DetailId;
  /** Numbers, and names cut to a bounded length. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** The device's own reason, in its own words; every sentence made of the detail ends with it. */
  readonly reason?: string;
}

const LONGEST = 300;

/** A detail with its values bounded: names in files and values of devices may be of any length. */
export function createDetail<Id extends DetailId>(id: Id, ...[values]: ValuesOf<Id>): Detail {
  if (values === undefined) return { id };
  const cut = Object.entries<string | number>(values).map(([name, value]) => [
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

/**
 * A sentence with the values in their places, and the word that goes with a number: `{count} {count:device|devices}`.
 * `{name}` stays where no such value is given.
 */
export function fillSentence(sentence: string, values: Detail['values'] = {}): string {
  return sentence.replace(
    /\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g,
    (whole, name: string, one?: string, several?: string) => {
      if (!Object.hasOwn(values, name)) return whole;
      if (one === undefined || several === undefined) return String(values[name]);
      return Number(values[name]) === 1 ? one : several;
    },
  );
}

/** Adds the device's reason to what is said, before a hint; `pattern` is the sentence `device.says` of the language. */
export function addReason(text: string, reason: string | undefined, pattern: string): string {
  if (reason === undefined) return text;
  const [sentence = '', ...hint] = text.split('\n');
  return [fillSentence(pattern, { sentence, reason }), ...hint].join('\n');
}

/** The English sentence. */
export function formatDetail({ id, values, reason }: Detail): string {
  return addReason(fillSentence(DETAILS[id], values), reason, DETAILS['device.says']);
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

/** Like `say`, with the reason that the device gave. */
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

/** What happened, and what to try, as an entry of the catalogue holds them: in two lines. */
export function splitSentences(text: string): Sentences {
  const [message = '', hint] = text.split('\n');
  return hint === undefined ? { message } : { message, hint };
}
