/** `report …`: devices read (or remembered), and a file of it. */
import { createHash } from 'node:crypto';
import type { Engine } from '#engine/api.ts';
import type { HandoverDetails } from '#shared/contract/handover.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { say } from '#shared/details.ts';
import { matchLanguage } from '#shared/details/languages.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import { REPORT_FILE_FORMATS, type ReportFileFormat } from '#shared/reports.ts';
import { listOperations } from '#engine/index.ts';
import { EXIT, exitCodeOfAll, type ExitCode } from '../exit-codes.ts';
import { readBranding } from '../input/branding.ts';
import { selectDevices } from '../input/devices.ts';
import { readBytes, readText } from '../input/files.ts';
import { runWithEngine, type Invocation } from '../invocation.ts';
import { openOutputFile, type OutputFile } from '../output/output-file.ts';
import type { DeviceOptions } from '../options.ts';
import { translateError } from '../output/errors.ts';
import { createUsageError } from '../usage.ts';

interface ReportOptions extends DeviceOptions {
  readonly all?: boolean;
  readonly format?: string;
  readonly out?: string;
  readonly branding?: string;
  readonly offline?: boolean;
  readonly progress?: boolean;
  readonly force?: boolean;
}

export async function reportCapabilities(invocation: Invocation, options: ReportOptions): Promise<number> {
  const target = await targetOf(invocation, options);
  return runWithEngine(invocation, async (engine) => {
    const deviceIds = await chosenDevices(invocation, engine, options);
    return readAndWrite(invocation, engine, deviceIds, options, target, {
      kind: 'capabilities',
      deviceIds: [...deviceIds],
      ...removeUndefined({ offline: options.offline }),
      ...target.file,
    });
  });
}

interface ComparisonOptions extends ReportOptions {
  readonly since?: string;
  readonly with?: string;
  readonly allValues?: boolean;
}

export async function reportComparison(invocation: Invocation, options: ComparisonOptions): Promise<number> {
  const { since, with: handedOver } = options;
  if (since !== undefined && handedOver !== undefined)
    throw createUsageError(say('reports.since-or-with'), { path: '--since' });
  const target = await targetOf(invocation, options);
  const from = since === undefined ? undefined : momentOf(since);
  const document =
    handedOver === undefined
      ? undefined
      : Buffer.from(await readBytes(invocation.io, handedOver)).toString('base64');
  return runWithEngine(invocation, async (engine) => {
    const opened =
      document === undefined
        ? undefined
        : await engine.reports.open({ document }, invocation.interrupts.signal);
    const deviceIds =
      opened !== undefined && !namesDevices(options)
        ? opened.deviceIds
        : await chosenDevices(invocation, engine, options);
    if (opened !== undefined)
      for (const finding of opened.findings) invocation.out.note(invocation.out.sentence(finding));
    const request = {
      kind: 'comparison',
      deviceIds: [...deviceIds],
      ...removeUndefined({ since: from, document, all: options.allValues }),
      ...target.file,
    } as const;
    // A document that was changed is refused before any device is asked, also where it names none.
    if (opened?.intact === false) await engine.reports.file(request);
    if (deviceIds.length === 0) throw createUsageError(say('reports.none-here'), { path: '--with' });
    return readAndWrite(invocation, engine, deviceIds, options, target, request);
  });
}

export interface HandoverOptions extends ReportOptions {
  readonly details?: string;
}

export async function reportHandover(invocation: Invocation, options: HandoverOptions): Promise<number> {
  const target = await targetOf(invocation, options);
  const { details: file } = options;
  const text = file === undefined ? undefined : await readText(invocation.io, file);
  return runWithEngine(invocation, async (engine) => {
    const details =
      file === undefined || text === undefined
        ? undefined
        : await detailsOf(engine, text, { file, signal: invocation.interrupts.signal });
    const deviceIds = await chosenDevices(invocation, engine, options);
    return readAndWrite(invocation, engine, deviceIds, options, target, {
      kind: 'handover',
      deviceIds: [...deviceIds],
      ...removeUndefined({ details }),
      ...target.file,
    });
  });
}

export interface DiagnosticsOptions extends ReportOptions {
  readonly operation?: readonly string[];
}

/** Devices are asked for the named operations alone. */
export async function reportDiagnostics(
  invocation: Invocation,
  options: DiagnosticsOptions,
): Promise<number> {
  const target = await targetOf(invocation, options);
  for (const id of options.operation ?? [])
    if (listOperations().find((known) => known.id === id)?.method !== 'GET')
      throw createUsageError(say('reports.no-read', { id }), { path: '--operation' });
  if (options.operation !== undefined && options.offline === true)
    throw createUsageError(say('reports.asked-offline'), { path: '--offline' });
  return runWithEngine(invocation, async (engine) => {
    const deviceIds = namesDevices(options)
      ? await chosenDevices(invocation, engine, options)
      : engine.devices.list().map(({ id }) => id);
    await writeReport(invocation, engine, target, {
      kind: 'diagnostics',
      deviceIds: [...deviceIds],
      ...(options.operation !== undefined && { operations: [...options.operation] }),
      ...target.file,
    });
    return EXIT.done;
  });
}

