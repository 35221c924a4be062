/** Keys of devices: which device has which, and the export, whose passphrase leaves the field at once. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createMemoryHistory, createRouter } from 'vue-router';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import KeysView from '#renderer/features/reports/KeysView.vue';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => {
  mounted?.end();
  mounted = undefined;
});

const KEYS = [
  ['storage-card', 'current', 'Gate 1'],
  ['token-key', 'pending', 'A camera with a name so long that it does not fit into one line of the list'],
].map(([name, state, device]) => ({
  deviceId: `d-${device}`,
  device,
  address: 'http://10.0.0.1',
  name,
  state,
  changedAt: '2026-03-01T08:00:00Z',
}));

it.each([false, true])(
  'names device, secret and state, and exports by passphrase (dark: %s)',
  async (dark) => {
    const client = useFakeClient({
      'keys.list': () => KEYS,
      'keys.export': () => ({ file: '/home/me/device-keys.bin', count: 2 }),
      'app.info': () => ({}),
    });
    const router = createRouter({
      history: createMemoryHistory(),
      routes: [{ path: '/:rest(.*)*', component: { render: () => null } }],
    });
    const i18n = createAppI18n();
    await showLanguage(i18n.global, 'en');
    mounted = mount(KeysView, { dark, width: 900, plugins: [createPinia(), router, i18n] });
    const at = (id: string) => document.querySelector<HTMLElement>(`[data-test-id="${id}"]`);
    await expect.poll(() => document.querySelectorAll('[data-test-id="device-key"]').length).toBe(2);
    const field =
      at('export-passphrase')?.querySelector('input') ?? (at('export-passphrase') as HTMLInputElement);

    await userEvent.fill(field, 'short');
    expect(at('export-keys')?.hasAttribute('disabled')).toBe(true);
    await userEvent.fill(field, 'correct horse battery');
    await userEvent.click(at('export-keys') as HTMLElement);
    await expect.poll(() => at('keys-written')?.textContent).toContain('2 keys were written to /home/me');

    expect(mounted.root.textContent).toContain('Password of the storage card');
    expect(mounted.root.textContent).toContain('not sent yet');
    expect(client.calls.filter(({ name }) => name === 'keys.export')).toEqual([
      { name: 'keys.export', input: { passphrase: 'correct horse battery' } },
    ]);
    expect(field.value).toBe('');
    expect(await mounted.faults()).toEqual([]);
  },
);
