/** `template diff`: two templates, or two versions of one, in the words of the definitions. */
import type { Action } from '#cli/declarations/all.ts';
import {
  formatDifferences,
  formatSettingName,
  findTemplateNames,
  formatSettingValue,
  formatSectionPlace,
} from '#cli/output/names.ts';
import type { TemplateComparison } from '#shared/template/authoring.ts';
import type { Change } from '#shared/model.ts';
import {
  toSectionLine,
  listTemplateLines,
  listVariableLines,
  type ComparedLine,
} from '#shared/template/comparison.ts';
import { readAnySource } from '#cli/input/own-template.ts';
import type { TemplateSource } from '#cli/input/template.ts';
import type { Invocation } from '#cli/invocation.ts';
import { cleanLine, formatUnitChange } from '#cli/output/clean.ts';
import type { Output } from '#cli/output/output.ts';

/** The two texts and where they come from: bundled templates have words of each language. */
type Sources = Readonly<Record<'before' | 'after', TemplateSource>>;

export const printTemplateComparison: Action<'template diff'> = async (invocation, before, after) => {
  const engine = await invocation.open();
  const sources = {
    before: await readAnySource(invocation, engine, before),
    after: await readAnySource(invocation, engine, after),
  };
  const comparison = engine.templates.compare({ before: sources.before.text, after: sources.after.text });
  return { json: comparison, text: () => printComparison(invocation, comparison, sources) };
};

function printComparison({ out }: Invocation, comparison: TemplateComparison, sources: Sources): void {
  const { variables, other } = comparison;
  const changed = comparison.sections.filter(({ state }) => state !== 'same');
  if (changed.length + variables.length + other.length === 0) {
    out.line(out.say('cli.same'));
    return;
  }
  const state = (of: TemplateComparison['sections'][number]['state']): string => {
    const words = { added: 'good', removed: 'bad', changed: 'strong', same: 'dim' } as const;
    return out.paint[words[of]](out.say(`cli.diff.${of}`));
  };
  for (const line of listTemplateLines(comparison)) out.line(lineText(inWords(line, sources, out), out));
  for (const variable of variables) {
    out.line(out.say('cli.variable', { name: cleanLine(variable.name), state: state(variable.state) }));
    for (const line of listVariableLines(variable))
      out.line(
        `  ${lineText(inWords(line, sources, out, variable.name), out, variable.state !== 'changed')}`,
      );
  }
  for (const section of changed) {
    const { set, changes } = section;
    const title = formatSectionPlace(out, section);
    out.line(`${title} [${cleanLine(set)}]: ${state(section.state)}`);
    for (const line of formatDifferences(out, set, changes, (change) => changeLine(set, change, out)))
      out.line(`  ${line}`);
  }
}

/** `isWhole`: of something that only one side has, so that nothing became of anything. */
function lineText({ label, before, after }: ComparedLine, out: Output, isWhole = false): string {
  const text = (side: ComparedLine['before']): string =>
    side === undefined
      ? out.say('cli.not-named')
      : cleanLine(side.map((item) => out.words(item)).join(', ')) || '""';
  return `${out.say(label)}: ${isWhole ? text(after ?? before) : `${text(before)} → ${text(after)}`}`;
}

/** Returns a line with the names and descriptions of bundled templates in the language of the terminal. */
function inWords(line: ComparedLine, sources: Sources, out: Output, variable?: string): ComparedLine {
  const side = (at: keyof Sources): ComparedLine['before'] => {
    const words = findTemplateNames(out, sources[at].file);
    const own =
      line.label === 'template.description'
        ? variable === undefined
          ? words?.description
          : words?.variables[variable]
        : line.label === 'template.name'
          ? words?.name
          : undefined;
    return own === undefined || line[at] === undefined ? line[at] : [own];
  };
  return { ...line, before: side('before'), after: side('after') };
}

function changeLine(set: string, { sensitive, ...change }: Change, out: Output): string {
  const line = toSectionLine(change);
  if (line !== undefined) return lineText(line, out);
  const show = (value: unknown): string =>
    value === undefined
      ? out.say('cli.not-named')
      : sensitive
        ? '•••'
        : value === null
          ? out.say('cli.removed-there')
          : formatSettingValue(out, set, change.path, value);
  return `${formatSettingName(out, set, change)}: ${formatUnitChange(change, show(change.from), show(change.to))}`;
}
