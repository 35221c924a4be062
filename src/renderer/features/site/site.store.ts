import { useWindowFocus, watchDebounced } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { api } from '../../client/use-client.ts';
import type { InputAt } from '../../../shared/contract.ts';
import type { DeviceTest } from '../../../shared/model.ts';
import { useAccess, type SignInChoice } from '../../common/access/access.store.ts';
import { useAppInfo } from '../../common/app-info/app-info.store.ts';
import { collator } from '../../common/devices/device-list.ts';
import { useDevices } from '../../common/devices/devices.store.ts';
import { useProblem } from '../../common/errors/attempt.ts';
import { useActivities } from '../../common/jobs/work/activities.store.ts';
import { needsAttention, standingOf, useStandingTime } from '../../common/devices/standing.ts';
import { useDiscovery } from './discovery/discovery.store.ts';
import { filterRows, groupRows, NO_FILTER, type RowFilter } from './list/row-filter.ts';
import { createRowIndex } from './list/row-index.ts';
import { rowOrder, type ShownText, type SiteSort } from './list/row-order.ts';
import { identityOfKey, foundKey } from './list/site-rows.ts';

/** What the test of many devices is called among what runs. */
const TRIAL = 'signIn.trying';

/** What the Site screen shows and does: the inventory and what the search sees, as one list. */
export const useSite = defineStore('site', () => {
  const devices = useDevices();
  const discovery = useDiscovery();
  const access = useAccess();
  const activities = useActivities();
  const appInfo = useAppInfo();
  const filter = shallowRef<RowFilter>(NO_FILTER);
  /** What the rows were gone through with: not while a key is being answered, and not for each of a quick row of keys. */
  const applied = shallowRef(NO_FILTER);
  watchDebounced(
    filter,
    (wanted) => {
      applied.value = wanted;
    },
    { debounce: 40, maxWait: 200 },
  );
  const bySite = ref(false);
  const sort = shallowRef<SiteSort>({ key: 'name', descending: false });
  const { problem, attempt } = useProblem();
  /** Identities of found devices that the person has chosen. */
  const chosenFound = shallowRef<ReadonlySet<string>>(new Set());
  const testing = computed(() => access.testing);

  const sites = computed(() => access.sites.toSorted((a, b) => collator.compare(a.name, b.name)));
  const siteNames = computed(() => new Map(access.sites.map(({ id, name }) => [id, name])));
  const tags = computed(() =>
    [...new Set(devices.list.flatMap((device) => device.tags))].sort((a, b) => collator.compare(a, b)),
  );
  const attention = computed(() => devices.list.filter(needsAttention).length);
  const now = useStandingTime();
  const reachable = computed(
    () =>
      devices.list.filter((device) => standingOf(device, now.value.getTime()).reach === 'reachable').length,
  );

  const shownText: ShownText = (row, column) => {
    if (row.kind === 'found') return '';
    if (column === 'site') return siteNames.value.get(row.device.siteId ?? '') ?? '';
    const from = row.device.signInFrom;
    return from === undefined
      ? ''
      : `${from.kind} ${from.kind === 'tag' ? from.tag : from.kind === 'site' ? (siteNames.value.get(from.siteId) ?? '') : ''}`;
  };

  /** Sites come without a stream: another face may have made or renamed some while this window was left, or was cut off. */
  watch([useWindowFocus(), () => appInfo.connection], ([isFocused, connection]) => {
    if (isFocused && connection === 'open') void access.loadSites().catch(() => undefined);
  });
  /** What failed for want of a connection can be done again. */
  watch(
    () => appInfo.connection,
    () => {
      problem.value = undefined;
    },
  );

  const index = createRowIndex(discovery.sightings, rowOrder(sort.value, shownText));
  /** The index is not reactive: this says that it changed. */
  const version = ref(0);
  function changed(): void {
    version.value += 1;
    const gone = [...chosenFound.value].filter((identity) => !index.isFound(identity));
    if (gone.length > 0) setFound(gone, false);
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
    index.reorder(rowOrder(sort.value, shownText));
    version.value += 1;
  });

  const found = computed(() => (version.value >= 0 ? index.found : 0));
  const others = computed(() => (version.value >= 0 ? index.others : 0));
  /** Printers and other web services stay out of sight until somebody asks for them. */
  const withOthers = ref(false);
  const shown = computed(() =>
    version.value >= 0 ? filterRows(index.rows, applied.value, withOthers.value) : [],
  );
  const rows = computed(() =>
    groupRows(shown.value, bySite.value ? sites.value.map(({ id }) => id) : undefined),
  );
  const isEmpty = computed(
    () => devices.list.length === 0 && found.value === 0 && !(withOthers.value && others.value > 0),
  );
  const chosen = computed<ReadonlySet<string>>(() =>
    chosenFound.value.size === 0
      ? devices.chosen
      : new Set([...devices.chosen, ...[...chosenFound.value].map(foundKey)]),
  );
  const chosenSightings = computed(() =>
    [...chosenFound.value].flatMap((identity) => discovery.sightings.get(identity) ?? []),
  );

  function setFound(identities: readonly string[], on: boolean): void {
    const next = new Set(chosenFound.value);
    for (const identity of identities) {
      if (on) next.add(identity);
      else next.delete(identity);
    }
    chosenFound.value = next;
  }
  /** Keys of rows: ids of devices, and found ones. */
  function setChosen(keys: readonly string[], on: boolean): void {
    const identities = keys.flatMap((key) => identityOfKey(key) ?? []);
    if (identities.length > 0) setFound(identities, on);
    if (identities.length < keys.length)
      devices.setChosen(
        keys.filter((key) => identityOfKey(key) === undefined),
        on,
      );
  }
  function chooseNothing(): void {
    devices.choose([]);
    chosenFound.value = new Set();
  }
  function chooseAllFound(): void {
    setFound(
      [...discovery.sightings.values()]
        .filter(
          ({ identity, recognised, outside }) =>
            index.isFound(identity) && recognised !== 'web' && outside !== true,
        )
        .map(({ identity }) => identity),
      true,
    );
  }

  /** Throws what the engine says, for the dialog to put beside its fields. */
  async function add(
    device: Omit<InputAt<'devices.add'>, 'credentialId' | 'signIn'>,
    signIn: SignInChoice,
  ): Promise<string> {
    const { id } = await api().devices.add({
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
    await api().devices.updateMany({ ids, ...change });
    await access.loadSites();
  }

  /** The test of many devices that is under way: one at a time, counted here and in the place of running work. */
  const trial = computed(() => activities.list.find(({ title }) => title === TRIAL));
  /** Undefined where another one runs; devices that a stop left untried are not among the answers. */
  async function testMany(ids: readonly string[]): Promise<readonly DeviceTest[] | undefined> {
    if (trial.value !== undefined) return undefined;
    const stopping = new AbortController();
    const total = ids.length;
    const shown = activities.begin({ title: TRIAL, to: '/site', total, cancel: () => stopping.abort() });
    const tests: DeviceTest[] = [];
    const heard = (more: readonly DeviceTest[]): void => {
      tests.push(...more);
      shown.progress(tests.length, total);
    };
    await access.testEach(ids, { signal: stopping.signal, heard }).finally(shown.end);
    return tests;
  }

  return {
    filter,
    bySite,
    sort,
    testing,
    problem,
    attention,
    reachable,
    found,
    others,
    withOthers,
    shown,
    rows,
    isEmpty,
    chosen,
    chosenFound,
    chosenSightings,
    sites,
    siteNames,
    tags,
    setChosen,
    chooseNothing,
    chooseAllFound,
    attempt,
    add,
    changeMany,
    narrow: (change: Partial<RowFilter>) => {
      filter.value = { ...filter.value, ...change };
    },
    showAll: () => {
      filter.value = NO_FILTER;
    },
    loadSites: access.loadSites,
    test: access.test,
    trial,
    testMany,
    sightingOf: index.sightingOf,
    addMany: (found: InputAt<'devices.addMany'>['devices']) => api().devices.addMany({ devices: found }),
    update: (change: InputAt<'devices.update'>) => api().devices.update(change),
    importCsv: (file: InputAt<'devices.importCsv'>) => api().devices.importCsv(file),
    remove: (ids: readonly string[]) => api().devices.remove({ ids }),
    simulate: () => api().app.startSimulatedSite({ devices: 12 }),
  };
});
