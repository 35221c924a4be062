/** `template capture`: a device read into a template; nothing is written to it. */
import { placeName, formatSectionName } from '#cli/output/names.ts';
import type { Output } from '#cli/output/output.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { CapturedSection, CaptureEvent } from '#shared/template/authoring.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { selectOne } from '#cli/input/devices.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import type { DeviceOptions } from '#cli/options.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { formatError } from '#cli/output/errors.ts';
import { nameAndValue } from '#cli/usage.ts';

interface CaptureOptions extends DeviceOptions {
  readonly section?: readonly string[];
  readonly param?: readonly string[];
  readonly name?: string;
  readonly out?: string;
  readonly force?: boolean;
}

type Captured = Extract<CaptureEvent, { type: 'template' }>;

/** Exit 1 where a setting that the device has could not be read; the template holds the others. */
export async function writeCapturedTemplate(
  invocation: Invocation,
  options: CaptureOptions,
): Promise<number> {
  const { out, force = false } = options;
  const file = out === undefined ? undefined : await openOutputFile(invocation, out, { force });
  const captured = await runWithEngine(invocation, async (engine) => {
    const device = await selectOne(invocation, engine, options);
    const request = {
      deviceId: device.id,
      ...removeUndefined({
        name: options.name,
        sections: options.section === undefined ? undefined : options.section.map((set) => ({ set })),
      }),
      params: Object.fromEntries((options.param ?? []).map((text) => nameAndValue(text))),
    };
    return follow(invocation, engine.templates.capture(request, invocation.interrupts.signal));
  });
  await file?.write(captured.text);
  print(invocation, captured, out);
  return listMissedSections(captured.sections).length > 0 ? EXIT.failed : EXIT.done;
}

/** Settings that the device has and that are not in what was captured. */
export function listMissedSections(sections: readonly CapturedSection[]): readonly CapturedSection[] {
  return sections.filter(({ state }) => state === 'failed');
}

async function follow({ out }: Invocation, events: AsyncIterable<CaptureEvent>): Promise<Captured> {
  try {
    for await (const event of events) {
      if (event.type === 'template') return event;
      out.progress(
        out.say('cli.capture-progress', {
          done: event.done,
          total: event.total,
          title: cleanLine(titleOf(event.section, out)),
        }),
      );
    }
  } finally {
    out.endProgress();
  }
  throw new Error('a capture ended without a template');
}

function print(
  { out }: Invocation,
  { text, sections, values, summary }: Captured,
  file: string | undefined,
): void {
  if (out.asJson) {
    out.json({ text, sections, values, summary, ...removeUndefined({ file }) });
    return;
  }
  if (file === undefined) out.raw(text);
  const captured = sections.filter(({ state }) => state === 'captured').length;
  out.note(
    file === undefined
      ? out.say('cli.captured', { count: captured })
      : out.say('cli.captured-into', { count: captured, file }),
  );
  noteLeftOut(sections, out);
  const names = Object.keys(values);
  if (names.length === 0) return;
  out.note(out.say('cli.variable-because'));
  for (const name of names) out.note(`  ${name}=${cleanLine(String(values[name]))}`);
}

/** What of a device was not captured although it has it, with the reason. */
export function noteLeftOut(sections: readonly CapturedSection[], out: Output): void {
  for (const section of sections) {
    if (section.state === 'failed' || section.state === 'secret')
      out.note(
        out.say(section.state === 'secret' ? 'cli.left-out-secret' : 'cli.left-out', {
          title: cleanLine(titleOf(section, out)),
        }),
      );
    for (const { path, reason, value } of section.left)
      if (reason === 'invalid')
        out.note(
          out.say('cli.left-outside', {
            title: cleanLine(titleOf(section, out)),
            path: cleanLine(path) || '—',
            value: cleanLine(JSON.stringify(value) ?? '—').slice(0, 200),
          }),
        );
    if (
      section.error !== undefined &&
      (section.state === 'failed' || section.error.code === 'input-too-large')
    )
      for (const line of formatError(section.error, out)) out.note(`  ${line}`);
  }
}

function titleOf(section: CapturedSection, out: Output): string {
  return `${formatSectionName(out, section)}${placeName(out, section.params)}`;
}
