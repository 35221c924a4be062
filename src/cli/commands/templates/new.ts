/** `template new`: a commented template to fill in, made without any device. */
import type { Action } from '#cli/declarations/all.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { buildTemplateSkeleton } from '#engine/template/skeleton.ts';
import { openOutputFile } from '#cli/output/output-file.ts';

export const createTemplate: Action<'template new'> = async (
  invocation,
  { kind = [], section = [], name, out: file, force },
) => {
  const { out } = invocation;
  const text = buildTemplateSkeleton({
    name: name?.trim() || out.say('cli.new-template'),
    kinds: kind,
    sections: section,
  });
  await (await openOutputFile(invocation, file, { force: force === true }))?.write(text);
  const { summary } = parseTemplate(text);
  return {
    json: { text, summary, file },
    text:
      file === undefined
        ? () => out.raw(text)
        : out.say('cli.template-made', { file, count: summary?.sections.length ?? 0 }),
  };
};
