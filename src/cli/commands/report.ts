/** `report …`: devices read (or remembered), and a file of it. */
import type { Action } from '../declarations/all.ts';
import { createHash } from 'node:crypto';
import type { Engine } from '#engine/api.ts';
import type { HandoverDetails } from '#shared/contract/handover.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import { say } from '#shared/details.ts';
import { matchLanguage } from '#shared/details/languages.ts';
import { FieldwrightError, toErrorShape, userError, type ErrorShape } from '#shared/errors.ts';
import { REPORT_FILE_FORMATS } from '#shared/reports.ts';
import { listOperations } from '#engine/index.ts';
import type { ReportFileOptions, ReportOptions } from '../declarations/report.ts';
import { EXIT, exitCodeOfAll } from '../exit-codes.ts';
import { readBranding } from '../input/branding.ts';
import { selectDevices } from '../input/devices.ts';
import { readBytes, readText } from '../input/files.ts';
import { findSite } from '../input/named.ts';
import type { Invocation } from '../invocation.ts';
import { isDeviceNamed } from '../declarations/options.ts';
import type { Outcome } from '../outcome.ts';
import { openOutput, type OutputFile } from '../output/output-file.ts';
import { translateError } from '../output/errors.ts';
import { createUsageError } from '../usage.ts';

export const reportCapabilities: Action<'report capabilities'> = async (invocation, options) => {
  const target = await openTarget(invocation, options);
  const engine = await invocation.open();
  const deviceIds = await chooseDevices(invocation, engine, options);
  return readAndWrite(invocation, engine, deviceIds, options, target, {
    kind: 'capabilities',
    deviceIds: [...deviceIds],
    offline: options.offline,
    ...target.file,
  });
};

export const reportComparison: Action<'report comparison'> = async (invocation, options) => {
  const { since, with: handedOver } = options;
  if (since !== undefined && handedOver !== undefined)
    throw createUsageError(say('reports.since-or-with'), { path: '--since' });
  const target = await openTarget(invocation, options);
  const document =
    handedOver === undefined
      ? undefined
      : Buffer.from(await readBytes(invocation.io, handedOver)).toString('base64');
  const engine = await invocation.open();
  const opened =
    document === undefined
      ? undefined
      : await engine.reports.open({ document }, invocation.interrupts.signal);
  const deviceIds =
    opened !== undefined && !choosesDevices(options)
      ? opened.deviceIds
      : await chooseDevices(invocation, engine, options);
  for (const finding of opened?.findings ?? []) invocation.out.note(invocation.out.sentence(finding));
  const request = {
    kind: 'comparison',
    deviceIds: [...deviceIds],
    since,
    document,
    all: options.allValues,
    ...target.file,
  } as const;
  // A document that was changed is refused before any device is asked, also if it names none.
  if (opened?.intact === false) await engine.reports.file(request);
  if (deviceIds.length === 0) throw createUsageError(say('reports.none-here'), { path: '--with' });
  return readAndWrite(invocation, engine, deviceIds, options, target, request);
};

export const reportHandover: Action<'report handover'> = async (invocation, options) => {
  const target = await openTarget(invocation, options);
  const { details: file } = options;
  const text = file === undefined ? undefined : await readText(invocation.io, file);
  const engine = await invocation.open();
  const details =
    file === undefined || text === undefined
      ? undefined
      : await readDetails(engine, text, { file, signal: invocation.interrupts.signal });
  const deviceIds = await chooseDevices(invocation, engine, options);
  return readAndWrite(invocation, engine, deviceIds, options, target, {
    kind: 'handover',
    deviceIds: [...deviceIds],
    // Details that are kept with the site count where none are given.
    ...(details && { details }),
    ...target.file,
  });
};

/** Writes diagnostics; devices are asked for the named operations alone. */
export const reportDiagnostics: Action<'report diagnostics'> = async (invocation, options) => {
  const { operation: operations, offline } = options;
  const target = await openTarget(invocation, options);
  for (const id of operations ?? [])
    if (listOperations().find((known) => known.id === id)?.method !== 'GET')
      throw createUsageError(say('reports.no-read', { id }), { path: '--operation' });
  if (operations !== undefined && offline === true)
    throw createUsageError(say('reports.asked-offline'), { path: '--offline' });
  const engine = await invocation.open();
  const deviceIds = choosesDevices(options)
    ? await chooseDevices(invocation, engine, options)
    : engine.devices.list().map(({ id }) => id);
  return writeReport(invocation, engine, target, {
    kind: 'diagnostics',
    deviceIds: [...deviceIds],
    ...(operations !== undefined && { operations: [...operations] }),
    ...target.file,
  });
};

