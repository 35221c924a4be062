/** Differences between two templates besides their settings, line by line in the words of the catalogue. */
import type { TemplateComparison } from './authoring.ts';
import type { BareDetailId, Detail } from '../details.ts';
import { DEVICE_KINDS, type Change, type TemplateVariable } from '../model.ts';
import { placeOf } from '../place.ts';

/** `before` and `after`: one text for each item of a list; undefined where that side says nothing. */
export interface ComparedLine {
  readonly label: BareDetailId;
  readonly before: readonly (Detail | string)[] | undefined;
  readonly after: readonly (Detail | string)[] | undefined;
}

const OF_TEMPLATE: Readonly<Record<string, BareDetailId>> = {
  name: 'template.name',
  description: 'template.description',
  'appliesTo.kinds': 'template.kinds',
  sections: 'template.order',
};
const OF_VARIABLE = {
  type: 'template.type',
  required: 'template.required',
  default: 'template.default',
  min: 'template.min',
  max: 'template.max',
  options: 'template.options',
  description: 'template.description',
} as const satisfies Partial<Record<keyof TemplateVariable, BareDetailId>>;
const OF_SECTION: Readonly<Record<string, BareDetailId>> = {
  optional: 'template.optional',
  clamp: 'template.clamp',
  change: 'template.change',
};
const PARAM = 'params.';

/** Lists the lines of the template itself: its name, its description, the order of its sections. */
export function listTemplateLines({ other }: TemplateComparison): readonly ComparedLine[] {
  return other.flatMap(({ path, before, after }) => {
    const label = OF_TEMPLATE[path];
    return label === undefined ? [] : [lineOf(label, path, before, after)];
  });
}

/** Lists the differences of a variable; all its lines if only one side has the variable. */
export function listVariableLines({
  before,
  after,
}: TemplateComparison['variables'][number]): readonly ComparedLine[] {
  return (Object.keys(OF_VARIABLE) as (keyof typeof OF_VARIABLE)[])
    .map((name) => lineOf(OF_VARIABLE[name], name, before?.[name], after?.[name]))
    .filter(({ before: old, after: now }) => JSON.stringify(old) !== JSON.stringify(now));
}

/** Returns the line for a change of a section's options or channel; undefined for a change of a setting. */
export function toSectionLine({ path, from, to }: Change): ComparedLine | undefined {
  const label = path.startsWith(PARAM) ? 'reports.place' : OF_SECTION[path];
  return label === undefined ? undefined : lineOf(label, path, from, to);
}

function lineOf(label: BareDetailId, path: string, before: unknown, after: unknown): ComparedLine {
  return { label, before: texts(path, before), after: texts(path, after) };
}

function texts(path: string, value: unknown): ComparedLine['before'] {
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (typeof item === 'boolean') return { id: item ? 'cli.yes' : 'cli.no' };
    const text = typeof item === 'string' ? item : JSON.stringify(item);
    if (path.startsWith(PARAM)) return placeOf({ [path.slice(PARAM.length)]: text }) ?? text;
    const kind = path === 'appliesTo.kinds' && DEVICE_KINDS.find((known) => known === text);
    return kind ? { id: `reports.kind-${kind}` } : text;
  });
}
