/** The filter of the list in its address: links lead to it, and back goes to the one before. */
import { useDebounceFn } from '@vueuse/core';
import { onMounted, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';
import { hasFilter, isSameFilter, readQuery, toQuery, type RowFilter } from './row-filter.ts';

interface Filtered {
  filter: RowFilter;
}

export function useListAddress(site: Filtered, route: RouteLocationNormalizedLoaded, router: Router): void {
  const { path } = route;
  const isHere = (): boolean => route.path === path;
  function write(how: 'push' | 'replace'): void {
    if (isHere() && !isSameFilter(readQuery(route.query), site.filter))
      void router[how]({ path, query: toQuery(site.filter) });
  }
  /** Search is typed letter by letter: it stands in the address after the last one, and is no step to go back to. */
  const writeSearch = useDebounceFn(() => {
    write('replace');
  }, 200);

  onMounted(() => {
    if (hasFilter(route.query)) site.filter = readQuery(route.query);
    else write('replace');
  });
  watch(
    () => site.filter,
    (now, before) => {
      if (isSameFilter({ ...before, search: now.search }, now)) void writeSearch();
      else write('push');
    },
  );
  watch(
    () => route.query,
    (query) => {
      if (isHere() && !isSameFilter(readQuery(query), site.filter)) site.filter = readQuery(query);
    },
  );
}
