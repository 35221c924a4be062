import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import type { JobSummary, WorkEvent, WorkSummary } from '#shared/model.ts';
import { isAtWork } from '#shared/outcomes.ts';
import { useAppInfo } from '#renderer/common/app-info/app-info.store.ts';
import { computeProgress } from '#shared/work-progress.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

/** How long after the stream broke off by itself it is asked for again. */
const AGAIN_MS = 2000;
/** Ends that are kept to be looked at. */
const KEPT = 5;

/**
 * Store of all work under way, in this window or elsewhere, and of work that ended since this window was
 * opened.
 */
export const useWork = defineStore('work', () => {
  const appInfo = useAppInfo();
  /** Jobs at work; undefined if they are unknown because the engine cannot be reached. */
  const jobs = shallowRef<readonly WorkSummary[]>();
  /** Newest first. */
  const ended = shallowRef<readonly JobSummary[]>([]);
  /** Ended jobs that neither a screen has shown nor the person has dismissed. */
  const news = shallowRef<readonly JobSummary[]>([]);
  /** Asked to stop; what is under way is finished first. */
  const cancelling = shallowRef<ReadonlySet<string>>(new Set());
  const { problem, attempt } = useProblem();
  const share = computed(() => (jobs.value === undefined ? undefined : computeProgress(jobs.value)));
  /** Jobs whose end a screen of this window tells by itself. */
  const followed = new Set<string>();
  let atWork: readonly string[] = [];
  let started = false;

  function start(): void {
    if (started) return;
    started = true;
    watch(
      () => appInfo.connection,
      (state) => {
        if (state !== 'open') jobs.value = undefined;
      },
      { flush: 'sync' },
    );
    listen();
  }

  function listen(): void {
    const client = useClient();
    const again = (): void => {
      jobs.value = undefined;
      setTimeout(listen, AGAIN_MS);
    };
    client.subscribe(client.api.jobs.watchAll, undefined, take, { onError: again, onEnd: again });
  }

  function take(event: WorkEvent): void {
    // An event that was in transit on a lost connection describes a past state.
    if (appInfo.connection !== 'open') return;
    const ids = event.jobs.map(({ id }) => id);
    const isBack = jobs.value === undefined;
    const gone = atWork.filter((id) => !ids.includes(id) && !event.ended.some((job) => job.id === id));
    atWork = ids;
    jobs.value = event.jobs;
    cancelling.value = new Set(ids.filter((id) => cancelling.value.has(id)));
    tell(event.ended);
    if (isBack && gone.length > 0) void lookFor(gone);
  }

  /**
   * Looks up jobs that ended while the engine could not be reached. If that fails, the history shows them.
   */
  async function lookFor(ids: readonly string[]): Promise<void> {
    try {
      const found = await getApi().jobs.search({ limit: 100 }, { signal: AbortSignal.timeout(15_000) });
      tell(found.jobs.filter(({ id, state }) => ids.includes(id) && !isAtWork(state)));
    } catch {
      // See above.
    }
  }

  function tell(jobs: readonly JobSummary[]): void {
    if (jobs.length === 0) return;
    const newest = jobs.toReversed();
    ended.value = [...newest, ...without(ended.value, jobs)].slice(0, KEPT);
    // A person who makes a single call sees its answer.
    const untold = newest.filter(({ id, kind }) => !followed.has(id) && kind !== 'call');
    if (untold.length > 0) news.value = [...untold, ...without(news.value, jobs)].slice(0, KEPT);
  }

  function dismiss(id: string): void {
    news.value = news.value.filter((job) => job.id !== id);
  }

  /** Clears the news: the panel that lists them is open. */
  function seen(): void {
    news.value = [];
  }

  /** A screen shows this job and tells of its end; returns how it says that it no longer does. */
  function follow(id: string): () => void {
    followed.add(id);
    dismiss(id);
    return () => followed.delete(id);
  }

  async function ask(question: () => Promise<unknown>): Promise<boolean> {
    const isDone = await attempt(() => question().then(() => true));
    return isDone === true;
  }
  const pause = (id: string): Promise<boolean> => ask(() => getApi().jobs.pause({ id }));
  const unpause = (id: string): Promise<boolean> => ask(() => getApi().jobs.unpause({ id }));
  async function cancel(id: string): Promise<void> {
    cancelling.value = new Set([...cancelling.value, id]);
    if (!(await ask(() => getApi().jobs.cancel({ id }))))
      cancelling.value = new Set([...cancelling.value].filter((other) => other !== id));
  }

  return {
    jobs,
    share,
    ended,
    news,
    cancelling,
    problem,
    start,
    follow,
    dismiss,
    seen,
    pause,
    unpause,
    cancel,
  };
});

function without(jobs: readonly JobSummary[], others: readonly JobSummary[]): readonly JobSummary[] {
  return jobs.filter(({ id }) => !others.some((other) => other.id === id));
}
