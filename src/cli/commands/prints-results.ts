/** Results of fingerprints as they come, and at the end of their job. */
import type { Engine } from '#engine/api.ts';
import { formatDetail } from '#shared/details.ts';
import type { DeviceResult } from '#shared/model.ts';
import { isGoodPrint, type PrintResult } from '#shared/people/fingerprints.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { recordEndedJob, noteResumable, takeOverJob } from '../follow-job.ts';
import type { Invocation } from '../invocation.ts';
import { getJobExitCode } from '../job-exit.ts';
import { cleanLine } from '../output/clean.ts';
import { translateError } from '../output/errors.ts';
import { toScriptJob } from '../output/for-scripts.ts';
import { printOutcome } from '../output/job-view.ts';

/** Writes that are held back by a slow reader are waited for. */
const FLUSH_EACH = 200;

export async function printResults(
  { out }: Invocation,
  engine: Engine,
  jobId: string,
  { all }: { readonly all: boolean },
): Promise<{ readonly good: number; readonly bad: number; readonly lines: number }> {
  let [good, bad, lines] = [0, 0, 0];
  const left = new AbortController();
  // The stream ends with the job, also after a cancel.
  for await (const result of engine.prints.results({ jobId }, left.signal)) {
    if (isGoodPrint(result.status)) good += 1;
    else if (result.status === 'bad-line') lines += 1;
    else bad += 1;
    if (out.asJson) out.jsonLine(toScriptResult(result));
    else if (all || !isGoodPrint(result.status)) {
      out.endProgress();
      out.line(cleanLine(formatFingerprintResult(result, out)));
    }
    const sum = good + bad + lines;
    if (!out.asJson && sum % 20 === 0) out.progress(`${out.say('prints-sending')}: ${sum}`);
    if (sum % FLUSH_EACH === 0) await out.flush();
  }
  out.endProgress();
  return { good, bad, lines };
}

/** Returns a result as the contract has it; the code is null if the device gave none. */
export function toScriptResult({ says, code, ...result }: PrintResult): object {
  return { ...result, code: code ?? null, ...(says === undefined ? {} : { message: formatDetail(says) }) };
}

export function formatFingerprintResult(result: PrintResult, out: Invocation['out']): string {
  const { device, employeeNo = '?', fingerPrintID = '?', reader = '–', line, says, error } = result;
  const place =
    device === undefined
      ? line === undefined
        ? '–'
        : out.say('prints-result-line', { line })
      : out.say('prints-result-place', { device, employeeNo, finger: fingerPrintID, reader });
  const words = error === undefined ? [] : [translateError(error, out).message];
  const meaning = says === undefined || result.status === 'bad-line' ? [] : [out.sentence(says)];
  return `${place}: ${[...meaning, ...words].join(' ').replaceAll('\n', ' ')}`;
}

export async function followPrints(
  invocation: Invocation,
  engine: Engine,
  jobId: string,
  options: { readonly progress?: boolean },
): Promise<ExitCode> {
  const { out, interrupts } = invocation;
  takeOverJob(invocation, engine, jobId);
  const counted = await printResults(invocation, engine, jobId, { all: false });
  const job = recordEndedJob(invocation, engine, jobId);
  if (!out.asJson) {
    out.line();
    out.table(job.results, {
      DEVICE: { value: 'name', flexible: true },
      RESULT: {
        value: ({ error, units }) =>
          error === undefined ? formatCounts(units) : translateError(error, out).message,
        flexible: true,
      },
    });
    out.line();
    if (counted.good + counted.bad === 0 && counted.lines > 0) out.line(out.say('prints-none'));
    else printOutcome(out, job);
  } else {
    // A device that could not be worked on at all has no results that would say so.
    for (const { deviceId, name, error } of job.results)
      if (error !== undefined) out.jsonLine({ jobId: job.id, device: name, deviceId, error });
    if (options.progress === true) out.result({ jobId: job.id, ...toScriptJob(job) }, { asLine: true });
  }
  const code = getJobExitCode(job, interrupts.happened);
  noteResumable(invocation, job, code);
  if (job.resumable) out.note(out.say('prints-kept', { days: 7 }));
  return code === EXIT.done && counted.lines > 0 ? EXIT.failed : code;
}

/** Returns how many readers of a device ended in which way, most first. */
function formatCounts(units: DeviceResult['units']): string {
  const counts = units.flatMap((unit) =>
    Object.entries((unit as unknown as { readonly counts?: Readonly<Record<string, number>> }).counts ?? {}),
  );
  return (
    counts
      .toSorted(([, a], [, b]) => b - a)
      .map(([status, count]) => `${count} ${status}`)
      .join(', ') || '—'
  );
}
