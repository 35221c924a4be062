/** `template new`: a commented template to fill in, made without any device. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { DEVICE_KINDS, type DeviceKind } from '#shared/model.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { buildTemplateSkeleton } from '#engine/template/skeleton.ts';
import { EXIT } from '#cli/exit-codes.ts';
import type { Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { createUsageError } from '#cli/usage.ts';

interface NewOptions {
  readonly kind?: readonly string[];
  readonly section?: readonly string[];
  readonly name?: string;
  readonly out?: string;
  readonly force?: boolean;
}

export async function createTemplate(invocation: Invocation, options: NewOptions): Promise<number> {
  const text = buildTemplateSkeleton({
    name: options.name?.trim() || invocation.out.say('cli.new-template'),
    kinds: kindsOf(options.kind ?? []),
    sections: options.section ?? [],
  });
  if (options.out !== undefined) {
    const file = await openOutputFile(invocation, options.out, { force: options.force ?? false });
    await file.write(text);
  }
  const { out } = invocation;
  const { summary } = parseTemplate(text);
  if (out.asJson) out.json({ text, summary, ...removeUndefined({ file: options.out }) });
  else if (options.out === undefined) out.raw(text);
  else out.line(out.say('cli.template-made', { file: options.out, count: summary?.sections.length ?? 0 }));
  return EXIT.done;
}

/** `thermal,gate` is two kinds. */
function kindsOf(words: readonly string[]): readonly DeviceKind[] {
  return [
    ...new Set(
      words
        .flatMap((word) => word.split(','))
        .map((word) => {
          const known = DEVICE_KINDS.find((kind) => kind === word.trim());
          if (known !== undefined) return known;
          throw createUsageError(say('cli.kind-one-of', { kinds: DEVICE_KINDS.join(', '), word }), {
            path: '--kind',
          });
        }),
    ),
  ];
}
