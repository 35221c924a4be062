/**
 * Signs of running work outside the page: progress in taskbar or dock, a computer that does not fall asleep, and a
 * notification when work ends while the person looks elsewhere.
 */
import { BrowserWindow, Notification, powerSaveBlocker } from 'electron';
import type { Engine, LogEntry } from '#engine/api.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import { getJobKindFacts, type JobSummary, type WorkSummary } from '#shared/model.ts';
import { getCurrentCounts, getShownJobState } from '#shared/outcomes.ts';
import { addJobSelection, getJobTitle } from '#shared/units.ts';
import { computeProgress } from '#shared/work-progress.ts';
import { getSentences } from './language.ts';
import { getMainWindow } from './windows.ts';

interface WorkSignsOptions {
  readonly engine: Pick<Engine, 'jobs'>;
  readonly log: (entry: LogEntry) => void;
  /** Called when the person clicks the notification of a job. */
  readonly open: (job: JobSummary) => void;
  readonly signal: AbortSignal;
}

/** Follows all work until the signal; never throws. */
export async function showWorkSigns({ engine, log, open, signal }: WorkSignsOptions): Promise<void> {
  const awake = new Awake();
  /** Notifications on the screen: one that is collected as garbage takes no click. */
  const shown = new Set<Notification>();
  try {
    for await (const { jobs, ended } of engine.jobs.watchAll(signal)) {
      getMainWindow()?.setProgressBar(jobs.length === 0 ? -1 : computeProgress(jobs));
      awake.keep(jobs.some(needsAwake));
      for (const job of ended) if (job.kind !== 'call') notify(job, shown, open);
    }
  } catch (error) {
    if (!signal.aborted)
      log({ level: 'error', event: 'work-signs-failed', code: error instanceof Error ? error.name : '' });
  } finally {
    awake.keep(false);
    getMainWindow()?.setProgressBar(-1);
  }
}

/** Work of this program that goes on without a person, or begins when its window of time opens; a package is offered to devices while its job runs. */
function needsAwake(job: WorkSummary): boolean {
  return (
    job.elsewhere !== true &&
    (getShownJobState(job) === 'running' || job.beginsAt !== undefined) &&
    getJobKindFacts(job.kind).isLeftForLater !== true
  );
}

/** Keeps the computer from sleeping; the screen may go dark. */
class Awake {
  #id: number | undefined;

  keep(isWanted: boolean): void {
    if (isWanted === (this.#id !== undefined)) return;
    if (this.#id !== undefined) powerSaveBlocker.stop(this.#id);
    this.#id = isWanted ? powerSaveBlocker.start('prevent-app-suspension') : undefined;
  }
}

function notify(job: JobSummary, shown: Set<Notification>, open: (job: JobSummary) => void): void {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
  const sentence = getSentences();
  const words = (detail: Detail): string => sentence(detail);
  const title = addJobSelection(
    getJobTitle(job.about, words) ?? job.about.template?.name ?? job.title,
    job.about,
    words,
  );
  const notification = new Notification({ title, body: sentence(describeEnd(job)) });
  shown.add(notification);
  notification.once('click', () => {
    shown.delete(notification);
    open(job);
  });
  notification.once('close', () => shown.delete(notification));
  notification.show();
}

function describeEnd(job: JobSummary): Detail {
  const { attention = 0, pending = 0 } = getCurrentCounts(job);
  const { devices } = job;
  if (job.state === 'cancelled') return createDetail('work-end.cancelled', { devices });
  if (attention > 0) return createDetail('work-end.attention', { attention, devices });
  if (pending > 0) return createDetail('work-end.pending', { pending, devices });
  if ((job.rebootPending ?? 0) > 0)
    return createDetail('work-end.restart', { restart: job.rebootPending ?? 0 });
  return createDetail('work-end.done', { devices });
}
