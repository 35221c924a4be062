import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { JobSummary } from '#shared/model.ts';
import { extractErrorShape } from '#renderer/common/errors/error-of.ts';
import { saveFile } from '#renderer/common/files/save-file.ts';
import { NO_FILTERS, queryOf, type HistoryFilters, type JobsShown } from './history-query.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';

const PAGE = 100;

/** The journal as it is searched; filters stay while other screens are looked at. */
export const useHistory = defineStore('history', () => {
  const filters = shallowRef<HistoryFilters>(NO_FILTERS);
  const shown = ref<JobsShown>('history');
  const jobs = shallowRef<readonly JobSummary[]>();
  const total = ref(0);
  const next = ref<string>();
  const reading = ref(false);
  const saving = ref(false);
  const { problem, attempt } = useProblem();
  let asking: AbortController | undefined;

  /** The list anew, as long as it was; the answer to the newest question counts. */
  async function load(atLeast = PAGE): Promise<void> {
    await ask(async (signal) => {
      const page = await getApi().jobs.search(
        { ...queryOf(filters.value, shown.value), limit: Math.min(500, Math.max(PAGE, atLeast)) },
        { signal },
      );
      if (signal.aborted) return;
      jobs.value = page.jobs;
      total.value = page.total;
      next.value = page.next;
    });
  }

  async function more(): Promise<void> {
    const after = next.value;
    if (after === undefined || reading.value) return;
    await ask(async (signal) => {
      const page = await getApi().jobs.search(
        { ...queryOf(filters.value, shown.value), limit: PAGE, after },
        { signal },
      );
      if (signal.aborted) return;
      const known = new Set(jobs.value?.map(({ id }) => id));
      jobs.value = [...(jobs.value ?? []), ...page.jobs.filter(({ id }) => !known.has(id))];
      total.value = page.total;
      next.value = page.next;
    });
  }

  async function ask(question: (signal: AbortSignal) => Promise<void>): Promise<void> {
    asking?.abort();
    const controller = new AbortController();
    asking = controller;
    reading.value = true;
    try {
      await question(controller.signal);
      if (asking === controller) problem.value = undefined;
    } catch (thrown) {
      if (!controller.signal.aborted) problem.value = extractErrorShape(thrown);
    } finally {
      if (asking === controller) reading.value = false;
    }
  }

  function filter(change: Partial<HistoryFilters>): void {
    filters.value = { ...filters.value, ...change };
    void load();
  }

  /** Turns to other jobs, without the filters and the rows of those before. */
  function show(jobsShown: JobsShown): void {
    if (shown.value === jobsShown) return;
    shown.value = jobsShown;
    filters.value = NO_FILTERS;
    jobs.value = undefined;
    next.value = undefined;
  }

  /** Everything that the filters find, also beyond what is listed. */
  async function save(format: 'csv' | 'json'): Promise<void> {
    saving.value = true;
    await attempt(async () => {
      const { text, fileName } = await getApi().jobs.export({
        query: queryOf(filters.value, shown.value),
        format,
      });
      saveFile({ name: fileName, text, type: format === 'csv' ? 'text/csv' : 'application/json' });
    });
    saving.value = false;
  }

  return { filters, jobs, total, next, reading, saving, problem, load, more, filter, show, save };
});
