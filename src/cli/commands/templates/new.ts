/** `template new`: a commented template to fill in, made without any device. */
import { parseTemplate } from '#engine/template/parse-template.ts';
import { buildTemplateSkeleton } from '#engine/template/skeleton.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { TEMPLATE } from '#cli/declarations/template.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';

export async function createTemplate(
  invocation: Invocation,
  { kind = [], section = [], name, out: file, force }: OptionsOf<typeof TEMPLATE.template.commands.new>,
): Promise<Outcome> {
  const { out } = invocation;
  const text = buildTemplateSkeleton({
    name: name?.trim() || out.say('cli.new-template'),
    kinds: kind,
    sections: section,
  });
  if (file !== undefined)
    await (await openOutputFile(invocation, file, { force: force === true })).write(text);
  const { summary } = parseTemplate(text);
  return {
    json: { text, summary, ...removeUndefined({ file }) },
    text:
      file === undefined
        ? () => out.raw(text)
        : out.say('cli.template-made', { file, count: summary?.sections.length ?? 0 }),
  };
}
