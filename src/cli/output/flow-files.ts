/** Records and templates of a flow as files: of several devices one each, numbered before the ending. */
import { say } from '../../shared/details.ts';
import type { Engine } from '../../engine/api.ts';
import { toErrorShape, type ErrorShape } from '../../shared/errors.ts';
import { refuseExisting, writeNew } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';
import { errorText } from './errors.ts';
import { usageError } from '../usage.ts';

const FORMATS = ['json', 'html', 'pdf'] as const;

/** By the ending of the name. */
export function formatOf(file: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((each) => file.toLowerCase().endsWith(`.${each}`));
  if (format !== undefined) return format;
  throw usageError(say('cli.record-format'), { path: '--record' });
}

function nameOf(file: string, nth: number, count: number): string {
  if (count === 1) return file;
  return /\.\w+$/.test(file) ? file.replace(/(\.\w+)$/, `-${nth + 1}$1`) : `${file}-${nth + 1}`;
}

/** Refuses, before anything is sent, what could not be written for so many devices. Throws `usage` or `unreadable-file`. */
export function refuseFiles(file: string, devices: number): void {
  for (let nth = 0; nth < devices; nth += 1) refuseExisting(nameOf(file, nth, devices));
}

interface WrittenFile {
  readonly device: string;
  readonly file?: string;
  /** Of what belongs to that device alone; with a template. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Why there is none. */
  readonly error?: ErrorShape;
}

/** The records of all devices of the flow. */
export function writeRecords(
  invocation: Invocation,
  engine: Engine,
  { jobId, file }: { readonly jobId: string; readonly file: string },
): Promise<readonly WrittenFile[]> {
  const format = formatOf(file);
  const language = invocation.globals.lang?.startsWith('zh') === true ? 'zh-CN' : 'en';
  const records = engine.flows.recordsOf({ jobId });
  const names = engine.jobs.show({ id: jobId }).results.map(({ name }) => name);
  return writeEach(invocation, names, async (position) => {
    const sealed = records[position];
    if (sealed === undefined) return {};
    const name = nameOf(file, position, names.length);
    await writeNew(name, await engine.flows.render(sealed, format, language));
    return { file: name };
  });
}

export function writeTemplates(
  invocation: Invocation,
  engine: Engine,
  { jobId, file }: { readonly jobId: string; readonly file: string },
): Promise<readonly WrittenFile[]> {
  const names = engine.jobs.show({ id: jobId }).results.map(({ name }) => name);
  return writeEach(invocation, names, async (position) => {
    const { text, values } = engine.flows.template({ jobId, position });
    const name = nameOf(file, position, names.length);
    await writeNew(name, text);
    return { file: name, values };
  });
}

/** What fails is told beside the others: by then the devices hold what was written. */
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
      out.note(`${device}: ${[errorText(error, out).message, error.file].filter(Boolean).join(' ')}`);
      written.push({ device, error });
    }
  return written;
}
