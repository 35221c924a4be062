/** `users list|export`: people of one or many devices, written as they come and as fast as they are read. */
import {
  formatCsvHead,
  formatCsvLines,
  toPersonLine,
  formatNdjsonLines,
  type Engine,
  type Person,
} from '#engine/index.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Device } from '#shared/model.ts';
import type { PersonLine } from '#shared/people/people.ts';
import { exitCodeOfAll } from '../exit-codes.ts';
import { selectDevices } from '../input/devices.ts';
import { runWithEngine, type Invocation } from '../invocation.ts';
import { openOutputFile, type OutputFile } from '../output/output-file.ts';
import type { DeviceOptions } from '../options.ts';
import { cleanJson, cleanLine } from '../output/clean.ts';
import { formatError } from '../output/errors.ts';
import { fitText, padText } from '../output/width.ts';
import { createUsageError } from '../usage.ts';

interface UsersListOptions extends DeviceOptions {
  readonly search?: string;
}
interface UsersExportOptions extends UsersListOptions {
  readonly out?: string;
  readonly format?: string;
  readonly progress?: boolean;
}

/** Takes lines; false where nobody reads them any more. */
type Sink = (text: string) => Promise<boolean>;

interface Reading {
  readonly search: string | undefined;
  /** False: nobody wants more. */
  readonly people: (people: readonly Person[], device: Device) => Promise<boolean>;
  readonly progress?: (device: Device, read: number, total: number | undefined) => void;
}

/** Reads one device after the other; for each what went wrong, said on the error stream too. */
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
    if (error !== undefined) for (const line of formatError(error, out)) out.note(line);
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
  const pages = engine.people.pages(
    { deviceId: device.id, ...removeUndefined({ text: search }) },
    interrupts.signal,
  );
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
    const error = toErrorShape(thrown);
    return { ...error, device: error.device ?? device.url };
  }
}

export async function listPeople(invocation: Invocation, options: UsersListOptions): Promise<number> {
  const { out } = invocation;
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const write = toStdout(invocation);
    const table = new PeopleTable(devices.length > 1);
    let items = 0;
    const item = (shown: object): string =>
      `${items++ === 0 ? '' : ','}\n${cleanJson(JSON.stringify(shown))}`;
    if (out.asJson) await write('[');
    const errors = await readAll(invocation, engine, devices, {
      search: options.search,
      people: (people, device) =>
        write(
          people
            .map((person) => ({ device: device.name, ...toPersonLine(person) }))
            .map((shown) => (out.asJson ? item(shown) : table.line(shown)))
            .join(''),
        ),
    });
    if (out.asJson) {
      for (const error of errors) if (error !== undefined) await write(item({ device: error.device, error }));
      await write(items === 0 ? ']\n' : '\n]\n');
    }
    return exitCodeOfAll(errors);
  });
}

export async function exportPeople(invocation: Invocation, options: UsersExportOptions): Promise<number> {
  const { out } = invocation;
  const { out: file, format = 'csv', progress = false } = options;
  if (file === undefined)
    throw createUsageError(say('people-out-needed', { command: 'export' }), { path: '--out' });
  if (format !== 'csv' && format !== 'ndjson')
    throw createUsageError(say('cli.one-of', { option: '--format', allowed: 'csv, ndjson', text: format }), {
      path: '--format',
    });
  const target = file === '-' ? undefined : await openOutputFile(invocation, file, { force: true });
  return runWithEngine(invocation, async (engine) => {
    const devices = await selectDevices(invocation, engine, options);
    const counts = new Map<string, number>();
    const errors = await withFile(invocation, target, async (write) => {
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
          if (progress && out.asJson && file !== '-')
            out.jsonLine({ device: device.name, read, ...removeUndefined({ total }) });
          else out.progress(`${device.name}: ${read}${total === undefined ? '' : `/${total}`}`);
        },
      });
    });
    if (file !== '-') {
      const people = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const isWritten = isWorthKeeping(invocation, errors);
      const done = {
        ...(isWritten ? { out: file } : {}),
        format,
        people,
        devices: devices.map(({ id, name, url }, at) => ({
          device: url,
          name,
          people: counts.get(id) ?? 0,
          ...removeUndefined({ error: errors[at] }),
        })),
      };
      if (!out.asJson)
        out.note(
          isWritten
            ? out.say('people-exported', { count: people, file })
            : out.say('people-not-exported', { file }),
        );
      else if (progress) out.jsonLine(done);
      else out.json(done);
    }
    return exitCodeOfAll(errors);
  });
}

function toStdout({ out }: Pick<Invocation, 'out'>): Sink {
  return async (text) => {
    out.raw(text);
    await out.flush();
    return !out.left;
  };
}

/** What an earlier export wrote is worth more than a file that broke off. */
function isWorthKeeping({ interrupts }: Invocation, errors: readonly (ErrorShape | undefined)[]): boolean {
  return (
    !interrupts.happened && errors.some((error) => error === undefined || error.code === 'changed-meanwhile')
  );
}

/** Without a file it goes to standard output. */
async function withFile(
  invocation: Invocation,
  target: OutputFile | undefined,
  work: (write: Sink) => Promise<readonly (ErrorShape | undefined)[]>,
): Promise<readonly (ErrorShape | undefined)[]> {
  if (target === undefined) return work(toStdout(invocation));
  return target.writeThrough(
    (write) =>
      work(async (text) => {
        await write(text);
        return true;
      }),
    (errors) => isWorthKeeping(invocation, errors),
  );
}

const WIDTHS = { device: 20, employeeNo: 16, name: 26, type: 10, valid: 41 } as const;

/** Its widths are fixed, because nobody knows yet who comes. */
class PeopleTable {
  readonly #ofMany: boolean;
  #hasHead = false;

  constructor(ofMany: boolean) {
    this.#ofMany = ofMany;
  }

  line(shown: PersonLine & { readonly device: string }): string {
    const head = this.#hasHead
      ? ''
      : this.#row(['DEVICE', 'EMPLOYEE', 'NAME', 'TYPE', 'VALID', 'FACES', 'PRINTS', 'CARDS']);
    this.#hasHead = true;
    const { valid, faces, prints, cards } = shown;
    const span = valid?.enable === true ? `${valid.beginTime ?? ''} – ${valid.endTime ?? ''}` : '—';
    return `${head}${this.#row([
      shown.device,
      shown.employeeNo,
      shown.name ?? '',
      shown.userType ?? '',
      span,
      ...[faces, prints, cards].map((count) => (count === undefined ? '' : String(count))),
    ])}`;
  }

  #row([
    device = '',
    employeeNo = '',
    name = '',
    type = '',
    valid = '',
    ...counts
  ]: readonly string[]): string {
    const cells = [
      ...(this.#ofMany ? [padded(device, WIDTHS.device)] : []),
      padded(employeeNo, WIDTHS.employeeNo),
      padded(name, WIDTHS.name),
      padded(type, WIDTHS.type),
      padded(valid, WIDTHS.valid),
      ...counts.map((count) => padded(count, 6)),
    ];
    return `${cells.join('  ').trimEnd()}\n`;
  }
}

function padded(text: string, width: number): string {
  return padText(fitText(cleanLine(text), width), width);
}
