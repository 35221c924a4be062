/** `template check|show|list`: documents, without any device. */
import type { Action } from '#cli/declarations/all.ts';
import { formatKinds, formatSectionName, formatTemplateName, findTemplateNames } from '#cli/output/names.ts';
import type { TemplateCheck, TemplateSummary } from '#shared/model.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import { tabulate } from '#cli/output/table.ts';
import { checkTemplate } from '#engine/template/check/check-template.ts';
import { readText } from '#cli/input/files.ts';
import { isTemplateFile, readTemplate, readTemplateFile, type TemplateSource } from '#cli/input/template.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { formatError, noteError } from '#cli/output/errors.ts';
import { readVersion } from '#cli/input/own-template.ts';

/** A file is checked without touching the data folder: at the office there may be none. */
async function load(invocation: Invocation, reference: string): Promise<TemplateSource> {
  return isTemplateFile(reference)
    ? readTemplateFile(invocation, reference)
    : readTemplate(invocation, await invocation.open(), reference);
}

/**
 * The document of a failed check is the first error itself, beside `ok` and all `errors`: scripts
 * that look for an error find it where every error stands.
 */
export const runTemplateCheck: Action<'template check'> = async (invocation, reference, options) => {
  const source = await load(invocation, reference);
  const capabilities = await Promise.all(
    (options.capabilities ?? []).map(async (file) => ({ file, text: await readText(invocation.io, file) })),
  );
  const general = checkTemplate(source.text, { file: source.file, capabilities });
  const known =
    options.known === true && general.ok
      ? await (
          await invocation.open()
        ).reports.checkTemplate({ text: source.text, file: source.file }, invocation.interrupts.signal)
      : undefined;
  const check = known ?? general;
  return {
    json: check.ok ? check : { ...check.errors[0], ...check },
    text: () => {
      printCheck(invocation, check, source.file);
      if (known !== undefined)
        invocation.out.note(invocation.out.say('cli.template-known', { devices: known.devices }));
    },
    code: check.ok ? EXIT.done : EXIT.usage,
  };
};

function printCheck({ out }: Invocation, check: TemplateCheck, file: string): void {
  const sections = check.summary?.sections.length ?? 0;
  if (check.ok)
    out.line(out.say('cli.template-valid', { file, name: cleanLine(check.summary?.name ?? ''), sections }));
  else out.note(out.say('cli.template-errors', { file, count: check.errors.length }));
  for (const error of check.errors) noteError(out, error);
  for (const warning of check.warnings)
    for (const line of formatError(warning, out)) out.note(out.say('cli.warning', { line }));
}

export const showTemplate: Action<'template show'> = async (invocation, reference, { version }) => {
  const source =
    version === undefined
      ? await load(invocation, reference)
      : readVersion(await invocation.open(), reference, version);
  const { summary } = checkTemplate(source.text, { file: source.file });
  return {
    json: { ...source, summary },
    text: () => (summary ? printSummary(invocation, summary, source.file) : invocation.out.raw(source.text)),
  };
};

function printSummary({ out }: Invocation, summary: TemplateSummary, id: string): void {
  const words = findTemplateNames(out, id);
  const about = words?.description ?? summary.description;
  out.line(out.paint.strong(formatTemplateName(out, { id, name: summary.name })));
  if (about) out.line(cleanLine(about));
  out.line(out.say('cli.for', { kinds: formatKinds(out, summary.kinds) || out.say('cli.any-device') }));
  out.line();
  out.table(summary.sections, {
    SECTION: 'set',
    SETS: { value: (section) => formatSectionName(out, section), flexible: true },
    '': ({ optional, clamp }) =>
      [optional ? out.say('cli.section-optional') : '', clamp ? out.say('cli.section-clamp') : '']
        .filter(Boolean)
        .join(', '),
  });
  if (summary.variables.length === 0) return;
  out.line();
  out.table(summary.variables, {
    VARIABLE: 'name',
    TYPE: 'type',
    DEFAULT: (variable) =>
      variable.required ? out.say('cli.must-be-given') : JSON.stringify(variable.default ?? null),
    MEANS: {
      value: ({ name, description = '' }) => words?.variables[name] ?? description,
      flexible: true,
    },
  });
}

export const listTemplates: Action<'template list'> = async ({ open, out }) => {
  const entries = (await open()).templates.list();
  return {
    json: entries.map(({ text: _text, ...entry }) => entry),
    text: tabulate(entries, {
      ID: 'id',
      NAME: { value: (entry) => formatTemplateName(out, entry), flexible: true },
      FROM: ({ source }) => out.say(source === 'own' ? 'cli.own' : 'cli.bundled'),
      VERSION: 'version',
      MEANS: {
        value: ({ id, description = '' }) => findTemplateNames(out, id)?.description ?? description,
        flexible: true,
      },
    }),
  };
};
