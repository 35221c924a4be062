/** `template diff`: two templates, or two versions of one, in the words of the definitions. */
import { sectionName, settingName, valueName } from '../../output/names.ts';
import type { TemplateComparison } from '../../../shared/authoring.ts';
import type { Change } from '../../../shared/model.ts';
import { EXIT } from '../../exit-codes.ts';
import { readAnySource } from '../../input/own-template.ts';
import { withEngine, type Invocation } from '../../invocation.ts';
import { cleanLine, fromTo, showValue } from '../../output/clean.ts';
import type { Output } from '../../output/output.ts';

export async function templateDiff(invocation: Invocation, before: string, after: string): Promise<number> {
  const comparison = await withEngine(invocation, async (engine) => {
    const [old, now] = [
      await readAnySource(invocation, engine, before),
      await readAnySource(invocation, engine, after),
    ];
    return engine.templates.compare({ before: old.text, after: now.text });
  });
  if (invocation.out.asJson) invocation.out.json(comparison);
  else printComparison(invocation, comparison);
  return EXIT.done;
}

function printComparison({ out }: Invocation, { sections, variables, other }: TemplateComparison): void {
  const changed = sections.filter(({ state }) => state !== 'same');
  if (changed.length + variables.length + other.length === 0) {
    out.line(out.say('cli.same'));
    return;
  }
  for (const { path, before, after } of other)
    out.line(`${path}: ${valueText(before, out)} → ${valueText(after, out)}`);
  for (const { name, state, before, after } of variables)
    out.line(
      out.say('cli.variable', {
        name: cleanLine(name),
        state: out.say(`cli.diff.${state}`),
        change: `${valueText(before, out)} → ${valueText(after, out)}`,
      }),
    );
  for (const { label, set, params, state, changes } of changed) {
    const place = Object.entries(params)
      .map(([name, value]) => `, ${name} ${value}`)
      .join('');
    const words = { added: 'good', removed: 'bad', changed: 'strong', same: 'dim' } as const;
    out.line(
      `${cleanLine(`${sectionName(out, { set, label })} (${set}${place})`)}: ${out.paint[words[state]](out.say(`cli.diff.${state}`))}`,
    );
    for (const change of changes) out.line(changeLine(set, change, out));
  }
}

function changeLine(set: string, { sensitive, ...change }: Change, out: Output): string {
  const show = (value: unknown): string =>
    value === undefined
      ? out.say('cli.not-named')
      : sensitive
        ? '•••'
        : value === null
          ? out.say('cli.removed-there')
          : valueName(out, set, change.path, value);
  return `  ${settingName(out, set, change)}: ${fromTo(change, show(change.from), show(change.to))}`;
}

function valueText(value: unknown, out: Output): string {
  return value === undefined ? '—' : value === null ? out.say('cli.removed-there') : showValue(value);
}
