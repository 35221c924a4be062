/**
 * The main job without a screen, through the real command line: plan, apply to 12 virtual devices,
 * read back; then the same again, which must change nothing.
 */
import { join } from 'node:path';
import { cli } from './support/cli.mjs';
import { DEVICES, startDemoSite, TAG } from './support/demo-site.mjs';
import { fs, root } from './support/paths.mjs';
import { step, TaskError } from './support/report.mjs';

const TEMPLATE = 'site-basics';
/** Words that screen, command line and README use for an outcome. */
const WORDS = JSON.parse(fs.readFileSync(join(root, 'resources', 'locales', 'en', 'status.json'), 'utf8'))
  .status.outcome;
/** `skipped` is an optional section that this kind of device does not have. */
const FIRST_TIME = ['effective', 'skipped'];
const SECOND_TIME = ['unchanged', 'skipped'];

/** Throws unless every device has all sections in the allowed outcomes, and at least one in the first of them. */
function verify(job, allowed, what) {
  const wrong = job.results?.filter(
    ({ state, error, sections }) =>
      state !== 'done' ||
      error ||
      !sections.every(({ outcome }) => allowed.includes(outcome)) ||
      !sections.some(({ outcome }) => outcome === allowed[0]),
  );
  if (!wrong) throw new TaskError(`${what} failed: ${job.message ?? 'no job came back'}`, job.hint);
  if (wrong.length > 0)
    throw new TaskError(
      `${what}: ${wrong.length} of ${job.results.length} devices are not as they should be.`,
      JSON.stringify(wrong, null, 2).slice(0, 4000),
    );
  if (job.results.length !== DEVICES)
    throw new TaskError(`${what}: ${job.results.length} devices answered, ${DEVICES} should have.`);
}

/** The result table: one row a device, one column a section, in the words that every face shows. */
function table(job, devices) {
  const sections = job.results[0].sections;
  const order = devices.map(({ url }) => url);
  const results = job.results.toSorted((a, b) => order.indexOf(a.url) - order.indexOf(b.url));
  const rows = [
    ['DEVICE', ...sections.map(({ set }) => set.split('.').at(-1))],
    ...results.map((device) => [
      device.name,
      ...device.sections.map(({ outcome }) => WORDS[outcome] ?? outcome),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function count(job, outcome) {
  return job.results.flatMap(({ sections }) => sections).filter((section) => section.outcome === outcome)
    .length;
}

/** Resolves to the exit code; throws a readable error when anything is not as it should be. */
export async function demoCheck() {
  const demo = await step(`Starting a virtual site of ${DEVICES} devices`, startDemoSite);
  try {
    const common = ['--tag', TAG, '--data-dir', demo.dataDir];
    const plan = await step('Planning the template "Site basics"', () =>
      cli(['plan', '--template', TEMPLATE, ...common]),
    );
    if (plan.code !== 0 || plan.document.counts?.changes !== DEVICES)
      throw new TaskError(
        'The plan is not what it should be.',
        JSON.stringify(plan.document.counts ?? plan.document),
      );
    const first = await step('Applying it, reading every setting back', () =>
      cli(['apply', '--template', TEMPLATE, '--yes', ...common]),
    );
    verify(first.document, FIRST_TIME, 'Applying');
    if (first.code !== 0) throw new TaskError(`Applying ended with exit code ${first.code}.`);
    const second = await step('Applying it again', () =>
      cli(['apply', '--template', TEMPLATE, '--yes', ...common]),
    );
    verify(second.document, SECOND_TIME, 'Applying again');
    if (second.code !== 0) throw new TaskError(`Applying again ended with exit code ${second.code}.`);
    process.stdout.write(
      [
        '',
        table(first.document, demo.devices),
        '',
        `${DEVICES} devices: ${count(first.document, 'effective')} settings ${WORDS.effective}; ${WORDS.skipped} where a device does not have the setting.`,
        `Second run: no changes (${count(second.document, 'unchanged')} settings ${WORDS.unchanged}).`,
        '',
      ].join('\n'),
    );
    return 0;
  } finally {
    await demo.dispose();
  }
}
