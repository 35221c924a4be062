/** Settings that devices have differently, in the shortest of three tables. */
import { createDetail } from '#shared/details.ts';
import type { Matrix, Value } from '#shared/report-document.ts';
import { SAMPLED, measureColumnWeight } from './column-weight.ts';
import type { Grid, Piece } from './pieces.ts';
import type { Reader, Shown } from './reader.ts';

type Setting = Matrix['settings'][number];

/** Values that stand beside each other in one table. */
const MOST_COLUMNS = 5;
/** Different values up to which the devices are listed by the value that they have, and devices from which that is shorter. */
const [MOST_VALUES, LEAST_DEVICES] = [3, 5];
/** Names of devices in one cell. */
const MOST_NAMES = 30;

/** Lays out settings with few different values by these values, the others with the devices as rows or as columns. */
export function* layOutMatrix({ title, devices, settings }: Matrix, reader: Reader): Generator<Piece> {
  const name = title === undefined ? undefined : reader.words(title);
  const isShort = (setting: Setting): boolean =>
    devices.length >= LEAST_DEVICES && groupByValue(setting).size <= MOST_VALUES;
  const short = settings.filter(isShort);
  const long = settings.filter((setting) => !isShort(setting));
  if (short.length > 0) yield byValue({ title: name, devices, settings: short }, reader);
  if (long.length > 0) yield* inColumns({ title: name, devices, settings: long }, reader);
  const proofs = new Set(settings.map(({ proof }) => proof));
  const [proof] = proofs;
  if (proofs.size === 1 && proof !== undefined)
    yield {
      piece: 'text',
      tone: 'plain',
      text: reader.words(createDetail('report.all-proved', { proof: reader.proof(proof).text })),
    };
}

interface Part {
  readonly title: string | undefined;
  readonly devices: Matrix['devices'];
  readonly settings: readonly Setting[];
}

function byValue({ title, devices, settings }: Part, reader: Reader): Grid {
  const rows = settings.flatMap((setting) => {
    const groups = [...groupByValue(setting)].toSorted(([, one], [, other]) => other.length - one.length);
    return groups.map(([, nths], at): readonly Shown[] => {
      const isRest = at === 0 && nths.length > devices.length / 2;
      const names = nths.map((nth) => reader.words(devices[nth]?.name ?? ''));
      const more = names.length - MOST_NAMES;
      return [
        { text: at === 0 ? nameOf(setting, reader) : '' },
        cellOf(setting, nths[0] ?? 0, reader),
        {
          text: isRest
            ? reader.words(createDetail('report.all-others', { count: nths.length }))
            : names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` … (+${more})` : ''),
        },
      ];
    });
  });
  return gridOf(
    title,
    [reader.phrase('report.label'), reader.phrase('report.value'), reader.phrase('report.devices')],
    rows,
  );
}

/** Returns the positions of the devices by what they show. */
function groupByValue({
  values,
  sources = [],
  without = [],
}: Setting): ReadonlyMap<string, readonly number[]> {
  return Map.groupBy(values.keys(), (nth) =>
    JSON.stringify([
      values[nth],
      sources.length > 1 ? sources[nth] : null,
      without.length > 0 && values[nth] === null,
    ]),
  );
}

/** Chooses what makes fewer lines: a row for each device, or a row for each setting. */
function* inColumns({ title, devices, settings }: Part, reader: Reader): Generator<Piece> {
  const lines = (rows: number, columns: number): number => Math.ceil(columns / MOST_COLUMNS) * (rows + 2);
  const isByDevice = lines(devices.length, settings.length) <= lines(settings.length, devices.length);
  const cell = (device: number, setting: number): Shown => {
    const own = settings[setting];
    return own === undefined ? { text: '' } : cellOf(own, device, reader);
  };
  const deviceNames = devices.map(({ name }) => reader.words(name));
  const settingNames = settings.map((setting) => nameOf(setting, reader));
  const [rows, columns] = isByDevice ? [deviceNames, settingNames] : [settingNames, deviceNames];
  const corner = reader.phrase(isByDevice ? 'report.device' : 'report.label');
  for (let from = 0; from < columns.length; from += MOST_COLUMNS) {
    const shown = columns.slice(from, from + MOST_COLUMNS);
    yield gridOf(
      title,
      [corner, ...shown],
      rows.map((name, row) => [
        { text: name },
        ...shown.map((_name, nth) => (isByDevice ? cell(row, from + nth) : cell(from + nth, row))),
      ]),
    );
  }
}

function nameOf({ label, where }: Setting, reader: Reader): string {
  const name = reader.words(label);
  return where === undefined ? name : `${reader.words(where)} · ${name}`;
}

/** Returns the value, with its source where that is not the same for all. */
function cellOf({ values, sources = [] }: Setting, nth: number, reader: Reader): Shown {
  const value: Value = values[nth] ?? null;
  const shown = reader.value(value);
  const source = sources.length > 1 ? sources[nth] : undefined;
  return source === undefined || source === '' ? shown : { text: `${shown.text} (${reader.words(source)})` };
}

function gridOf(
  title: string | undefined,
  heads: readonly string[],
  rows: readonly (readonly Shown[])[],
): Grid {
  return {
    piece: 'table',
    ...(title !== undefined && { title }),
    columns: heads.map((label, at) => ({
      label,
      align: 'start',
      weight: measureColumnWeight(
        label,
        rows.slice(0, SAMPLED).map((row) => row[at]?.text ?? ''),
      ),
    })),
    rows,
  };
}
