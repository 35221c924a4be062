/** `device show`: what is known of a device, by its parts; reads it first if that is asked for. */
import type { Action } from '#cli/declarations/all.ts';
import { selectNamed } from '#cli/input/devices.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { placeName } from '#cli/output/names.ts';
import { getReader } from '#engine/report-files/reader.ts';
import { tabulate } from '#cli/output/table.ts';
import { matchLanguage } from '#shared/details/languages.ts';

export const showDevice: Action<'device show'> = async (invocation, reference, { read, ...options }) => {
  const { open, out, globals, interrupts } = invocation;
  const engine = await open();
  const device = await selectNamed(invocation, engine, options, reference);
  if (read === true) await engine.snapshots.take({ deviceId: device.id }, interrupts.signal);
  const known = await engine.snapshots.facts({ deviceId: device.id }, interrupts.signal);
  const { at, facts, chains } = known;
  if (at === undefined) return { json: known, text: out.say('cli.show-unknown', { device: device.name }) };
  const reader = getReader(matchLanguage(globals.lang ?? ''));
  const rows = facts.map(({ params, label, value, isFault }) => ({
    fact: `${reader.words(label)}${placeName(out, params)}`,
    value: reader.value(value).text,
    isFault: isFault === true,
  }));
  return {
    json: known,
    text: [
      out.say('cli.show-known', { device: device.name, at: createDateFormat(globals.lang)(at) }),
      tabulate(rows, {
        FACT: { value: 'fact', flexible: true },
        VALUE: { value: 'value', paint: (row) => (row.isFault ? 'bad' : undefined), flexible: true },
      }),
      ...chains.flatMap(({ links }) =>
        links.map(({ link, says }) => `${out.say(`cli.alarm.${link}`)}: ${out.sentence(says)}`),
      ),
    ],
  };
};
