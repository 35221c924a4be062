/** `users compare`: everybody over several devices, row by row, so that any number takes no memory. */
import type { Action } from '../declarations/all.ts';
import { say } from '#shared/details.ts';
import { exitCodeOfAll, EXIT } from '../exit-codes.ts';
import { selectDevices } from '../input/devices.ts';
import { cleanJson, cleanLine } from '../output/clean.ts';
import { noteError } from '../output/errors.ts';
import { createUsageError } from '../usage.ts';

/** Prints who is on which device, and who differs. */
export const printPeopleComparison: Action<'users compare'> = async (invocation, options) => {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  if (devices.length < 2) throw createUsageError(say('people-compare-two'), { path: '--device' });
  for await (const event of engine.people.compare(
    { deviceIds: devices.map(({ id }) => id) },
    interrupts.signal,
  )) {
    if (event.type === 'device') {
      const { name, notes, error, url } = event.device;
      for (const note of notes) out.note(`${name}: ${out.sentence(note)}`);
      if (error !== undefined) noteError(out, { ...error, device: url });
      continue;
    }
    const { id, ...found } = event;
    try {
      const { type: _type, devices: compared, counts } = found;
      const shown = compared.map(({ url, ...device }) => ({ device: url, ...device }));
      if (out.asJson)
        out.raw(`${cleanJson(JSON.stringify({ counts, devices: shown }).slice(0, -1))},"people":[`);
      let isFirst = true;
      for (const { places, from, ...person } of engine.people.everybody(id)) {
        const differs = places.some((place) => place === 'differs' || place === 'missing');
        if (!differs && options.all !== true) continue;
        const at = Object.fromEntries(places.map((place, nth) => [compared[nth]?.url ?? '', place]));
        if (out.asJson)
          out.raw(
            `${isFirst ? '' : ','}\n${cleanJson(JSON.stringify({ ...person, places: at, from: compared[from]?.url }))}`,
          );
        else
          out.line(
            `${person.employeeNo}  ${cleanLine(person.name ?? '')}  ${places.map((place, nth) => `${compared[nth]?.name ?? ''}: ${place}`).join(', ')}${person.fields.length === 0 ? '' : `  (${person.fields.join(', ')})`}`,
          );
        isFirst = false;
        await out.flush();
        if (out.left) break;
      }
      if (out.asJson) out.raw(']}\n');
      else out.note(out.say('people-compared', counts));
      return exitCodeOfAll(compared.map(({ error }) => error));
    } finally {
      engine.people.discard({ id });
    }
  }
  return EXIT.interrupted;
};
