/** `work list|run|drop`: work that waits until a device is back, or a person decides. */
import type { Action } from '#cli/declarations/all.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT, type ExitCode } from '#cli/exit-codes.ts';
import { reachTransient } from '#cli/input/job-devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import { listRows } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { formatJobKind, formatJobName } from '#cli/output/names.ts';
import { describeWorkEvent } from '#cli/output/open-work.ts';
import type { OpenWork, OpenWorkEvent } from '#shared/model.ts';

/** Milliseconds between two rounds. */
const ROUND_MS = 20_000;

export const listOpenWork: Action<'work list'> = async ({ open, out, globals }) => {
  const when = createDateFormat(globals.lang);
  const works = (await open()).openWork.list();
  const rows = listRows(
    works,
    {
      WORK: 'id',
      DEVICE: { value: 'name', flexible: true },
      KIND: ({ kind }) => formatJobKind(out, kind),
      REASON: ({ reason, elsewhere }) =>
        elsewhere === undefined
          ? out.status('open', reason)
          : out.say('cli.work-elsewhere', { name: elsewhere }),
      SINCE: ({ since }) => when(since),
      UNTIL: ({ until }) => (until === undefined ? '' : when(until)),
      BY: 'by',
      TITLE: { value: (work) => formatJobName(out, work), flexible: true },
    },
    out.say('cli.no-open-work'),
  );
  return { ...rows, json: works.map(toScriptWork) };
};

/** Does what can be done now. Exit code 4 while something is open, 1 if something failed. */
export const runOpenWork: Action<'work run'> = async (invocation, ids, options) => {
  const { out, interrupts } = invocation;
  const engine = await invocation.open();
  await reachTransient(invocation, engine, engine.openWork.list(), options);
  const counts = { done: 0, failed: 0, open: 0 };
  const { signal } = interrupts;
  do {
    const request = ids.length === 0 ? {} : { ids };
    for await (const event of engine.openWork.run(request, signal)) {
      if (event.type === 'summary') counts.open = event.open;
      else {
        if (event.outcome !== 'open') counts[event.outcome] += 1;
        print(invocation, event);
      }
    }
    if (options.watch !== true || !engine.openWork.list().some(waitsForDevice)) break;
    await wait(ROUND_MS, undefined, { signal }).catch(() => undefined);
  } while (!signal.aborted);
  if (out.asJson) out.jsonLine({ type: 'summary', ...counts });
  else out.note(out.say('cli.work-summary', counts));
  return toExitCode(counts, interrupts.happened);
};

export const dropOpenWork: Action<'work drop'> = async ({ open, out }, id, { reason }) => {
  const { dropped } = (await open()).openWork.drop({ id, reason });
  return { json: { dropped }, note: out.say('cli.work-dropped', { id: dropped }) };
};

function waitsForDevice({ reason, elsewhere }: OpenWork): boolean {
  return elsewhere === undefined && reason !== 'changed' && reason !== 'sign-in' && reason !== 'error';
}

function toExitCode(
  { failed, open }: { readonly failed: number; readonly open: number },
  interrupted: boolean,
): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (open > 0) return EXIT.resumable;
  return failed > 0 ? EXIT.failed : EXIT.done;
}

function print({ out }: Invocation, event: Extract<OpenWorkEvent, { readonly type: 'work' }>): void {
  if (out.asJson) {
    out.jsonLine({ type: 'work', ...toScriptWork(event), outcome: event.outcome });
    return;
  }
  out.line(describeWorkEvent(event, out));
}

/** Scripts rely on these names. */
function toScriptWork(work: OpenWork) {
  const { id, job, kind, since, until, reason, name, url, title, by, elsewhere, error } = work;
  return { id, job, device: url, kind, since, until, reason, name, title, by, elsewhere, error };
}
