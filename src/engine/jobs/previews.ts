/** Previews what resuming or undoing a job would do and need: from the journal, without a single request. */
import { createDetail } from '#shared/details.ts';
import type { JobSummary, ResumePreview, UndoPreview, UndoPreviewDevice } from '#shared/model.ts';
import type { JobKind } from './job-kind.ts';
import { isUnfinished, listRemainingUnits } from './job-state.ts';
import { isKnown, locate, buildJobTarget, type Finder } from './locate-device.ts';
import { listFollowUpDevices, isRestartDue } from './restarts.ts';
import type { StoredDevice, StoredJob } from './types.ts';

interface Source {
  readonly summary: JobSummary;
  readonly job: StoredJob;
  readonly kind: JobKind;
  readonly finder: Finder;
}

export function buildResumePreview({ summary, job, kind, finder }: Source): ResumePreview {
  const devices = summary.resumable ? job.devices.filter(isUnfinished) : [];
  // A follow-up that was cut off is taken up again; it needs the credentials of its devices, and no secret.
  const waiting = summary.resumable
    ? listFollowUpDevices(job).filter((device) => !devices.includes(device))
    : [];
  const source = summary.resumable ? kind.source?.(job) : undefined;
  return {
    job: summary,
    ...(source === undefined ? {} : { source: buildJobTarget(source, finder) }),
    devices: [...devices, ...waiting].map((device) => {
      const left = waiting.includes(device) ? device.units.filter(isRestartDue) : listRemainingUnits(device);
      const unknown = left.filter(({ outcome }) => outcome === 'unknown').length;
      if (device.units.length === 0) {
        const pending = kind.unitsOfUnplanned?.(job) ?? 0;
        return { ...buildJobTarget(device, finder), pending, unknown: 0, unplanned: true };
      }
      return { ...buildJobTarget(device, finder), pending: left.length - unknown, unknown };
    }),
    secrets: kind.secretsFor?.(job, devices) ?? [],
  };
}

export function buildUndoPreview(source: Source, chosen: readonly StoredDevice[]): UndoPreview {
  const devices = chosen
    .map((device) => previewDevice(source, device))
    .filter(({ sections }) => sections.length > 0);
  const possible = devices.flatMap(({ problem, sections }) =>
    problem === undefined ? sections.filter((section) => section.problem === undefined) : [],
  ).length;
  const all = devices.reduce((sum, { sections }) => sum + sections.length, 0);
  const { flow } = source.summary.about;
  return {
    job: source.summary,
    devices,
    possible,
    impossible: all - possible,
    ...(flow !== undefined && possible > 0 && { warning: createDetail('undo-flow-record') }),
  };
}

function previewDevice({ job, kind, finder: all }: Source, device: StoredDevice): UndoPreviewDevice {
  const { finder = all } = kind;
  const target = buildJobTarget(device, finder);
  // A look changes nothing: a device of one run is not named again for it.
  const located = target.transient || isKnown(device, finder) ? undefined : locate(device, finder);
  return {
    ...target,
    ...(located?.ok === false ? { problem: located.error } : {}),
    sections: kind.undo?.preview(job, device) ?? [],
  };
}
