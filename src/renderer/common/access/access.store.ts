import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { createBatch } from '#renderer/client/batch.ts';
import { getApi, useClient } from '#renderer/client/use-client.ts';
import type { InputAt } from '#shared/contract.ts';
import type { CredentialScope, Site } from '#shared/access.ts';
import type { Credential, DeviceTest, GivenSignIn } from '#shared/model.ts';

/** Sign-in to give to devices: a saved one, none, or a new one. */
export type SignInChoice =
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'new'; readonly userName: string; readonly password: string; readonly label?: string };

interface TrialOptions {
  /** Results that came since the last ones. */
  readonly heard: (tests: readonly DeviceTest[]) => void;
  /** A person stops it: nothing more is sent, and what let us in by then keeps the sign-in. */
  readonly signal: AbortSignal;
}
type SignInOptions = TrialOptions &
  Pick<InputAt<'devices.signIn'>, 'scope' | 'allowBasic' | 'acceptWeaker' | 'replaceWorking'>;

/** A stream that is read once, to its end or until a person stops it. */
function untilStopped(
  signal: AbortSignal,
  begin: (ends: {
    readonly restart: false;
    readonly signal: AbortSignal;
    readonly onEnd: () => void;
    readonly onError: (error: unknown) => void;
  }) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    begin({ restart: false, signal, onEnd: resolve, onError: reject });
  });
}

/** Sign-ins, sites and certificates as dialogs and settings use them. No password is ever in here. */
export const useAccess = defineStore('access', () => {
  const credentials = shallowRef<readonly Credential[]>([]);
  const sites = shallowRef<readonly Site[]>([]);
  /** Devices whose sign-in is being tried now. */
  const testing = shallowRef<ReadonlySet<string>>(new Set());

  async function loadCredentials(): Promise<void> {
    credentials.value = await getApi().credentials.list();
  }
  async function loadSites(): Promise<void> {
    sites.value = await getApi().sites.list();
  }

  /** One sign-in attempt each. */
  async function test(ids: readonly string[]): Promise<readonly DeviceTest[]> {
    return trying(ids, () => getApi().devices.test({ ids }));
  }

  async function testEach(ids: readonly string[], { heard, signal }: TrialOptions): Promise<void> {
    const client = useClient();
    const batch = createBatch(heard);
    await trying(ids, () =>
      untilStopped(signal, (ends) => {
        client.subscribe(client.api.devices.testEach, { ids }, batch.push, ends);
      }),
    ).finally(batch.flush);
  }

  /** Tries a sign-in and gives it to devices, or all of a tag or a site, that let it in; one goes first. Resolves with what was kept, if it got that far. */
  async function signIn(
    ids: readonly string[],
    choice: Exclude<SignInChoice, { kind: 'none' }>,
    { heard, signal, ...options }: SignInOptions,
  ): Promise<GivenSignIn | undefined> {
    const client = useClient();
    let given: GivenSignIn | undefined;
    const batch = createBatch(heard);
    await trying(ids, () =>
      untilStopped(signal, (ends) => {
        client.subscribe(
          client.api.devices.signIn,
          { ids, signIn: choice, ...options },
          (event) => {
            if (event.type === 'device') batch.push(event.test);
            else given = event.given;
          },
          ends,
        );
      }),
    ).finally(batch.flush);
    await loadCredentials();
    return given;
  }

  async function trying<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    testing.value = new Set([...testing.value, ...ids]);
    try {
      return await work();
    } finally {
      const done = new Set(ids);
      testing.value = new Set([...testing.value].filter((id) => !done.has(id)));
    }
  }

  /** Names, and the password where one is given; it changes for every device that uses this sign-in, once one of them let it in. */
  async function change(
    credential: Pick<Credential, 'id' | 'label' | 'userName'>,
    password = '',
  ): Promise<void> {
    const { id, label, userName } = credential;
    await getApi().credentials.change({ id, label, userName, password });
    await loadCredentials();
  }
  async function assignTo(id: string | null, scope: CredentialScope): Promise<number> {
    const { changed } = await getApi().credentials.assignTo({ credentialId: id, scope });
    await loadCredentials();
    return changed;
  }
  async function assign(id: string | null, ids: readonly string[]): Promise<number> {
    const { changed } = await getApi().credentials.assign({ credentialId: id, deviceIds: ids });
    await loadCredentials();
    return changed;
  }
  async function remove(id: string): Promise<void> {
    await getApi().credentials.remove({ id });
    await loadCredentials();
  }

  return {
    credentials,
    sites,
    testing,
    loadCredentials,
    loadSites,
    test,
    testEach,
    signIn,
    change,
    assign,
    assignTo,
    remove,
    trust: (items: InputAt<'devices.trust'>['items']) => getApi().devices.trust({ items }),
    distrust: (ids: readonly string[]) => getApi().devices.distrust({ ids }),
  };
});
