/** `changes list|undo`: settings that jobs changed, and one of them taken back. */
import type { Engine } from '#engine/api.ts';
import type { OptionsOf } from '#cli/declarations/declaration.ts';
import type { JOBS } from '#cli/declarations/jobs.ts';
import { followToEnd } from '#cli/follow-job.ts';
import { reachAgain } from '#cli/input/job-devices.ts';
import { askToGoOn } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import type { Outcome } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import {
  formatDifferences,
  formatSectionName,
  formatSettingName,
  formatSettingValue,
  placeName,
} from '#cli/output/names.ts';
import type { Output } from '#cli/output/output.ts';
import { tabulate } from '#cli/output/table.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { ChangeEntry, ChangeQuery } from '#shared/history.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { findDeviceId } from './jobs.ts';
import { toContinueOptions } from './resume.ts';

const PAGE = 200;

export async function listChanges(
  { open, out, globals }: Invocation,
  options: OptionsOf<typeof JOBS.changes.commands.list>,
): Promise<Outcome> {
  const engine = await open();
  const { device, from, to, limit } = options;
  const deviceIds = device?.map((reference) => findDeviceId(engine, reference));
  const changes = readChanges(engine, removeUndefined({ deviceIds, from, to }), limit);
  const when = createDateFormat(globals.lang);
  return {
    json: changes,
    text: tabulate(changes, {
      WHEN: ({ at }) => when(at),
      DEVICE: 'device',
      SETTING: {
        value: (entry) => `${formatSectionName(out, entry)}${placeName(out, entry.params)}`,
        flexible: true,
      },
      CHANGE: {
        value: (entry) =>
          [
            describeValues(out, entry),
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
}

function describeValues(out: Output, { set, changes }: ChangeEntry): string {
  return formatDifferences(out, set, changes, (change) => {
    const value = (held: unknown): string =>
      change.sensitive === true ? '•••' : formatSettingValue(out, set, change.path, held);
    return `${formatSettingName(out, set, change)}: ${value(change.from)} → ${value(change.to)}`;
  }).join('; ');
}

/** Reads pages until there are so many changes, or no more. */
function readChanges(engine: Engine, query: ChangeQuery, limit: number): readonly ChangeEntry[] {
  const changes: ChangeEntry[] = [];
  for (let after: string | undefined; ;) {
    const page = engine.jobs.changes({ ...query, limit: PAGE, ...removeUndefined({ after }) });
    changes.push(...page.changes);
    after = page.next;
    if (after === undefined || changes.length >= limit) return changes.slice(0, limit);
  }
}

export async function undoChange(
  invocation: Invocation,
  id: string,
  options: OptionsOf<typeof JOBS.changes.commands.undo>,
): Promise<Outcome> {
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
      out.say('cli.ask-undo-change', { device: entry.device, change: describeValues(out, entry) }),
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
}
