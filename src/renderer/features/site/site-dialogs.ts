/** Dialogs of the list, and the tests that they and the list begin. */
import type { Sighting } from '#shared/discovery.ts';
import { useTestsTold } from '#renderer/common/access/sign-in-trial.ts';
import type { ListAction } from '#renderer/common/devices/selection-actions.ts';
import { useSite } from './site.store.ts';

export type SiteDialog =
  | { readonly name: 'add'; readonly address?: string }
  | { readonly name: 'import' | 'doctor' | 'interfaces' }
  | { readonly name: 'sweep'; readonly cidr?: string }
  | { readonly name: Exclude<ListAction, 'test-devices'>; readonly ids: readonly string[] }
  | { readonly name: 'add-found'; readonly sightings: readonly Sighting[] };

/** Returns a function that tests devices; many are tested behind other screens, and the result shows on any screen. */
export function useDeviceTests(): (ids: readonly string[]) => Promise<void> {
  const site = useSite();
  const tell = useTestsTold();
  return async (ids) => {
    const tests = await site.attempt(() => (ids.length === 1 ? site.test(ids) : site.testMany(ids)));
    if (tests !== undefined) tell(tests, ids.length - tests.length);
  };
}
