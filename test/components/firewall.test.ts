/** The firewall in the search: what is said before Windows asks, and once it asks no more. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick } from 'vue';
import { createAppI18n } from '#renderer/app/i18n.ts';
import FindingList from '#renderer/features/ai-models/FindingList.vue';
import DoctorFinding from '#renderer/features/site/discovery/DoctorFinding.vue';
import SearchStrip from '#renderer/features/site/discovery/SearchStrip.vue';
import { useDiscovery } from '#renderer/features/site/discovery/discovery.store.ts';
import { say } from '#shared/details.ts';
import type { Finding } from '#shared/discovery.ts';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => mounted?.end());

const COMMAND = 'netsh advfirewall firewall delete rule name=all dir=in program="C:\\x\\node.exe"';
function finding(code: 'firewall-asks' | 'firewall-blocks'): Finding {
  const values = { program: 'node.exe', command: COMMAND };
  const { message, hint = '', detail } = say(`doctor.${code}`, values);
  return { code, level: 'hint', message, next: hint, detail, subjects: [] };
}
const at = (id: string) => document.querySelector<HTMLElement>(`[data-test-id="${id}"]`);

it('says what to answer while it searches, and no longer', async () => {
  const pinia = createPinia();
  useFakeClient({});
  let discovery!: ReturnType<typeof useDiscovery>;
  mounted = mount(
    defineComponent(() => {
      discovery = useDiscovery();
      return () => h(SearchStrip);
    }),
    { plugins: [pinia, createAppI18n()] },
  );
  discovery.report = {
    ...{ startedAt: '', at: '', devices: 0, vanished: 0, others: 0, interfaces: [], text: '' },
    findings: [finding('firewall-asks')],
  };
  discovery.running = true;
  await nextTick();

  expect(at('firewall-asks')?.innerText).toContain('Allow it on private and public networks');
  expect(await mounted.faults()).toEqual([]);
  discovery.running = false;
  await nextTick();
  expect(at('firewall-asks')).toBeNull();
});

it('offers the command that lets Windows ask again', async () => {
  mounted = mount(
    defineComponent(() => () => h(DoctorFinding, { finding: finding('firewall-blocks'), interfaces: [] })),
  );

  expect(document.body.innerText).toContain(COMMAND);
  await userEvent.click(at('copy-command')!);
  await expect.poll(() => at('copy-command')?.innerText).toBe('Copied');
});

it('offers the command of the model doctor too (else: a path of 80 characters is typed by hand)', async () => {
  const { message, detail } = say('pull.firewall-blocks', { program: 'node.exe', command: COMMAND });
  const findings = [{ id: 'firewall', tone: 'danger' as const, message, detail }];
  mounted = mount(defineComponent(() => () => h(FindingList, { findings })));

  await userEvent.click(at('copy-command')!);
  await expect.poll(() => at('copy-command')?.innerText).toBe('Copied');
});
