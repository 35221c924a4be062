/** The filter of the list in its address: links lead to it, and back goes to the one before. */
import { onMounted, watch } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';
import { hasFilter, isSameFilter, readQuery, toQuery, type RowFilter } from './row-filter.ts';

interface Filtered {
  filter: RowFilter;
}

export function useListAddress(site: Filtered, route: RouteLocationNormalizedLoaded, router: Router): void {
  const { path } = route;
  const isHere = (): boolean => route.path === path;
  /** Search is typed letter by letter: only other parts make a step to go back to. */
  function write(before: RowFilter | undefined): void {
    if (!isHere() || isSameFilter(readQuery(route.query), site.filter)) return;
    const isTyped =
      before === undefined || isSameFilter({ ...before, search: site.filter.search }, site.filter);
    void router[isTyped ? 'replace' : 'push']({ path, query: toQuery(site.filter) });
  }

  onMounted(() => {
    if (hasFilter(route.query)) site.filter = readQuery(route.query);
    else write(undefined);
  });
  watch(
    () => site.filter,
    (_now, before) => write(before),
  );
  watch(
    () => route.query,
    (query) => {
      if (isHere() && !isSameFilter(readQuery(query), site.filter)) site.filter = readQuery(query);
    },
  );
}
