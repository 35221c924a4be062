/** Reads the file of site details that people fill in, and builds an example of it. */
import { isPlain, appendIndex, appendKey } from '#protocol/index.ts';
import { USUAL_CHECKS, handoverDetails, type HandoverDetails } from '#shared/contract/handover.ts';
import { say, type BareDetailId } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { readYamlFile } from '#engine/template/read-tree.ts';
import type { Reader } from '#report-layout/reader.ts';

/** YAML or JSON, read within the bounds of a template. Throws `unreadable-file` that says where it has another form. */
export function readDetails(text: string): HandoverDetails {
  const tree = readYamlFile(text);
  const read = handoverDetails.safeParse(filledIn(tree?.root) ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  const problem =
    issue?.code === 'invalid_value'
      ? say('reports.file-choice', { path, options: issue.values.map(String).join(', ') })
      : issue?.code === 'unrecognized_keys'
        ? say('reports.file-unknown', { name: issue.keys.join(', ') })
        : say('reports.file-form', { path });
  const place = (issue?.path ?? []).reduce<string>(
    (way, step) => (typeof step === 'number' ? appendIndex(way, step) : appendKey(way, String(step))),
    '',
  );
  throw userError('unreadable-file', problem, { path, ...tree?.values.get(place) });
}

/** Treats a name without a value as not filled in; unknown names are kept, so that they are reported. */
function filledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filledIn);
  if (!isPlain(value)) return value ?? undefined;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, filledIn(held)]));
}

/**
 * Builds a file that lists the usual checks as open, and the rest commented out with `#`. `today`:
 * `2026-03-31`.
 */
export function buildExampleDetails(reader: Reader, today: string): string {
  const about = (id: BareDetailId): string => `# ${reader.phrase(id)}`;
  const checks = USUAL_CHECKS.flatMap((id) => [
    `  ${about(`reports.check-${id}`)}`,
    `  - check: ${id}`,
    '    result: open # done, failed, skipped, open',
    `    # by: `,
    `    # at: ${today}`,
    `    # reason: `,
  ]);
  return [
    about('reports.example-about'),
    '',
    '# project: ',
    '# customer: ',
    '# place: ',
    '# by: ',
    '',
    about('reports.checks'),
    'checks:',
    ...checks,
    '',
    about('report.open-points'),
    '# openPoints:',
    '#   - text: ',
    '#     severity: minor # note, minor, major, unsafe',
    '#     owner: ',
    `#     due: ${today}`,
    '#     device: ',
    '',
    about('reports.keys-about'),
    '# keys:',
    '#   - what: ',
    '#     where: ',
    '',
    about('reports.handed-over'),
    '# documents:',
    '#   - ',
    '',
    about('reports.service'),
    '# warranty:',
    `#   from: ${today}`,
    `#   until: ${today}`,
    '#   terms: ',
    `# maintenanceDue: ${today}`,
    '',
    about('reports.acceptance'),
    '# signatures:',
    '#   - name: ',
    '#     role: ',
    '',
  ].join('\n');
}
