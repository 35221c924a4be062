/** `template diff`: two templates, or two versions of one, in the words of the definitions. */
import type { TemplateComparison } from '../../../shared/authoring.ts';
import type { Change } from '../../../shared/model.ts';
import { EXIT } from '../../exit-codes.ts';
import { readAnySource } from '../../input/own-template.ts';
import { withEngine, type Invocation } from '../../invocation.ts';
import { cleanLine, fromTo, showValue } from '../../output/clean.ts';

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
    out.line('The same.');
    return;
  }
  for (const { path, before, after } of other)
    out.line(`${path}: ${valueWords(before)} → ${valueWords(after)}`);
  for (const { name, state, before, after } of variables)
    out.line(`Variable ${cleanLine(name)} ${state}: ${valueWords(before)} → ${valueWords(after)}`);
  for (const { label, set, params, state, changes } of changed) {
    const place = Object.entries(params)
      .map(([name, value]) => `, ${name} ${value}`)
      .join('');
    const words = { added: 'good', removed: 'bad', changed: 'strong', same: 'dim' } as const;
    out.line(`${cleanLine(`${label} (${set}${place})`)}: ${out.paint[words[state]](state)}`);
    for (const change of changes) out.line(changeLine(change));
  }
}

function changeLine({ label, sensitive, ...change }: Change): string {
  const show = (value: unknown): string =>
    value === undefined ? 'not named' : sensitive ? '•••' : valueWords(value);
  return `  ${cleanLine(label)}: ${fromTo(change, show(change.from), show(change.to))}`;
}

function valueWords(value: unknown): string {
  return value === undefined ? '—' : value === null ? 'removed on the device' : showValue(value);
}
