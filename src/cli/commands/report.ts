/** `report …`: devices read (or remembered), and a file of it. */
import { hash } from 'node:crypto';
import type { Engine } from '../../engine/api.ts';
import type { ReportRequest } from '../../shared/contract/reports.ts';
import { defined } from '../../shared/defined.ts';
import { languageOf } from '../../shared/details/languages.ts';
import type { ErrorShape } from '../../shared/errors.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { REPORT_FILE_FORMATS } from '../../shared/reports.ts';
import type { ReportFileFormat } from '../../shared/reports.ts';
import { EXIT, exitCodeOfAll } from '../exit-codes.ts';
import { selectDevices } from '../input/devices.ts';
import { refuseExisting, writeNew } from '../input/files.ts';
import { withEngine, type Invocation } from '../invocation.ts';
import type { DeviceOptions } from '../options.ts';
import { errorWords } from '../output/errors.ts';
import { usageError } from '../usage.ts';

export interface ReportOptions extends DeviceOptions {
  readonly all?: boolean;
  readonly format?: string;
  readonly out?: string;
  readonly offline?: boolean;
  readonly progress?: boolean;
  readonly force?: boolean;
}

export async function reportCapabilities(invocation: Invocation, options: ReportOptions): Promise<number> {
  const target = targetOf(options);
  return withEngine(invocation, async (engine) => {
    const deviceIds = await chosenDevices(invocation, engine, options);
    const failures =
      options.offline === true ? new Map() : await readAll(invocation, engine, deviceIds, options);
    if (failures === undefined) return EXIT.interrupted;
    await writeReport(invocation, engine, target, {
      kind: 'capabilities',
      deviceIds,
      ...defined({ offline: options.offline }),
      ...target.file(invocation),
    });
    return exitCodeOfAll(deviceIds.map((id) => failures.get(id)));
  });
}

/** Where a report goes, and in which format. */
interface Target {
  readonly out: string;
  readonly format: ReportFileFormat;
  readonly force: boolean;
  file(invocation: Invocation): Pick<ReportRequest, 'format' | 'language'>;
}

/** Throws `usage` before anything is asked. */
function targetOf({ out, format, force = false }: ReportOptions): Target {
  if (out === undefined)
    throw usageError('report needs --out FILE; - is standard output.', { path: '--out' });
  const wanted = format ?? /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase();
  const known = REPORT_FILE_FORMATS.find((one) => one === wanted);
  if (known === undefined)
    throw usageError(
      format === undefined
        ? `--format is needed where --out does not end in ${REPORT_FILE_FORMATS.join(', ')}.`
        : `--format takes ${REPORT_FILE_FORMATS.join(', ')}, not "${format}".`,
      { path: '--format' },
    );
  if (out !== '-') refuseExisting(out, { force });
  return {
    out,
    format: known,
    force,
    file: ({ globals }) => ({ format: known, language: languageOf(globals.lang ?? '') }),
  };
}

async function chosenDevices(
  invocation: Invocation,
  engine: Engine,
  options: ReportOptions,
): Promise<readonly string[]> {
  const all = options.all === true ? engine.devices.list().map(({ id }) => id) : [];
  if (options.all === true && all.length === 0)
    throw usageError('The inventory holds no device.', {
      path: '--all',
      hint: 'fieldwright device add ADDRESS adds one.',
    });
  return all.length > 0 ? all : (await selectDevices(invocation, engine, options)).map(({ id }) => id);
}

/** Failed devices by id; undefined where it was interrupted: what was read by then is kept. */
async function readAll(
  { out, interrupts }: Invocation,
  engine: Engine,
  deviceIds: readonly string[],
  { progress }: ReportOptions,
): Promise<ReadonlyMap<string, ErrorShape> | undefined> {
  const failures = new Map<string, ErrorShape>();
  let read = 0;
  for await (const event of engine.reports.gather({ deviceIds }, interrupts.signal)) {
    const { done, total, name, error } = event;
    if (error === undefined) read += 1;
    else failures.set(event.deviceId, error);
    if (progress === true && out.asJson) out.jsonLine({ type: 'device', ...event });
    else if (progress === true || error !== undefined)
      out.note(
        `${done}/${total} ${name}: ${error === undefined ? out.say('report.result.done') : errorWords(error, out).message}`,
      );
    out.progress(out.say('cli.progress', { done, total }));
  }
  out.endProgress();
  if (!interrupts.happened) return failures;
  out.note(out.say('reports.stopped', { read, total: deviceIds.length }));
  return undefined;
}

async function writeReport(
  { io, out }: Invocation,
  engine: Engine,
  { out: file, force }: Target,
  request: ReportRequest,
): Promise<void> {
  const { parts, sha256 } = engine.reports.file(request);
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  const bytes = Buffer.concat(chunks);
  if (file === '-') {
    if (io.stdout.isTTY && request.format === 'pdf')
      throw new FieldwrightError({
        code: 'usage',
        source: 'user',
        path: '--out',
        message: 'A PDF is not for a terminal.',
      });
    await new Promise<void>((resolve) => {
      io.stdout.write(bytes, () => resolve());
    });
    return;
  }
  await writeNew(file, bytes, { force });
  const made = {
    file,
    format: request.format,
    bytes: bytes.length,
    fileSha256: hash('sha256', bytes, 'hex'),
    ...defined({ sha256 }),
  };
  if (out.asJson) out.json(made);
  else out.note(out.say('reports.written', { file }));
}
