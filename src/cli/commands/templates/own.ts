/** `template save|versions|export|remove`: the templates of the data folder. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { TemplateVersion } from '#shared/template/authoring.ts';
import type { TemplateEntry } from '#shared/model.ts';
import type { Engine } from '#engine/api.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { findOwn, readVersion } from '#cli/input/own-template.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { readTemplateFile } from '#cli/input/template.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { createUsageError, parseWholeNumber } from '#cli/usage.ts';

interface SaveOptions {
  readonly note?: string;
  readonly as?: string;
  readonly new?: boolean;
  readonly base?: string;
}

export async function saveTemplate(
  invocation: Invocation,
  file: string,
  options: SaveOptions,
): Promise<number> {
  const { text } = await readTemplateFile(invocation, file);
  const base =
    options.base === undefined
      ? {}
      : { baseVersion: parseWholeNumber(options.base, '--base', { min: 1, max: 1_000_000 }) };
  if (options.new === true && options.as !== undefined)
    throw createUsageError(say('cli.new-or-as'), { path: '--as' });
  const { saved, before } = await runWithEngine(invocation, async (engine) => {
    const known = options.new === true ? undefined : targetOf(engine, text, file, options.as);
    const { note } = options;
    return {
      before: known?.version,
      saved: engine.templates.save({
        text,
        ...removeUndefined({ id: known?.id, note }),
        ...base,
      }),
    };
  }).catch((error: unknown) => {
    throw error instanceof FieldwrightError && error.shape.line !== undefined ? error.with({ file }) : error;
  });
  const { out } = invocation;
  const { text: _text, ...entry } = saved;
  if (out.asJson) out.json({ ...entry, changed: saved.version !== before });
  else if (saved.version === before)
    out.line(out.say('cli.saved-already', { name: cleanLine(saved.name), version: saved.version ?? 1 }));
  else
    out.line(
      out.say('cli.saved-as', { name: cleanLine(saved.name), version: saved.version ?? 1, id: saved.id }),
    );
  return EXIT.done;
}

/** The own template that the file is the next version of; undefined: a new one. */
function targetOf(
  engine: Engine,
  text: string,
  file: string,
  as: string | undefined,
): TemplateEntry | undefined {
  if (as !== undefined) return findOwn(engine, as);
  const { summary } = parseTemplate(text, { file });
  const [found, ...others] = engine.templates
    .list()
    .filter(({ source, name }) => source === 'own' && name === summary?.name);
  if (others.length > 0)
    throw createUsageError(
      say('cli.own-templates-same', { count: others.length + 1, name: found?.name ?? '' }),
      {
        path: '--as',
      },
    );
  return found;
}

export async function listTemplateVersions(invocation: Invocation, reference: string): Promise<number> {
  const versions = await runWithEngine(invocation, async (engine) =>
    engine.templates.versions({ id: findOwn(engine, reference).id }),
  );
  const { out } = invocation;
  if (out.asJson) out.json(versions);
  else {
    out.table<TemplateVersion>(
      [
        { title: 'VERSION', cell: ({ version }) => String(version) },
        { title: 'SAVED', cell: ({ savedAt }) => savedAt },
        { title: 'BY', cell: ({ by }) => by },
        { title: 'NAME', cell: ({ name }) => name, flexible: true },
        { title: 'NOTE', cell: ({ note }) => note ?? '', flexible: true },
      ],
      versions,
    );
  }
  return EXIT.done;
}

export interface ExportOptions {
  readonly version?: string;
  readonly out?: string;
  readonly force?: boolean;
}

export async function exportTemplate(
  invocation: Invocation,
  reference: string,
  options: ExportOptions,
): Promise<number> {
  const { out: target, force = false } = options;
  const file = target === undefined ? undefined : await openOutputFile(invocation, target, { force });
  const { text, file: id } = await runWithEngine(invocation, async (engine) =>
    readVersion(engine, reference, options.version),
  );
  await file?.write(text);
  const { out } = invocation;
  if (out.asJson) out.json({ id, text, ...removeUndefined({ file: options.out }) });
  else if (options.out === undefined) out.raw(text);
  else out.line(out.say('cli.written', { file: options.out }));
  return EXIT.done;
}

export async function removeTemplate(
  invocation: Invocation,
  reference: string,
  { yes }: { readonly yes?: boolean },
): Promise<number> {
  return runWithEngine(invocation, async (engine) => {
    const entry = findOwn(engine, reference);
    const count = engine.templates.versions({ id: entry.id }).length;
    if (
      yes !== true &&
      !(await askToGoOn(
        invocation,
        invocation.out.say('cli.ask-forget', { name: cleanLine(entry.name), count }),
        say('cli.remove-confirm'),
      ))
    ) {
      invocation.out.note(invocation.out.say('cli.nothing-removed'));
      return EXIT.usage;
    }
    const { removed } = engine.templates.remove({ id: entry.id });
    if (invocation.out.asJson)
      invocation.out.json({ removed: removed ? 1 : 0, id: entry.id, versions: count });
    else invocation.out.line(invocation.out.say('cli.forgotten', { name: cleanLine(entry.name) }));
    return EXIT.done;
  });
}
