/** `template capture`: a device read into a template; nothing is written to it. */
import type { Action } from '#cli/declarations/all.ts';
import { formatSectionPlace } from '#cli/output/names.ts';
import type { Output } from '#cli/output/output.ts';
import type { CapturedSection, CaptureEvent } from '#shared/template/authoring.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { selectOne } from '#cli/input/devices.ts';
import { openOutputFile } from '#cli/output/output-file.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { formatError } from '#cli/output/errors.ts';

type Captured = Extract<CaptureEvent, { type: 'template' }>;

/** Captures a device; exit 1 if a setting that the device has could not be read, the template holds the others. */
export const writeCapturedTemplate: Action<'template capture'> = async (invocation, options) => {
  const { out } = invocation;
  const { out: file, force, name, section, param: params = {} } = options;
  const target = await openOutputFile(invocation, file, { force: force === true });
  const engine = await invocation.open();
  const device = await selectOne(invocation, engine, options);
  const request = {
    deviceId: device.id,
    name,
    sections: section?.map((set) => ({ set })),
    params,
  };
  const captured = await follow(out, engine.templates.capture(request, invocation.interrupts.signal));
  const { text, sections, values, summary } = captured;
  await target?.write(text);
  return {
    json: { text, sections, values, summary, file },
    text: () => print(out, captured, file),
    code: listMissedSections(sections).length > 0 ? EXIT.failed : EXIT.done,
  };
};

/** Settings that the device has and that are not in what was captured. */
function listMissedSections(sections: readonly CapturedSection[]): readonly CapturedSection[] {
  return sections.filter(({ state }) => state === 'failed');
}

async function follow(out: Output, events: AsyncIterable<CaptureEvent>): Promise<Captured> {
  try {
    for await (const event of events) {
      if (event.type === 'template') return event;
      out.progress(
        out.say('cli.capture-progress', {
          done: event.done,
          total: event.total,
          title: formatSectionPlace(out, event.section),
        }),
      );
    }
  } finally {
    out.endProgress();
  }
  throw new Error('a capture ended without a template');
}

function print(out: Output, { text, sections, values }: Captured, file: string | undefined): void {
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

/** Names settings of a device that were not captured, with the reason. */
function noteLeftOut(sections: readonly CapturedSection[], out: Output): void {
  for (const section of sections) {
    if (section.state === 'failed' || section.state === 'secret')
      out.note(
        out.say(section.state === 'secret' ? 'cli.left-out-secret' : 'cli.left-out', {
          title: formatSectionPlace(out, section),
        }),
      );
    for (const { path, reason, value } of section.left)
      if (reason === 'invalid')
        out.note(
          out.say('cli.left-outside', {
            title: formatSectionPlace(out, section),
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
