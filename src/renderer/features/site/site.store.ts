import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { ErrorShape } from '../../../shared/errors.ts';
import type { Credential, DeviceKind, DeviceTest } from '../../../shared/model.ts';
import { matchesSearch, needsAttention, sortDevices, type Sort } from '../../composables/device-list.ts';
import { useDevices } from '../../composables/devices.store.ts';
import { errorOf } from '../../composables/error-of.ts';
import {
  addDevice, assignCredential, listCredentials, removeDevices, saveCredential, startSimulatedSite, testDevices, updateDevice,
  type NewDevice,
} from './site.api.ts';
import { reusableCredential } from './reusable-credential.ts';
import { withTags } from './tags.ts';

/** Which sign-in to give to devices: a saved one, none, or a new one. */
export type SignInChoice =
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'new'; readonly userName: string; readonly password: string; readonly label?: string };

/** What the Site screen shows and does; the devices themselves are in the shared store. */
export const useSite = defineStore('site', () => {
  const devices = useDevices();
  const search = ref('');
  const kind = ref<DeviceKind | 'all'>('all');
  const onlyAttention = ref(false);
  const sort = shallowRef<Sort>({ key: 'name', descending: false });
  const credentials = shallowRef<readonly Credential[]>([]);
  /** Devices whose sign-in is being tried now. */
  const testing = shallowRef<ReadonlySet<string>>(new Set());
  const problem = shallowRef<ErrorShape>();

  const attention = computed(() => devices.list.filter(needsAttention).length);
  const reachable = computed(() => devices.list.filter((device) => device.reach === 'reachable').length);
  const rows = computed(() => sortDevices(devices.list.filter((device) =>
    (kind.value === 'all' || device.kinds.includes(kind.value))
    && (!onlyAttention.value || needsAttention(device))
    && matchesSearch(device, search.value)), sort.value));

  function showAll(): void {
    search.value = '';
    kind.value = 'all';
    onlyAttention.value = false;
  }

  /** Runs an action; its error is shown on the screen instead of being thrown. */
  async function attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    problem.value = undefined;
    try {
      return await action();
    } catch (thrown) {
      problem.value = errorOf(thrown);
      return undefined;
    }
  }

  async function test(ids: readonly string[]): Promise<readonly DeviceTest[]> {
    testing.value = new Set([...testing.value, ...ids]);
    try {
      return await testDevices([...ids]);
    } finally {
      const done = new Set(ids);
      testing.value = new Set([...testing.value].filter((id) => !done.has(id)));
    }
  }

  async function loadCredentials(): Promise<void> {
    credentials.value = await listCredentials();
  }

  async function saveNew(ids: readonly string[], { userName, password, label }: Extract<SignInChoice, { kind: 'new' }>): Promise<void> {
    const known = reusableCredential(ids.map((id) => devices.byId.get(id) ?? {}), credentials.value);
    await saveCredential({ ...(known === undefined ? {} : { id: known.id }), label: label ?? known?.label ?? userName, userName, password, deviceIds: [...ids] });
    await loadCredentials();
  }

  /** Throws what the engine says, for the dialog to put beside its fields. */
  async function add(device: Omit<NewDevice, 'credentialId'>, signIn: SignInChoice): Promise<string> {
    const credentialId = signIn.kind === 'saved' ? signIn.id : undefined;
    const added = await addDevice({ ...device, ...(credentialId === undefined ? {} : { credentialId }) });
    try {
      if (signIn.kind === 'new') await saveNew([added.id], signIn);
    } catch (thrown) {
      // Half of what was asked would only be in the way of asking again.
      await removeDevices([added.id]);
      throw thrown;
    }
    return added.id;
  }

  /** Gives devices a sign-in and tries it once on each. */
  async function signIn(ids: readonly string[], choice: SignInChoice): Promise<readonly DeviceTest[]> {
    if (choice.kind === 'new') await saveNew(ids, choice);
    else await assignCredential(choice.kind === 'saved' ? choice.id : null, [...ids]);
    return test(ids);
  }

  async function changeTags(ids: readonly string[], change: { readonly add: readonly string[]; readonly remove: readonly string[] }): Promise<void> {
    for (const id of ids) {
      const device = devices.byId.get(id);
      const tags = device === undefined ? undefined : withTags(device.tags, change);
      if (tags !== undefined) await updateDevice({ id, tags });
    }
  }

  return {
    search, kind, onlyAttention, sort, credentials, testing, problem, attention, reachable, rows,
    showAll, attempt, test, loadCredentials, add, signIn, changeTags,
    update: updateDevice,
    remove: (ids: readonly string[]) => removeDevices([...ids]),
    simulate: () => startSimulatedSite(12),
  };
});
