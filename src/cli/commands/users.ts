/** `users list|export`: people of one or many devices, written as they come and as fast as they are read. */
import type { Action } from '../declarations/all.ts';
import {
  formatCsvHead,
  formatCsvLines,
  toPersonLine,
  formatNdjsonLines,
  type Engine,
  type Person,
} from '#engine/index.ts';
import { say } from '#shared/details.ts';
import type { ErrorShape } from '#shared/errors.ts';
import { toDeviceError } from '../each-device.ts';
import type { Device } from '#shared/model.ts';
import type { PersonLine } from '#shared/people/people.ts';
import { exitCodeOfAll } from '../exit-codes.ts';
import { selectDevices } from '../input/devices.ts';
import type { Invocation } from '../invocation.ts';
import type { Write } from '#engine/files/write-file.ts';
import { openOutput } from '../output/output-file.ts';
import { cleanJson } from '../output/clean.ts';
import { noteError } from '../output/errors.ts';
import { formatFixedHead, formatFixedRow, type FixedColumns } from '../output/table.ts';

/** Takes lines, and returns false once the reader has left. */
type Sink = (text: string) => Promise<boolean>;

interface Reading {
  readonly search: string | undefined;
  /** Takes people; false ends the reading. */
  readonly people: (people: readonly Person[], device: Device) => Promise<boolean>;
  readonly progress?: (device: Device, read: number, total: number | undefined) => void;
}

/** Reads one device after the other; returns the error of each, and prints it too. */
async function readAll(
  invocation: Invocation,
  engine: Engine,
  devices: readonly Device[],
  reading: Reading,
): Promise<readonly (ErrorShape | undefined)[]> {
  const { out, interrupts } = invocation;
  const errors: (ErrorShape | undefined)[] = [];
  for (const device of devices) {
    const error = await readOne(invocation, engine, device, reading);
    if (error === 'left') return errors;
    out.endProgress();
    if (error !== undefined) noteError(out, error);
    errors.push(error);
    if (interrupts.signal.aborted) break;
  }
  return errors;
}

async function readOne(
  { out, interrupts }: Invocation,
  engine: Engine,
  device: Device,
  { search, people, progress }: Reading,
): Promise<ErrorShape | 'left' | undefined> {
  const pages = engine.people.pages({ deviceId: device.id, text: search }, interrupts.signal);
  try {
    for (;;) {
      const step = await pages.next();
      if (step.done === true) {
        const { complete, notes } = step.value;
        for (const note of notes) out.note(`${device.name}: ${out.sentence(note)}`);
        return complete
          ? undefined
          : {
              code: 'changed-meanwhile',
              source: 'app',
              ...say('people-incomplete'),
              device: device.url,
            };
      }
      progress?.(device, step.value.read, step.value.total);
      if (await people(step.value.people, device)) continue;
      await pages.return({ read: 0, complete: false, notes: [] });
      return 'left';
    }
  } catch (thrown) {
    return toDeviceError(thrown, device);
  }
}

export const listPeople: Action<'users list'> = async (invocation, options) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  const write = toStdout(invocation);
  const { DEVICE, ...ofOne } = COLUMNS;
  const columns: FixedColumns<ShownPerson> = devices.length > 1 ? { DEVICE, ...ofOne } : ofOne;
  let items = 0;
  const toItem = (shown: object): string =>
    `${items++ === 0 ? '' : ','}\n${cleanJson(JSON.stringify(shown))}`;
  const toLine = (shown: ShownPerson): string =>
    `${items++ === 0 ? `${formatFixedHead(columns)}\n` : ''}${formatFixedRow(shown, columns)}\n`;
  if (out.asJson) await write('[');
  const errors = await readAll(invocation, engine, devices, {
    search: options.search,
    people: (people, { name }) =>
      write(
        people
          .map((person) => ({ device: name, ...toPersonLine(person) }))
          .map((shown) => (out.asJson ? toItem(shown) : toLine(shown)))
          .join(''),
      ),
  });
  if (out.asJson) {
    for (const error of errors) if (error !== undefined) await write(toItem({ device: error.device, error }));
    await write(items === 0 ? ']\n' : '\n]\n');
  }
  return exitCodeOfAll(errors);
};

export const exportPeople: Action<'users export'> = async (invocation, options) => {
  const { out } = invocation;
  const { out: file, format, progress } = options;
  const target = await openOutput(invocation, file, { force: true });
  const engine = await invocation.open();
  const devices = await selectDevices(invocation, engine, options);
  const counts = new Map<string, number>();
  const work = async (writeText: Write) => {
    const write: Sink = async (text) => {
      await writeText(text);
      return file !== '-' || !out.left;
    };
    // Spreadsheets misread names without the mark; a pipe leads to a program.
    if (format === 'csv') await write(`${file === '-' ? '' : '\ufeff'}${formatCsvHead()}`);
    return readAll(invocation, engine, devices, {
      search: options.search,
      people(people, device) {
        counts.set(device.id, (counts.get(device.id) ?? 0) + people.length);
        return write(
          format === 'csv'
            ? formatCsvLines(device.name, people)
            : formatNdjsonLines(devices.length > 1 ? device.name : undefined, people),
        );
      },
      progress(device, read, total) {
        if (progress && out.asJson && file !== '-') out.jsonLine({ device: device.name, read, total });
        else out.progress(`${device.name}: ${read}${total === undefined ? '' : `/${total}`}`);
      },
    });
  };
  const errors = await target.writeThrough(work, (read) => isWorthKeeping(invocation, read));
  const code = exitCodeOfAll(errors);
  if (file === '-') return code;
  const people = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isWritten = isWorthKeeping(invocation, errors);
  return {
    json: {
      ...(isWritten ? { out: file } : {}),
      format,
      people,
      devices: devices.map(({ id, name, url }, at) => ({
        device: url,
        name,
        people: counts.get(id) ?? 0,
        error: errors[at],
      })),
    },
    note: isWritten
      ? out.say('people-exported', { count: people, file })
      : out.say('people-not-exported', { file }),
    code,
    asLine: progress,
  };
};

function toStdout({ out }: Pick<Invocation, 'out'>): Sink {
  return async (text) => {
    out.raw(text);
    await out.flush();
    return !out.left;
  };
}

/** Returns whether the new file replaces an earlier one: that is worth more than a file that broke off. */
function isWorthKeeping({ interrupts }: Invocation, errors: readonly (ErrorShape | undefined)[]): boolean {
  return (
    !interrupts.happened && errors.some((error) => error === undefined || error.code === 'changed-meanwhile')
  );
}

type ShownPerson = PersonLine & { readonly device: string };

/** Columns of a person; their widths are fixed, because rows are written as people are read. */
const COLUMNS = {
  DEVICE: { value: 'device', width: 20 },
  EMPLOYEE: { value: 'employeeNo', width: 16 },
  NAME: { value: 'name', width: 26 },
  TYPE: { value: 'userType', width: 10 },
  VALID: {
    value: ({ valid }) =>
      valid?.enable === true ? `${valid.beginTime ?? ''} – ${valid.endTime ?? ''}` : '—',
    width: 41,
  },
  FACES: { value: 'faces', width: 6 },
  PRINTS: { value: 'prints', width: 6 },
  CARDS: { value: 'cards', width: 6 },
} satisfies FixedColumns<ShownPerson>;
