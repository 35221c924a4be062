/** Names of templates, jobs, sections and settings in the language of the terminal. */
import {
  changeLabel,
  describeRegions,
  describeWeek,
  formatComposite,
  findOptionLabel,
  getReportedLabel,
  getSectionLabel,
  groupChanges,
} from '#engine/index.ts';
import type { Change, DeviceKind, JobSummary, Params } from '#shared/model.ts';
import { placeOf } from '#shared/place.ts';
import { addJobSelection, getJobKindLabel, getJobTitle } from '#shared/units.ts';
import { cleanLine, showValue } from './clean.ts';
import type { Output } from './output.ts';

const BUNDLED = 'bundled:';

export function formatSectionName(
  out: Output,
  { set, label }: { readonly set: string; readonly label: string },
): string {
  return cleanLine(getSectionLabel(out.names.fields, set, label));
}

export function formatSettingName(
  out: Output,
  set: string,
  change: Pick<Change, 'path' | 'label' | 'items'>,
): string {
  return cleanLine(changeLabel(out.names.fields, set, change));
}

/** Lines for the changes of a section: weeks by their days, regions by their outlines, others as `line` says them. */
export function formatDifferences(
  out: Output,
  set: string,
  changes: readonly Change[],
  line: (change: Change) => string,
): readonly string[] {
  const words = { words: out.names.fields, language: out.language, say: out.sentence };
  return groupChanges(set, changes).flatMap((difference) => {
    switch (difference.kind) {
      case 'week': {
        const name = formatSettingName(out, set, { path: difference.path, label: difference.label });
        return cleanLine(`${name}: ${describeWeek(set, difference, words).join('; ')}`);
      }
      case 'regions':
        return describeRegions(set, difference, words).map(cleanLine);
      case 'setting':
        return line(difference.change);
    }
  });
}

/** The channel, or whatever it is for, after the name of a section: ` (Channel 1)`; empty where there is none. */
export function placeName(out: Output, params: Params): string {
  const place = placeOf(params);
  return place === undefined ? '' : cleanLine(` (${out.words(place)})`);
}

/** Returns the name of a section with its channel, or whatever it is for. */
export function formatSectionPlace(
  out: Output,
  section: { readonly set: string; readonly label: string; readonly params: Params },
): string {
  return formatSectionName(out, section) + placeName(out, section.params);
}

/** Returns in one line how the settings of a section were, and how they are; secrets are masked. */
export function describeChanges(
  out: Output,
  { set, changes }: { readonly set: string; readonly changes: readonly Change[] },
): string {
  return formatDifferences(out, set, changes, (change) => {
    const value = (held: unknown): string =>
      change.sensitive === true ? '•••' : formatSettingValue(out, set, change.path, held);
    return `${formatSettingName(out, set, change)}: ${value(change.from)} → ${value(change.to)}`;
  }).join('; ');
}

/** Name of a flag or a limit that a device reports. */
export function formatReportedName(out: Output, reported: Parameters<typeof getReportedLabel>[1]): string {
  return cleanLine(getReportedLabel(out.names.fields, reported));
}

/** Returns a value of a setting. Single values are as on the wire in English, elsewhere by their words; lists and objects are always in words. */
export function formatSettingValue(out: Output, set: string, path: string, value: unknown): string {
  const leaf = (at: string, held: unknown): string =>
    out.isEnglish && at === path
      ? showValue(held)
      : typeof held === 'boolean'
        ? out.say(held ? 'cli.yes' : 'cli.no')
        : (findOptionLabel(out.names.fields, set, at, held) ?? showValue(held));
  return cleanLine(formatComposite(out.names.fields, set, path, value, leaf) ?? leaf(path, value));
}

/** Kinds of devices: in English as options take them, elsewhere by the words for them. */
export function formatKinds(out: Output, kinds: readonly DeviceKind[]): string {
  return kinds.map((kind) => (out.isEnglish ? kind : out.say(`reports.kind-${kind}`))).join(', ');
}

/** Returns the name of a profile; that of the first one, until it is renamed, in the language of the terminal. */
export function formatProfileName(
  out: Output,
  { id, name }: { readonly id: string; readonly name: string },
): string {
  return id === 'p-default' && name === 'Default' ? out.say('cli.default-profile') : cleanLine(name);
}

/** Returns the words of a bundled template; undefined for an own one. */
export function findTemplateNames(
  out: Output,
  id: string | undefined,
): Output['names']['bundledTemplates'][string] {
  return id?.startsWith(BUNDLED) === true ? out.names.bundledTemplates[id.slice(BUNDLED.length)] : undefined;
}

export function formatTemplateName(
  out: Output,
  { id, name }: { readonly id?: string; readonly name: string },
): string {
  return cleanLine(findTemplateNames(out, id)?.name ?? name);
}

/** A kind of job; one that this version does not know as the journal has it. */
export function formatJobKind(out: Output, kind: string): string {
  return cleanLine(out.words(getJobKindLabel(kind)));
}

/** Formats what a job does and the devices that it was begun for. */
export function formatJobName(out: Output, job: Pick<JobSummary, 'kind' | 'title' | 'about'>): string {
  return cleanLine(addJobSelection(formatJobWork(out, job), job.about, out.sentence));
}

/** Formats what a job does, without its devices. */
function formatJobWork(
  out: Output,
  { kind, title, about }: Pick<JobSummary, 'kind' | 'title' | 'about'>,
): string {
  if (out.isEnglish) return title;
  const { template, call } = about;
  if (template === undefined && call === undefined) return getJobTitle(about, out.sentence) ?? title;
  const name =
    template === undefined
      ? (out.names.fields[call?.operation ?? ''] ?? title)
      : formatTemplateName(out, template);
  return kind === 'undo' ? out.say('cli.undo-of', { name }) : name;
}
