/** `changes list|undo`: settings that jobs changed, and one of them taken back. */
import { describeChanges, formatSectionPlace } from '#cli/output/names.ts';
import type { ChangeQuery } from '#shared/contract/inputs.ts';
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import { followToEnd } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { tabulate } from '#cli/output/table.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ChangeEntry } from '#shared/history.ts';
import { findDeviceId } from './jobs.ts';
import { toContinueOptions } from './resume.ts';

const PAGE = 200;

export const listChanges: Action<'changes list'> = async ({ open, out, globals }, options) => {
  const engine = await open();
  const { device, from, to, limit } = options;
  const deviceIds = device?.map((reference) => findDeviceId(engine, reference));
  const changes = readChanges(engine, { deviceIds, from, to }, limit);
  const when = createDateFormat(globals.lang);
  return {
    json: changes,
    text: tabulate(changes, {
      WHEN: ({ at }) => when(at),
      DEVICE: 'device',
      SETTING: {
        value: (entry) => formatSectionPlace(out, entry),
        flexible: true,
      },
      CHANGE: {
        value: (entry) =>
          [
            describeChanges(out, entry),
            ...(entry.noUndo === undefined
              ? []
              : [out.say('cli.no-undo', { reason: out.words({ id: entry.noUndo }) })]),
          ].join('. '),
        flexible: true,
      },
      BY: 'by',
      ID: 'id',
    }),
  };
};

/** Reads pages until there are so many changes, or no more. */
function readChanges(engine: Engine, query: ChangeQuery, limit: number): readonly ChangeEntry[] {
  const changes: ChangeEntry[] = [];
  for (let after: string | undefined; ;) {
    const page = engine.jobs.changes({ ...query, limit: PAGE, after });
    changes.push(...page.changes);
    after = page.next;
    if (after === undefined || changes.length >= limit) return changes.slice(0, limit);
  }
}

export const undoChange: Action<'changes undo'> = async (invocation, id, options) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const jobId = id.split(':')[0] ?? '';
  const entry = readChanges(engine, { jobId }, Infinity).find((one) => one.id === id);
  if (entry === undefined) throw userError('not-found', say('cli.unknown-change', { id }));
  const { deviceId, index, path } = entry;
  const targets = engine.jobs
    .undoPreview({ id: jobId })
    .devices.filter((target) => target.deviceId === deviceId);
  await reachAgain(invocation, engine, targets, options, new Set([deviceId]));
  if (options.yes !== true)
    await askToGoOn(
      invocation,
      out.say('cli.ask-undo-change', { device: entry.device, change: describeChanges(out, entry) }),
      say('cli.undo-confirm'),
    );
  const begun = engine.jobs.undo({
    id: jobId,
    deviceIds: [deviceId],
    only: { index, path },
    options: toContinueOptions(options),
  });
  const { code } = await followToEnd(invocation, engine, begun.jobId, {
    progress: options.progress,
    doing: 'undo',
    announce: true,
  });
  return code;
};
