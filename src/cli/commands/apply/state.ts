/** `state save|list|show|remove`: settings of devices, kept. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { SavedState } from '#shared/history.ts';
import { userError } from '#shared/errors.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { selectOne } from '#cli/input/devices.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import type { DeviceOptions } from '#cli/options.ts';
import type { CapturedSection } from '#shared/template/authoring.ts';
import { listMissedSections, noteLeftOut } from '../templates/capture.ts';

/** Exit 1 where a setting that the device has could not be read; the others are kept. */
export async function stateSave(
  invocation: Invocation,
  options: DeviceOptions & { readonly name?: string },
): Promise<number> {
  const { out, interrupts } = invocation;
  return runWithEngine(invocation, async (engine) => {
    const { id: deviceId } = await selectOne(invocation, engine, options);
    let saved: SavedState | undefined;
    let sections: readonly CapturedSection[] = [];
    for await (const event of engine.states.save(
      { deviceId, ...removeUndefined({ name: options.name }) },
      interrupts.signal,
    )) {
      if (event.type === 'section')
        out.progress(out.say('cli.reading', { done: event.done, total: event.total }));
      if (event.type === 'template') sections = event.sections;
      if (event.type === 'state') saved = event.state;
    }
    out.endProgress();
    if (saved === undefined) throw userError('cancelled', say('cli.state-cancelled'));
    const left = listMissedSections(sections);
    const outside = sections.flatMap(({ set, params, left: of }) =>
      of.flatMap(({ path, reason, value }) => (reason === 'invalid' ? { set, params, path, value } : [])),
    );
    if (out.asJson)
      out.json({
        ...saved,
        ...(left.length === 0 ? {} : { left }),
        ...(outside.length === 0 ? {} : { outside }),
      });
    else {
      out.line(out.say('cli.state-saved', { id: saved.id, name: saved.name, count: saved.sections }));
      noteLeftOut(sections, out);
    }
    return left.length === 0 ? EXIT.done : EXIT.failed;
  });
}

export async function stateList(invocation: Invocation): Promise<number> {
  const states = await runWithEngine(invocation, async (engine) => engine.states.list());
  const { out } = invocation;
  if (out.asJson) out.json(states);
  else {
    const format = new Intl.DateTimeFormat(invocation.globals.lang, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    out.table<SavedState>(
      [
        { title: 'STATE', cell: ({ id }) => id },
        { title: 'SAVED', cell: ({ at }) => format.format(new Date(at)) },
        { title: 'BY', cell: ({ by }) => by },
        { title: 'SECTIONS', align: 'right', cell: ({ sections }) => String(sections) },
        { title: 'DEVICE', cell: ({ url }) => url },
        { title: 'NAME', cell: ({ name }) => name, flexible: true },
      ],
      states,
    );
  }
  return EXIT.done;
}

export async function stateShow(invocation: Invocation, id: string): Promise<number> {
  const state = await runWithEngine(invocation, async (engine) => engine.states.show(id));
  if (invocation.out.asJson) invocation.out.json(state);
  else invocation.out.raw(state.text);
  return EXIT.done;
}

export async function stateRemove(invocation: Invocation, id: string): Promise<number> {
  const removed = await runWithEngine(invocation, async (engine) => {
    const { id: fullId } = engine.states.show(id);
    return { id: fullId, ...engine.states.remove({ id: fullId }) };
  });
  if (invocation.out.asJson) invocation.out.json(removed);
  else invocation.out.note(invocation.out.say('cli.forgotten', { name: removed.id }));
  return EXIT.done;
}
