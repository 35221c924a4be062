/** `template check|show|list`: documents, without any device. */
import { formatKinds, formatSectionName, formatTemplateName, findTemplateNames } from '#cli/output/names.ts';
import type { TemplateCheck, TemplateEntry, TemplateSummary } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { checkTemplate } from '#engine/template/check/check-template.ts';
import { readText } from '#cli/input/files.ts';
import { isTemplateFile, readTemplate, readTemplateFile, type TemplateSource } from '#cli/input/template.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { formatError } from '#cli/output/errors.ts';
import { readVersion } from '#cli/input/own-template.ts';

/** A file is checked without touching the data folder: at the office there may be none. */
async function load(invocation: Invocation, reference: string): Promise<TemplateSource> {
  return isTemplateFile(reference)
    ? readTemplateFile(invocation, reference)
    : runWithEngine(invocation, (engine) => readTemplate(invocation, engine, reference));
}

/**
 * The document of a failed check is the first error itself, beside `ok` and all `errors`: scripts
 * that look for an error find it where every error stands.
 */
export async function runTemplateCheck(
  invocation: Invocation,
  reference: string,
  options: { readonly capabilities?: readonly string[] } = {},
): Promise<number> {
  const source = await load(invocation, reference);
  const capabilities = await Promise.all(
    (options.capabilities ?? []).map(async (file) => ({ file, text: await readText(invocation.io, file) })),
  );
  const check = checkTemplate(source.text, { file: source.file, capabilities });
  const { out } = invocation;
  if (out.asJson) out.json(check.ok ? check : { ...check.errors[0], ...check });
  else printCheck(invocation, check, source.file);
  return check.ok ? EXIT.done : EXIT.usage;
}

function printCheck({ out }: Invocation, check: TemplateCheck, file: string): void {
  const sections = check.summary?.sections.length ?? 0;
  if (check.ok)
    out.line(out.say('cli.template-valid', { file, name: cleanLine(check.summary?.name ?? ''), sections }));
  else out.note(out.say('cli.template-errors', { file, count: check.errors.length }));
  for (const error of check.errors) for (const line of formatError(error, out)) out.note(line);
  for (const warning of check.warnings)
    for (const line of formatError(warning, out)) out.note(out.say('cli.warning', { line }));
}

export async function showTemplate(
  invocation: Invocation,
  reference: string,
  options: { readonly version?: string } = {},
): Promise<number> {
  const source =
    options.version === undefined
      ? await load(invocation, reference)
      : await runWithEngine(invocation, async (engine) => readVersion(engine, reference, options.version));
  const shown = { ...source, summary: checkTemplate(source.text, { file: source.file }).summary };
  const { out } = invocation;
  if (out.asJson) out.json(shown);
  else if (shown.summary) printSummary(invocation, shown.summary, source.file);
  else out.raw(shown.text);
  return EXIT.done;
}

function printSummary({ out }: Invocation, summary: TemplateSummary, id: string): void {
  const words = findTemplateNames(out, id);
  const about = words?.description ?? summary.description;
  out.line(out.paint.strong(formatTemplateName(out, { id, name: summary.name })));
  if (about) out.line(cleanLine(about));
  out.line(out.say('cli.for', { kinds: formatKinds(out, summary.kinds) || out.say('cli.any-device') }));
  out.line();
  out.table<TemplateSummary['sections'][number]>(
    [
      { title: 'SECTION', cell: ({ set }) => set },
      { title: 'SETS', cell: (section) => formatSectionName(out, section), flexible: true },
      {
        title: '',
        cell: ({ optional, clamp }) =>
          [optional ? out.say('cli.section-optional') : '', clamp ? out.say('cli.section-clamp') : '']
            .filter(Boolean)
            .join(', '),
      },
    ],
    summary.sections,
  );
  if (summary.variables.length === 0) return;
  out.line();
  out.table<TemplateSummary['variables'][number]>(
    [
      { title: 'VARIABLE', cell: ({ name }) => name },
      { title: 'TYPE', cell: ({ type }) => type },
      {
        title: 'DEFAULT',
        cell: (variable) =>
          variable.required ? out.say('cli.must-be-given') : JSON.stringify(variable.default ?? null),
      },
      {
        title: 'MEANS',
        cell: ({ name, description = '' }) => words?.variables[name] ?? description,
        flexible: true,
      },
    ],
    summary.variables,
  );
}

export async function listTemplates(invocation: Invocation): Promise<number> {
  const entries = await runWithEngine(invocation, async (engine) => engine.templates.list());
  const { out } = invocation;
  if (out.asJson) out.json(entries.map(({ text: _text, ...entry }) => entry));
  else {
    out.table<TemplateEntry>(
      [
        { title: 'ID', cell: ({ id }) => id },
        { title: 'NAME', cell: (entry) => formatTemplateName(out, entry), flexible: true },
        { title: 'FROM', cell: ({ source }) => out.say(source === 'own' ? 'cli.own' : 'cli.bundled') },
        { title: 'VERSION', cell: ({ version }) => (version === undefined ? '—' : String(version)) },
        {
          title: 'MEANS',
          cell: ({ id, description = '' }) => findTemplateNames(out, id)?.description ?? description,
          flexible: true,
        },
      ],
      entries,
    );
  }
  return EXIT.done;
}
