/** `state save|list|show|remove`: settings of devices, kept. */
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { STATE } from '#cli/declarations/state.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { selectOne } from '#cli/input/devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { tabulate } from '#cli/output/table.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { SavedState } from '#shared/history.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { CapturedSection } from '#shared/template/authoring.ts';
import { listMissedSections, noteLeftOut } from '../templates/capture.ts';

/** Saves a state; exit 1 if a setting that the device has could not be read, the others are kept. */
export async function stateSave(
  invocation: Invocation,
  options: OptionsOf<typeof STATE.state.commands.save>,
): Promise<Outcome> {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
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
  const { id, name, sections: count } = saved;
  const left = listMissedSections(sections);
  const outside = sections.flatMap(({ set, params, left: of }) =>
    of.flatMap(({ path, reason, value }) => (reason === 'invalid' ? { set, params, path, value } : [])),
  );
  return {
    json: { ...saved, ...(left.length > 0 && { left }), ...(outside.length > 0 && { outside }) },
    text: () => {
      out.line(out.say('cli.state-saved', { id, name, count }));
      noteLeftOut(sections, out);
    },
    code: left.length === 0 ? EXIT.done : EXIT.failed,
  };
}

export async function stateList({ open, globals }: Invocation): Promise<Outcome> {
  const states = (await open()).states.list();
  const format = new Intl.DateTimeFormat(globals.lang, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    json: states,
    text: tabulate(states, {
      STATE: 'id',
      SAVED: ({ at }) => format.format(new Date(at)),
      BY: 'by',
      SECTIONS: 'sections',
      DEVICE: 'url',
      NAME: { value: 'name', flexible: true },
    }),
  };
}

export async function stateShow({ open, out }: Invocation, id: string): Promise<Outcome> {
  const state = (await open()).states.show(id);
  return { json: state, text: () => out.raw(state.text) };
}

export async function stateRemove({ open, out }: Invocation, named: string): Promise<Outcome> {
  const { states } = await open();
  const { id } = states.show(named);
  return { json: { id, ...states.remove({ id }) }, note: out.say('cli.forgotten', { name: id }) };
}
