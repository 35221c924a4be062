import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { getApi } from '#renderer/client/use-client.ts';

type Secrets = Readonly<Record<string, string>>;

/** Names of the typed secrets that go into the vault once they are used. */
export const useKeptSecrets = defineStore('kept-secrets', () => {
  const names = shallowRef<ReadonlySet<string>>(new Set());

  function keep(name: string, wanted: boolean): void {
    const others = [...names.value].filter((other) => other !== name);
    names.value = new Set(wanted ? [...others, name] : others);
  }

  /** Puts those of `typed` into the vault that are to be kept; throws where it cannot take them. */
  async function save(typed: Secrets): Promise<void> {
    for (const [name, value] of Object.entries(typed)) {
      if (!names.value.has(name) || value === '') continue;
      await getApi().secrets.save({ name, value });
      keep(name, false);
    }
  }

  return { names, keep, save };
});

/** Returns the secrets that were typed; a saved secret is used for an empty field. */
export function collectSecrets(values: Secrets): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** Every secret was typed or is in the vault. */
export function hasAllSecrets(
  variables: readonly { readonly name: string; readonly saved?: true }[],
  values: Secrets,
): boolean {
  return variables.every(
    ({ name, saved }) => saved === true || (Object.hasOwn(values, name) && values[name] !== ''),
  );
}
