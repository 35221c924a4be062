/** Records and templates of a flow as files: of several devices one each, numbered before the ending. */
import { say } from '#shared/details.ts';
import { matchLanguage } from '#shared/details/languages.ts';
import type { Engine } from '#engine/api.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { Invocation } from '../invocation.ts';
import { translateError } from './errors.ts';
import { openOutputFile, type OutputFile } from './output-file.ts';
import { createUsageError } from '../usage.ts';

const FORMATS = ['json', 'html', 'pdf'] as const;

/** Returns the format by the ending of the name. */
export function formatOf(file: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((each) => file.toLowerCase().endsWith(`.${each}`));
  if (format !== undefined) return format;
  throw createUsageError(say('cli.record-format'), { path: '--record' });
}

function nameOf(file: string, nth: number, count: number): string {
  if (count === 1) return file;
  return /\.\w+$/.test(file) ? file.replace(/(\.\w+)$/, `-${nth + 1}$1`) : `${file}-${nth + 1}`;
}

/** Files of a flow, one for each device, in their order. */
export type FlowFiles = readonly { readonly name: string; readonly target: OutputFile }[];

/** Returns the files for so many devices. @throws `usage` or `unreadable-file` before anything is sent */
export async function readFlowFiles(
  invocation: Invocation,
  file: string,
  devices: number,
): Promise<FlowFiles> {
  const files: FlowFiles[number][] = [];
  for (let nth = 0; nth < devices; nth += 1) {
    const name = nameOf(file, nth, devices);
    files.push({ name, target: await openOutputFile(invocation, name) });
  }
  return files;
}

interface WrittenFile {
  readonly device: string;
  readonly file?: string;
  /** Values that belong to the device alone; with a template. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Why there is none. */
  readonly error?: ErrorShape;
}

/** The records of all devices of the flow. */
export function writeRecords(
  invocation: Invocation,
  engine: Engine,
  { jobId, files }: { readonly jobId: string; readonly files: FlowFiles },
): Promise<readonly WrittenFile[]> {
  const language = matchLanguage(invocation.globals.lang ?? '');
  const records = engine.flows.recordsOf({ jobId });
  const names = engine.jobs.show({ id: jobId }).results.map(({ name }) => name);
  return writeEach(invocation, names, async (position) => {
    const [sealed, file] = [records[position], files[position]];
    if (sealed === undefined || file === undefined) return {};
    await file.target.write(await engine.flows.render(sealed, formatOf(file.name), language));
    return { file: file.name };
  });
}

export function writeTemplates(
  invocation: Invocation,
  engine: Engine,
  { jobId, files }: { readonly jobId: string; readonly files: FlowFiles },
): Promise<readonly WrittenFile[]> {
  const names = engine.jobs.show({ id: jobId }).results.map(({ name }) => name);
  return writeEach(invocation, names, async (position) => {
    const { text, values } = engine.flows.template({ jobId, position });
    await files[position]?.target.write(text);
    return { file: files[position]?.name, values };
  });
}

/** Writes the files; one that fails is reported beside the others, because by then the devices hold what was written. */
async function writeEach(
  { out }: Invocation,
  devices: readonly string[],
  write: (position: number) => Promise<Omit<WrittenFile, 'device'>>,
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = [];
  for (const [position, device] of devices.entries())
    try {
      written.push({ device, ...(await write(position)) });
    } catch (thrown) {
      const error = toErrorShape(thrown);
      out.note(`${device}: ${[translateError(error, out).message, error.file].filter(Boolean).join(' ')}`);
      written.push({ device, error });
    }
  return written;
}
