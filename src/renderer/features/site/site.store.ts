import { useWindowFocus } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';
import type { InputAt } from '#shared/contract.ts';
import type { Device } from '#shared/model.ts';
import { useAccess, type SignInChoice } from '#renderer/common/access/access.store.ts';
import { useAppInfo } from '#renderer/common/app-info/app-info.store.ts';
import { collator } from '#renderer/common/devices/device-list.ts';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import { useLinks } from '#renderer/common/devices/links.store.ts';
import { useProblem } from '#renderer/common/errors/attempt.ts';
import { listExceptions, type DeviceException } from '#shared/device-status.ts';
import { useDiscovery } from './discovery/discovery.store.ts';
import { createListLook } from './list/columns.ts';
import { createChosen } from './list/chosen-rows.ts';
import { filterRows, NO_FILTER, type RowFilter } from './list/row-filter.ts';
import { groupRows, GROUPINGS } from './list/row-groups.ts';
import { createRowIndex } from './list/row-index.ts';
import { createRowOrder, type ShownText, type SiteSort } from './list/row-order.ts';
import { useSignInTrial } from '#renderer/common/access/sign-in-trial.ts';

function toggleKey(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

function countExceptions(
  devices: readonly Device[],
  cut: ReadonlySet<string>,
): ReadonlyMap<DeviceException, number> {
  const counts = new Map<DeviceException, number>();
  for (const device of devices)
    for (const exception of cut.has(device.id) ? [] : listExceptions(device))
      counts.set(exception, (counts.get(exception) ?? 0) + 1);
  return counts;
}

/** Store of the Site screen: the inventory and the results of the search, as one list. */
export const useSite = defineStore('site', () => {
  const devices = useDevices();
  const links = useLinks();
  const discovery = useDiscovery();
  const access = useAccess();
  const appInfo = useAppInfo();
  const filter = shallowRef<RowFilter>(NO_FILTER);
  const look = createListLook(GROUPINGS, 'site');
  const folded = shallowRef<ReadonlySet<string>>(new Set());
  const sort = shallowRef<SiteSort>({ key: 'name', descending: false });
  /** Key of the row that was visited last: the list is where it was left. */
  const visited = shallowRef<string>();
  const { problem, attempt } = useProblem();
  const testing = computed(() => access.testing);

  const sites = computed(() => access.sites.toSorted((a, b) => collator.compare(a.name, b.name)));
  const siteNames = computed(() => new Map(access.sites.map(({ id, name }) => [id, name])));
  const tags = computed(() =>
    [...new Set(devices.list.flatMap((device) => device.tags))].sort((a, b) => collator.compare(a, b)),
  );
  const counts = computed(() => countExceptions(devices.list, links.cut));

  const shownText: ShownText = (row, column) => {
    if (row.kind === 'found') return '';
    if (column === 'site') return siteNames.value.get(row.device.siteId ?? '') ?? '';
    const from = row.device.signInFrom;
    return from === undefined
      ? ''
      : `${from.kind} ${from.kind === 'tag' ? from.tag : from.kind === 'site' ? (siteNames.value.get(from.siteId) ?? '') : ''}`;
  };

  /**
   * Sites come without a stream: they may have changed elsewhere while this window was inactive or
   * disconnected.
   */
  watch([useWindowFocus(), () => appInfo.connection], ([isFocused, connection]) => {
    if (isFocused && connection === 'open') void access.loadSites().catch(() => undefined);
  });
  /** Clears the problem: calls that failed because the connection was lost can be repeated. */
  watch(
    () => appInfo.connection,
    () => {
      problem.value = undefined;
    },
  );

  const index = createRowIndex(discovery.sightings, createRowOrder(sort.value, shownText));
  const chosen = createChosen(devices, discovery.sightings, index.isFound);
  /** The index is not reactive: this says that it changed. */
  const version = ref(0);
  function changed(): void {
    version.value += 1;
    chosen.sift();
  }
  watch(
    () => devices.byId,
    (byId) => {
      index.devicesChanged(byId);
      changed();
    },
    { immediate: true, flush: 'sync' },
  );
  discovery.follow((identities) => {
    index.sightingsChanged(identities);
    changed();
  });
  watch([sort, siteNames], () => {
    index.reorder(createRowOrder(sort.value, shownText));
    version.value += 1;
  });

  const found = computed(() => (version.value >= 0 ? index.found : 0));
  const others = computed(() => (version.value >= 0 ? index.others : 0));
  /** True to show printers and other web services; they are hidden by default. */
  const withOthers = ref(false);
  const shown = computed(() =>
    version.value >= 0 ? filterRows(index.rows, filter.value, withOthers.value) : [],
  );
  const rows = computed(() =>
    groupRows(shown.value, {
      by: look.grouping.value,
      sites: sites.value.map(({ id }) => id),
      folded: folded.value,
    }),
  );
  const isEmpty = computed(
    () => devices.list.length === 0 && found.value === 0 && !(withOthers.value && others.value > 0),
  );

  /** Throws what the engine says, for the dialog to put beside its fields. */
  async function add(
    device: Omit<InputAt<'devices.add'>, 'credentialId' | 'signIn'>,
    signIn: SignInChoice,
  ): Promise<string> {
    const { id } = await getApi().devices.add({
      ...device,
      ...(signIn.kind === 'saved' && { credentialId: signIn.id }),
      ...(signIn.kind === 'new' && { signIn }),
    });
    if (signIn.kind === 'new') await access.loadCredentials();
    return id;
  }

  async function changeMany(
    ids: readonly string[],
    change: Omit<InputAt<'devices.updateMany'>, 'ids'>,
  ): Promise<void> {
    await getApi().devices.updateMany({ ids, ...change });
    await access.loadSites();
  }

  return {
    filter,
    ...look,
    visited,
    sort,
    testing,
    problem,
    counts,
    found,
    others,
    withOthers,
    shown,
    rows,
    isEmpty,
    chosen: chosen.keys,
    chosenFound: chosen.found,
    chosenSightings: chosen.seen,
    sites,
    siteNames,
    tags,
    setChosen: chosen.set,
    chooseNothing: chosen.clear,
    chooseAllFound: chosen.addAllFound,
    attempt,
    add,
    changeMany,
    fold: (key: string) => (folded.value = toggleKey(folded.value, key)),
    /** The one site the list is narrowed to, for what is added meanwhile; empty: none or several. */
    siteInSight: computed(() => {
      const [only] = filter.value.sites;
      return filter.value.sites.length === 1 && only !== undefined && only !== 'none' ? only : '';
    }),
    narrow: (change: Partial<RowFilter>) => {
      filter.value = { ...filter.value, ...change };
    },
    showAll: () => (filter.value = NO_FILTER),
    loadSites: access.loadSites,
    test: access.test,
    ...useSignInTrial(),
    sightingOf: index.sightingOf,
    addMany: (found: InputAt<'devices.addMany'>['devices']) => getApi().devices.addMany({ devices: found }),
    update: (change: InputAt<'devices.update'>) => getApi().devices.update(change),
    importCsv: (file: InputAt<'devices.importCsv'>) => getApi().devices.importCsv(file),
    remove: (ids: readonly string[]) => getApi().devices.remove({ ids }),
    simulate: () => getApi().app.startSimulatedSite({ devices: 12 }),
  };
});
