/** Records and templates of a flow as files: of several devices one each, numbered before the ending. */
import type { Engine } from '../../engine/api.ts';
import { toErrorShape } from '../../shared/errors.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import { writeNew } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';
import { usageError } from '../usage.ts';

const FORMATS = ['json', 'html', 'pdf'] as const;

/** By the ending of the name. */
export function formatOf(file: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((each) => file.toLowerCase().endsWith(`.${each}`));
  if (format !== undefined) return format;
  throw usageError('A record is written as .json, .html or .pdf.', { path: '--record' });
}

function nameOf(file: string, nth: number, count: number): string {
  if (count === 1) return file;
  return /\.\w+$/.test(file) ? file.replace(/(\.\w+)$/, `-${nth + 1}$1`) : `${file}-${nth + 1}`;
}

export async function writeRecords(
  { globals }: Invocation,
  engine: Engine,
  jobId: string,
  file: string,
): Promise<void> {
  const records = engine.flows.recordsOf({ jobId });
  const format = formatOf(file);
  const language = globals.lang?.startsWith('zh') === true ? 'zh-CN' : 'en';
  for (const [nth, sealed] of records.entries())
    await writeNew(
      nameOf(file, nth, records.length),
      await engine.flows.render(sealed, format, language),
      {},
    );
}

export interface WrittenTemplate {
  readonly device: string;
  readonly file?: string;
  /** Of what belongs to that device alone. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Why there is none. */
  readonly error?: ErrorShape;
}

export async function writeTemplates(
  { out }: Invocation,
  engine: Engine,
  { jobId, file }: { readonly jobId: string; readonly file: string },
): Promise<readonly WrittenTemplate[]> {
  const { results } = engine.jobs.show({ id: jobId });
  const written: WrittenTemplate[] = [];
  for (const [position, { name: device }] of results.entries())
    try {
      const { text, values } = engine.flows.template({ jobId, position });
      const name = nameOf(file, position, results.length);
      await writeNew(name, text, {});
      written.push({ device, file: name, values });
    } catch (thrown) {
      const error = toErrorShape(thrown);
      out.note(`${device}: ${error.message}`);
      written.push({ device, error });
    }
  return written;
}