/** Writes the receipt of a job. @throws `not-found` */
export const reportReceipt: Action<'report receipt'> = async (invocation, job, options) => {
  const target = await openTarget(invocation, options);
  const engine = await invocation.open();
  const { id: jobId } = engine.jobs.show({ id: job });
  return writeReport(invocation, engine, target, { kind: 'receipt', jobId, ...target.file });
};

function choosesDevices(options: ReportOptions): boolean {
  return options.all === true || isDeviceNamed(options);
}

/** Reads a details file; an error names the file. */
async function readDetails(
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

/** Returns the id of a site that is named; undefined for devices without one. */
function siteIdOf(engine: Engine, site: string | undefined): string | undefined {
  return site === undefined ? undefined : findSite(engine, site).id;
}

/** Writes the details that are kept with a site, or an example; or keeps those of a file. */
export const reportDetails: Action<'report details'> = async (
  invocation,
  { out: file, from, site, force },
) => {
  if ((file === undefined) === (from === undefined)) throw createUsageError(say('reports.out-or-from'));
  const { signal } = invocation.interrupts;
  if (from !== undefined) {
    const text = await readText(invocation.io, from);
    const engine = await invocation.open();
    const details = await readDetails(engine, text, { file: from, signal });
    const kept = await engine.reports.saveSiteDetails({ siteId: siteIdOf(engine, site), details }, signal);
    return { json: kept.details, note: invocation.out.say('reports.details-kept') };
  }
  const target =
    file === undefined ? undefined : await openOutput(invocation, file, { force: force === true });
  const language = matchLanguage(invocation.globals.lang ?? '');
  const engine = await invocation.open();
  const { details } = await engine.reports.siteDetails({ siteId: siteIdOf(engine, site) }, signal);
  const text =
    Object.keys(details).length > 0
      ? `${JSON.stringify(details, undefined, 2)}\n`
      : (await engine.reports.exampleDetails({ language }, signal)).text;
  await target?.write(text);
  return EXIT.done;
};

/** Reads the devices unless that was forbidden, and writes the file; the exit code tells of devices that failed. */
async function readAndWrite(
  invocation: Invocation,
  engine: Engine,
  deviceIds: readonly string[],
  options: ReportOptions,
  target: Target,
  request: ReportRequest,
): Promise<Outcome> {
  const failures =
    options.offline === true
      ? new Map<string, ErrorShape>()
      : await readAll(invocation, engine, deviceIds, options);
  if (failures === undefined) return EXIT.interrupted;
  const written = await writeReport(invocation, engine, target, request);
  const code = exitCodeOfAll(deviceIds.map((id) => failures.get(id)));
  return typeof written === 'number' ? code : { ...written, code };
}

/** File of a report, and what the engine needs to know of it. */
interface Target {
  readonly out: string;
  readonly target: OutputFile;
  readonly file: Pick<ReportRequest, 'format' | 'language' | 'branding'>;
}

/** Opens the file of a report. @throws `usage` before anything is asked */
async function openTarget(
  invocation: Invocation,
  { out, format, force, branding }: ReportFileOptions,
): Promise<Target> {
  const wanted = format ?? /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase();
  const known = REPORT_FILE_FORMATS.find((one) => one === wanted);
  if (known === undefined)
    throw createUsageError(say('reports.needs-format', { formats: REPORT_FILE_FORMATS.join(', ') }), {
      path: '--format',
    });
  return {
    out,
    target: await openOutput(invocation, out, { force: force === true }),
    file: {
      format: known,
      language: matchLanguage(invocation.globals.lang ?? ''),
      ...(branding !== undefined && { branding: await readBranding(invocation, branding) }),
    },
  };
}

async function chooseDevices(
  invocation: Invocation,
  engine: Engine,
  options: ReportOptions,
): Promise<readonly string[]> {
  const all = options.all === true ? engine.devices.list().map(({ id }) => id) : [];
  if (options.all === true && all.length === 0)
    throw createUsageError(say('reports.empty-inventory'), { path: '--all' });
  return all.length > 0 ? all : (await selectDevices(invocation, engine, options)).map(({ id }) => id);
}

/** Reads devices, and returns the failed ones by id; undefined if it was interrupted: what was read by then is kept. */
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
): Promise<Outcome> {
  const { parts, sha256 } = await engine.reports.file(request, interrupts.signal);
  if (file === '-' && io.stdout.isTTY && request.format === 'pdf')
    throw createUsageError(say('reports.not-for-terminal'), { path: '--out' });
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
  await target.writeParts(counted());
  if (file === '-') return EXIT.done;
  return {
    json: {
      file,
      format: request.format,
      bytes,
      fileSha256: digest.digest('hex'),
      sha256,
    },
    note: out.say('reports.written', { file }),
  };
}