function namesDevices({ all, device, devices, tag, site }: ReportOptions): boolean {
  return [all, device, devices, tag, site].some((given) => given !== undefined);
}

/** A day is meant to its end, by this computer's clock. */
function momentOf(text: string): string {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999` : text);
  if (Number.isNaN(date.getTime()))
    throw createUsageError(say('reports.since-form', { text }), { path: '--since' });
  return date.toISOString();
}

/** A file error names the file. */
async function detailsOf(
  engine: Engine,
  text: string,
  { file, signal }: { readonly file: string; readonly signal: AbortSignal },
): Promise<HandoverDetails> {
  try {
    return await engine.reports.details({ text }, signal);
  } catch (thrown) {
    throw new FieldwrightError({ ...toErrorShape(thrown), file });
  }
}

/** A details file to be filled in. */
export async function reportDetails(
  invocation: Invocation,
  { out, force = false }: ReportOptions,
): Promise<number> {
  if (out === undefined) throw createUsageError(say('reports.needs-out'), { path: '--out' });
  const target = out === '-' ? undefined : await openOutputFile(invocation, out, { force });
  return runWithEngine(invocation, async (engine) => {
    const language = matchLanguage(invocation.globals.lang ?? '');
    const { text } = await engine.reports.exampleDetails({ language }, invocation.interrupts.signal);
    if (target === undefined) await toStdout(invocation.io, Buffer.from(text));
    else await target.write(text);
    return EXIT.done;
  });
}

/** Reads the devices unless that was forbidden, and writes the file; the exit code tells of devices that failed. */
async function readAndWrite(
  invocation: Invocation,
  engine: Engine,
  deviceIds: readonly string[],
  options: ReportOptions,
  target: Target,
  request: ReportRequest,
): Promise<ExitCode> {
  const failures =
    options.offline === true
      ? new Map<string, ErrorShape>()
      : await readAll(invocation, engine, deviceIds, options);
  if (failures === undefined) return EXIT.interrupted;
  await writeReport(invocation, engine, target, request);
  return exitCodeOfAll(deviceIds.map((id) => failures.get(id)));
}

/** Where a report goes, and in which format. */
interface Target {
  readonly out: string;
  readonly format: ReportFileFormat;
  /** Absent: standard output. */
  readonly target: OutputFile | undefined;
  readonly file: Pick<ReportRequest, 'format' | 'language' | 'branding'>;
}

/** Throws `usage` before anything is asked. */
async function targetOf(
  invocation: Invocation,
  { out, format, force = false, branding }: ReportOptions,
): Promise<Target> {
  if (out === undefined) throw createUsageError(say('reports.needs-out'), { path: '--out' });
  const wanted = format ?? /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase();
  const known = REPORT_FILE_FORMATS.find((one) => one === wanted);
  if (known === undefined)
    throw createUsageError(
      format === undefined
        ? say('reports.needs-format', { formats: REPORT_FILE_FORMATS.join(', ') })
        : say('reports.no-format', { formats: REPORT_FILE_FORMATS.join(', '), format }),
      { path: '--format' },
    );
  return {
    out,
    format: known,
    target: out === '-' ? undefined : await openOutputFile(invocation, out, { force }),
    file: {
      format: known,
      language: matchLanguage(invocation.globals.lang ?? ''),
      ...(branding !== undefined && { branding: await readBranding(invocation, branding) }),
    },
  };
}

async function chosenDevices(
  invocation: Invocation,
  engine: Engine,
  options: ReportOptions,
): Promise<readonly string[]> {
  const all = options.all === true ? engine.devices.list().map(({ id }) => id) : [];
  if (options.all === true && all.length === 0)
    throw createUsageError(say('reports.empty-inventory'), { path: '--all' });
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
        `${done}/${total} ${name}: ${error === undefined ? out.say('report.result.done') : translateError(error, out).message}`,
      );
    out.progress(out.say('cli.progress', { done, total }));
  }
  out.endProgress();
  if (!interrupts.happened) return failures;
  out.note(out.say('reports.stopped', { read, total: deviceIds.length }));
  return undefined;
}

async function writeReport(
  { io, out, interrupts }: Invocation,
  engine: Engine,
  { out: file, target }: Target,
  request: ReportRequest,
): Promise<void> {
  const { parts, sha256 } = await engine.reports.file(request, interrupts.signal);
  const digest = createHash('sha256');
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      if (interrupts.happened) throw userError('cancelled', say('cancelled'));
      digest.update(part);
      bytes += part.length;
      yield part;
    }
  };
  if (target === undefined) {
    if (io.stdout.isTTY && request.format === 'pdf')
      throw createUsageError(say('reports.not-for-terminal'), { path: '--out' });
    for await (const part of counted()) await toStdout(io, part);
    return;
  }
  await target.writeParts(counted());
  const made = {
    file,
    format: request.format,
    bytes,
    fileSha256: digest.digest('hex'),
    ...removeUndefined({ sha256 }),
  };
  if (out.asJson) out.json(made);
  else out.note(out.say('reports.written', { file }));
}

function toStdout(io: Invocation['io'], part: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    io.stdout.write(part, () => resolve());
  });
}
