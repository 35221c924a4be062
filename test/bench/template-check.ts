/**
 * Measures checking templates made to be slow to check, each as large as a template may be, beside one that
 * a person wrote. Times are processor times, because a busy machine makes everything look long.
 * Alone: `node test/bench/template-check.ts`.
 */
import { formatTable } from '#cli/output/table.ts';
import { checkTemplate } from '#engine/template/check/check-template.ts';
import { buildTemplateSkeleton } from '#engine/template/skeleton.ts';
import { hostileTemplates } from '../helpers/hostile-templates.ts';
import { median, plainPaint, say } from './shared.ts';

const GOAL_MS = 1000;
const SHOWN = 12;
const ROUNDS = 3;

interface Row {
  readonly name: string;
  readonly characters: number;
  readonly ms: number;
}

function timed(name: string, text: string): Row {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    checkTemplate(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return { name, characters: text.length, ms: median(times) };
}

/** Slowest first; the reference is the last row. */
export function benchTemplateCheck(): readonly Row[] {
  const hostile = hostileTemplates();
  say(`Checking ${hostile.length} templates, ${ROUNDS} times each`);
  const rows = hostile.map(({ name, text }) => timed(name, text)).toSorted((a, b) => b.ms - a.ms);
  return [
    ...rows,
    timed(
      'every setting of a thermal camera',
      buildTemplateSkeleton({ name: 'Reference', kinds: ['thermal'], sections: [] }),
    ),
  ];
}

/** Returns the report as a table. */
export async function templateCheckReport(): Promise<string> {
  const rows = await Promise.resolve(benchTemplateCheck());
  return [
    `Checking ${rows.length - 1} templates made to be slow to check, the slowest ${SHOWN}; goal: none over ${GOAL_MS} ms of the processor`,
    '',
    ...formatTable(
      [...rows.slice(0, SHOWN), ...rows.slice(-1)],
      {
        TEMPLATE: ({ name }) => name,
        CHARACTERS: { value: ({ characters }) => String(characters), align: 'right' },
        MS: { value: ({ ms }) => ms.toFixed(0), align: 'right' },
        GOAL: ({ ms }) => (ms <= GOAL_MS ? 'met' : 'MISSED'),
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await templateCheckReport());
