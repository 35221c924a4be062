/** What resuming or undoing a job would do and need: from the journal, without a single request. */
import { defined } from '../../shared/defined.ts';
import type {
  JobSummary,
  ResumePreview,
  TemplateVariable,
  UndoPreview,
  UndoPreviewDevice,
} from '../../shared/model.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { followedUp } from './follow-up/follow-up.ts';
import { isKnown, locate, targetOf } from '../jobs/locate-device.ts';
import type { Finder } from '../jobs/locate-device.ts';
import { asksForSecrets, isUnfinished, sectionsLeft } from './resume-plan.ts';
import type { StoredDevice, StoredJob, StoredJobs } from '../jobs/stored-job.ts';
import { undoable } from './undo/undo-plan.ts';

export function previewResume(summary: JobSummary, job: StoredJob, finder: Finder): ResumePreview {
  const devices = summary.resumable ? job.devices.filter(isUnfinished) : [];
  // A follow-up that was cut off is taken up again; it needs the sign-ins of its devices, and no secret.
  const waiting = summary.resumable ? followedUp(job).filter((device) => !devices.includes(device)) : [];
  return {
    job: summary,
    devices: [...devices, ...waiting].map((device) => {
      const left = waiting.includes(device)
        ? device.sections.filter(({ outcome }) => outcome === 'needs-reboot')
        : sectionsLeft(device);
      const unknown = left.filter(({ outcome }) => outcome === 'unknown').length;
      return { ...targetOf(device, finder), pending: left.length - unknown, unknown };
    }),
    secrets: job.kind === 'apply' ? secretsOf(job, devices) : [],
  };
}

function secretsOf(job: StoredJob, devices: readonly StoredDevice[]): readonly TemplateVariable[] {
  const { document, summary } = parseTemplate(job.template.text);
  if (document === undefined || !devices.some((device) => asksForSecrets(device, document))) return [];
  return summary?.variables.filter(({ type }) => type === 'secret') ?? [];
}

export function previewUndo(
  summary: JobSummary,
  job: StoredJob,
  chosen: readonly StoredDevice[],
  options: { readonly stored: StoredJobs; readonly finder: Finder },
): UndoPreview {
  const devices = chosen
    .map((device) => previewDevice(job, device, options))
    .filter(({ sections }) => sections.length > 0);
  const possible = devices.flatMap(({ problem, sections }) =>
    problem === undefined ? sections.filter((section) => section.problem === undefined) : [],
  ).length;
  const all = devices.reduce((sum, { sections }) => sum + sections.length, 0);
  return { job: summary, devices, possible, impossible: all - possible };
}

function previewDevice(
  job: StoredJob,
  device: StoredDevice,
  { stored, finder }: { readonly stored: StoredJobs; readonly finder: Finder },
): UndoPreviewDevice {
  const target = targetOf(device, finder);
  // A look changes nothing: a device of one run is not named again for it.
  const located = target.transient || isKnown(device, finder) ? undefined : locate(device, finder);
  return {
    ...target,
    ...(located?.ok === false ? { problem: located.error } : {}),
    sections: undoable(job, device, stored.documents).map(({ stored: section, changes, lost, problem }) => ({
      index: section.key.index,
      set: section.set,
      label: section.label,
      params: section.params,
      outcome: section.outcome,
      changes,
      lost,
      ...defined({ problem }),
    })),
  };
}
