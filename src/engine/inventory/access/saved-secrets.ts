/**
 * Values of secret template variables in the vault: a variable takes the one saved under its name.
 * Saved values leave this module towards devices alone.
 */
import { isDeepStrictEqual } from 'node:util';
import { say } from '#shared/details.ts';
import type { SavedSecret } from '#shared/access.ts';
import { userError } from '#shared/errors.ts';
import type { TemplateVariable } from '#shared/model.ts';
import type { Clock } from '#engine/api/host.ts';
import type { SecretsApi } from '#engine/api/routes.ts';
import type { Store } from '#engine/store/index.ts';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { VARIABLE_NAME } from '#template/placeholder.ts';
import type { Vault } from './vault.ts';

type Secrets = Readonly<Record<string, string>>;

/** Functions for the rest of the engine in addition to the API. */
export interface SavedSecrets extends SecretsApi {
  /**
   * Returns the given secrets, and for the other secret variables what the vault has. A locked vault has
   * nothing: those are asked for as ever. @throws `vault-damaged`
   */
  fill(variables: readonly TemplateVariable[], given: Secrets): Secrets;
  /** Fills in the secrets like `fill`, for the variables of a template. */
  fillFor(templateText: string, given: Secrets): Secrets;
  /**
   * Returns a function that gives all secrets at each call, for masking; none of a locked vault. They are
   * opened once, and the array stays the same until one is saved, removed or sealed anew. It exists as long
   * as the function.
   */
  opener(): () => readonly string[];
  /** Returns the same variables; those that need not be given say so. */
  mark(variables: readonly TemplateVariable[]): readonly TemplateVariable[];
}

interface SavedSecretsOptions {
  readonly store: Store;
  readonly vault: Pick<Vault, 'state' | 'seal' | 'open'>;
  readonly clock: Clock;
}

interface Sealed {
  readonly name: string;
  readonly secret: Uint8Array;
}

/** Returns the context to which a sealed value is bound. */
function contextOf(name: string): string {
  return `template-secret:${name}`;
}

export function createSavedSecrets({ store, vault, clock }: SavedSecretsOptions): SavedSecrets {
  const list = (): readonly SavedSecret[] =>
    store.all<SavedSecret>('SELECT name, changed_at AS changedAt FROM template_secrets ORDER BY name');

  function usable(): ReadonlySet<string> {
    return new Set(vault.state().state === 'open' ? list().map(({ name }) => name) : []);
  }

  function reveal(name: string): string {
    const row = store.get<{ readonly secret: Uint8Array }>(
      'SELECT secret FROM template_secrets WHERE name = ?',
      name,
    );
    if (row === undefined) throw userError('not-found', say('secret-removed', { name }));
    return vault.open(row.secret, contextOf(name));
  }

  function fill(variables: readonly TemplateVariable[], given: Secrets): Secrets {
    const names = usable();
    const missing = variables.filter(
      ({ name, type }) => type === 'secret' && names.has(name) && !Object.hasOwn(given, name),
    );
    return { ...given, ...Object.fromEntries(missing.map(({ name }) => [name, reveal(name)])) };
  }

  return {
    list,
    opener() {
      let sealed: readonly Sealed[] = [];
      let values: readonly string[] = [];
      return () => {
        // Another process may have saved one; each sealing has other bytes.
        const rows =
          vault.state().state === 'open'
            ? store.all<Sealed>('SELECT name, secret FROM template_secrets ORDER BY name')
            : [];
        if (!isDeepStrictEqual(rows, sealed)) {
          values = rows.map(({ name, secret }) => vault.open(secret, contextOf(name)));
          sealed = rows;
        }
        return values;
      };
    },
    fill,
    fillFor: (templateText, given) =>
      usable().size === 0 ? given : fill(parseTemplate(templateText).summary?.variables ?? [], given),
    mark(variables) {
      if (!variables.some(({ type }) => type === 'secret')) return variables;
      const names = usable();
      return variables.map((variable) =>
        variable.type === 'secret' && names.has(variable.name) ? { ...variable, saved: true } : variable,
      );
    },
    save({ name, value }) {
      if (!VARIABLE_NAME.test(name)) {
        throw userError('usage', say('secret-name'), { path: 'name' });
      }
      if (value === '') throw userError('usage', say('secret-empty'), { path: 'value' });
      const changedAt = clock.now().toISOString();
      const secret = vault.seal(value, contextOf(name));
      store.insert('template_secrets', { name, secret, changed_at: changedAt }, 'replace');
      return { name, changedAt };
    },
    remove: ({ name }) => ({
      removed: store.remove('template_secrets', { name }).changes > 0,
    }),
  };
}
