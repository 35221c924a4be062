/**
 * Work of the page's main thread during typing into a template of 200 sections, in its text and in a field of
 * its form: the real page in Chromium. Beside it the same page doing nothing, and the same keys in a template
 * of one section. A task's length is given by the wall clock and by processor time, because a busy machine
 * makes every task look long. Alone: `node test/bench/template-typing.ts`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { formatTable } from '#cli/output/table.ts';
import { closeBrowser, createWorld, type App } from '../e2e/app.ts';
import { TemplatesPage } from '../e2e/pages/templates-page.ts';
import { plainPaint } from './shared.ts';
import {
  PROBE,
  readProbe,
  readTrace,
  startProbe,
  type PageFigures,
  type TaskFigures,
} from './site-list/page-probe.ts';

const GOAL_MS = 50;
const SECTIONS = 200;
/** Aliases: about the most that a template may have. */
const ALIASES = 20;
/** Rounds of a fast typist: two figures rubbed out and written again, over and over. */
const ROUNDS = 15;
const PAUSE_MS = 70;
/**
 * Time longer than everything that waits for a pause in the typing: reading, checking, parsing in idle time.
 */
const SETTLED_MS = 1500;

type Figures = PageFigures & TaskFigures;
interface Row extends Figures {
  readonly name: string;
}
interface Kind {
  readonly sections: number;
  /** An anchor and its aliases in other sections than the one that is typed into, or also in that one: they cannot be read each alone. */
  readonly links: 'none' | 'elsewhere' | 'here';
}
const KINDS: readonly Kind[] = [
  { sections: 1, links: 'none' },
  { sections: SECTIONS, links: 'none' },
  { sections: SECTIONS, links: 'elsewhere' },
  { sections: SECTIONS, links: 'here' },
];

function templateOf({ sections, links }: Kind): string {
  const first = links === 'here' ? 0 : 1;
  const emissivity = (index: number): string =>
    links === 'none' || index < first || index > ALIASES ? '0.98' : index === first ? '&skin 0.98' : '*skin';
  const section = (index: number): string =>
    [
      '  - set: thermal.thermometryBasic',
      `    params: { channelID: ${index + 1} }`,
      '    value:',
      '      emissivityMode: customsettings # skin',
      `      emissivity: ${emissivity(index)}`,
      '      distance: ${distance}',
      '',
    ].join('\n');
  return `fieldwright: template/1\nname: Lanes\nvariables:\n  distance: { type: integer, default: 2, min: 1, max: 20 }\nsections:\n${Array.from({ length: sections }, (_, index) => section(index)).join('')}`;
}

async function measured({ page }: App, work: () => Promise<void>): Promise<Figures> {
  const browser = page.context().browser();
  const started = performance.now();
  await browser?.startTracing(page, {
    categories: ['toplevel', '__metadata', 'disabled-by-default-devtools.timeline'],
  });
  await startProbe(page);
  await work();
  await wait(SETTLED_MS);
  const figures = await readProbe(page);
  const trace = await browser?.stopTracing();
  return {
    ...figures,
    ...readTrace(trace ?? Buffer.from('{"traceEvents":[]}'), performance.now() - started),
  };
}

async function type({ page }: App): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const key of ['Backspace', 'Backspace', '9', String(1 + (round % 9))]) {
      await page.keyboard.press(key);
      await wait(PAUSE_MS);
    }
  }
}

async function begin(app: App, kind: Kind): Promise<TemplatesPage> {
  const templates = new TemplatesPage(app.page);
  await templates.import(templateOf(kind));
  await templates.get('section-card').last().waitFor();
  await templates.checked('ok');
  await templates.tab('text');
  return templates;
}

async function inText(app: App, templates: TemplatesPage, { links }: Kind): Promise<void> {
  await templates.caretBehind(links === 'here' ? 'emissivity: &skin 0.98' : 'emissivity: 0.98');
  await type(app);
}
async function inForm(app: App, templates: TemplatesPage): Promise<void> {
  await templates.get('input-emissivity').click();
  await app.page.keyboard.press('End');
  await type(app);
}

export async function benchTyping(): Promise<readonly Row[]> {
  const world = await createWorld();
  try {
    const rows: Row[] = [];
    for (const kind of KINDS) {
      for (const [where, work] of [
        ['text', inText],
        ['form', inForm],
      ] as const) {
        const app = await world.open({ viewport: { width: 1440, height: 900 } });
        try {
          await app.page.addInitScript({ content: PROBE });
          await app.page.reload();
          const templates = await begin(app, kind);
          // The first keys belong to compiling; they are not measured.
          await work(app, templates, kind);
          if (rows.length === 0)
            rows.push({
              name: 'the page, nobody types',
              ...(await measured(app, () => wait(ROUNDS * 4 * PAUSE_MS))),
            });
          const first = templates.get(where === 'text' ? 'template-yaml' : 'input-emissivity');
          rows.push({
            name: nameOf(where, kind),
            ...(await measured(app, async () => {
              await first.focus();
              await type(app);
            })),
          });
        } finally {
          await app.close();
        }
      }
    }
    return rows;
  } finally {
    await world.close();
    await closeBrowser();
  }
}

const LINKS = { none: '', elsewhere: ' with aliases', here: ' with aliases, at the anchor' } as const;
function nameOf(where: string, { sections, links }: Kind): string {
  return `${where}, ${sections === 1 ? 'one section' : `${sections} sections`}${LINKS[links]}`;
}
function verdict(row: Row): string {
  if (row.longTasks.length === 0 && row.longest <= GOAL_MS) return 'met';
  return row.longestBusy > GOAL_MS ? 'MISSED' : 'met by processor time';
}

/** Formats the results as a table. */
export async function typingReport(): Promise<string> {
  const rows = await benchTyping();
  return [
    `Typing into a template of ${SECTIONS} sections: ${ROUNDS * 4} keys, one every ${PAUSE_MS} ms; goal: no task over ${GOAL_MS} ms`,
    '',
    ...formatTable(
      rows,
      {
        'TYPED INTO': ({ name }) => name,
        'LONGEST TASK, MS': { value: ({ longest }) => longest.toFixed(1), align: 'right' },
        'OF THE PROCESSOR': { value: ({ longestBusy }) => longestBusy.toFixed(1), align: 'right' },
        [`OVER ${GOAL_MS} MS`]: { value: ({ longTasks }) => String(longTasks.length), align: 'right' },
        '99 % REDRAWN WITHIN': { value: ({ frame99 }) => frame99.toFixed(1), align: 'right' },
        'AT WORK, %': { value: ({ busy }) => (busy * 100).toFixed(1), align: 'right' },
        GOAL: verdict,
      },
      { paint: plainPaint },
    ),
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(await typingReport());
