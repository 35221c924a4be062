/** `template save|versions|export|remove`: the templates of the data folder. */
import type { Action } from '#cli/declarations/all.ts';
import { say } from '#shared/details.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { TemplateEntry } from '#shared/model.ts';
import type { Engine } from '#engine/api.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { findOwn, readVersion } from '#cli/input/own-template.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { readTemplateFile } from '#cli/input/template.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { tabulate } from '#cli/output/table.ts';
import { createUsageError } from '#cli/usage.ts';

export const saveTemplate: Action<'template save'> = async (
  invocation,
  file,
  { as, new: isNew, base, note },
) => {
  const { out } = invocation;
  const { text } = await readTemplateFile(invocation, file);
  if (isNew === true && as !== undefined) throw createUsageError(say('cli.new-or-as'), { path: '--as' });
  const engine = await invocation.open();
  try {
    const known = isNew === true ? undefined : findTarget(engine, text, file, as);
    const { text: _text, ...saved } = engine.templates.save({
      text,
      id: known?.id,
      note,
      baseVersion: base,
    });
    const changed = saved.version !== known?.version;
    const [name, version] = [cleanLine(saved.name), saved.version ?? 1];
    return {
      json: { ...saved, changed },
      text: changed
        ? out.say('cli.saved-as', { name, version, id: saved.id })
        : out.say('cli.saved-already', { name, version }),
    };
  } catch (error) {
    throw error instanceof FieldwrightError && error.shape.line !== undefined ? error.with({ file }) : error;
  }
};

/** Finds the own template that the file is the next version of; undefined if it is a new one. */
function findTarget(
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

export const listTemplateVersions: Action<'template versions'> = async ({ open }, reference) => {
  const engine = await open();
  const versions = engine.templates.versions({ id: findOwn(engine, reference).id });
  return {
    json: versions,
    text: tabulate(versions, {
      VERSION: 'version',
      SAVED: 'savedAt',
      BY: 'by',
      NAME: { value: 'name', flexible: true },
      NOTE: { value: ({ note = '' }) => note, flexible: true },
    }),
  };
};

export const exportTemplate: Action<'template export'> = async (
  invocation,
  reference,
  { version, out: file, force },
) => {
  const { out } = invocation;
  const target = await openOutputFile(invocation, file, { force: force === true });
  const { text, file: id } = readVersion(await invocation.open(), reference, version);
  await target?.write(text);
  return {
    json: { id, text, file },
    text: file === undefined ? () => out.raw(text) : out.say('cli.written', { file }),
  };
};

export const removeTemplate: Action<'template remove'> = async (invocation, reference, { yes }) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const { id, name: text } = findOwn(engine, reference);
  const name = cleanLine(text);
  const count = engine.templates.versions({ id }).length;
  const question = out.say('cli.ask-forget', { name, count });
  if (yes !== true) await askToGoOn(invocation, question, say('cli.remove-confirm'), 'cli.nothing-removed');
  const { removed } = engine.templates.remove({ id });
  return {
    json: { removed: removed ? 1 : 0, id, versions: count },
    text: out.say('cli.forgotten', { name }),
  };
};
