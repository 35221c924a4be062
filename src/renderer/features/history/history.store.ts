import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { JobSummary } from '#shared/model.ts';
import { saveFile } from '#renderer/common/files/save-file.ts';
import { NO_FILTERS, queryOf, type HistoryFilters, type JobsShown } from './history-query.ts';
import { useProblem, useReading } from '#renderer/common/errors/attempt.ts';

const PAGE = 100;

/** The journal as it is searched; filters stay while other screens are looked at. */
export const useHistory = defineStore('history', () => {
  const filters = shallowRef<HistoryFilters>(NO_FILTERS);
  const shown = ref<JobsShown>('history');
  const jobs = shallowRef<readonly JobSummary[]>();
  const total = ref(0);
  const next = ref<string>();
  const saving = ref(false);
  const kept = useProblem();
  const { problem, attempt } = kept;
  const { reading, read } = useReading(kept);

  /** The list anew, as long as it was. */
  function load(atLeast = PAGE): Promise<void> {
    return ask({ limit: Math.min(500, Math.max(PAGE, atLeast)) });
  }

  async function more(): Promise<void> {
    const after = next.value;
    if (after !== undefined && !reading.value) await ask({ limit: PAGE, after }, jobs.value);
  }

  async function ask(
    part: { readonly limit: number; readonly after?: string },
    before: readonly JobSummary[] = [],
  ): Promise<void> {
    const page = await read((signal) =>
      getApi().jobs.search({ ...queryOf(filters.value, shown.value), ...part }, { signal }),
    );
    if (page === undefined) return;
    const known = new Set(before.map(({ id }) => id));
    jobs.value = [...before, ...page.jobs.filter(({ id }) => !known.has(id))];
    total.value = page.total;
    next.value = page.next;
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
