/** Choosing devices in a real browser: what is seen narrows, what is chosen stays and is said. */
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick, ref } from 'vue';
import { createAppI18n } from '#renderer/app/i18n.ts';
import DevicePicker from '#renderer/common/devices/DevicePicker.vue';
import { useDevices } from '#renderer/common/devices/devices.store.ts';
import type { Device } from '#shared/model.ts';
import { useFakeClient } from '../renderer/fake-client.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => {
  mounted?.end();
  mounted = undefined;
});

function device(nth: number): Device {
  return {
    id: `d-${nth}`,
    name: nth === 5 ? 'Door with a very long name '.repeat(7) : `Door ${nth}`,
    url: `http://10.0.0.${nth}`,
    kinds: ['gate'],
    tags: nth % 2 === 0 ? ['north'] : [],
    ...(nth <= 10 && { siteId: 's-1' }),
    reach: nth === 3 ? 'unreachable' : 'reachable',
    signIn: nth === 4 ? 'failed' : 'ok',
  } as unknown as Device;
}

async function shown(count: number, before: readonly string[] = [], width = 700) {
  const client = useFakeClient({ 'sites.list': () => [{ id: 's-1', name: 'Harbour' }] });
  const chosen = ref<string[]>([...before]);
  const Page = defineComponent(() => {
    useDevices().start();
    return () =>
      h(DevicePicker, {
        modelValue: chosen.value,
        'onUpdate:modelValue': (ids: readonly string[]) => (chosen.value = [...ids]),
      });
  });
  mounted = mount(Page, { plugins: [createPinia(), createAppI18n()], width });
  client.streams[0]?.emit({
    type: 'all',
    devices: Array.from({ length: count }, (_none, nth) => device(nth + 1)),
  });
  await nextTick();
  const { root } = mounted;
  const at = (id: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(`[data-test-id="${id}"]`);
    if (found === null) throw new Error(`There is no ${id}.`);
    return found;
  };
  await expect.poll(() => root.querySelector('[data-test-id="picker-site"]')).not.toBeNull();
  return { root, chosen, at, count: () => at('chosen-count').textContent.trim() };
}

// Would catch: devices that are chosen, hidden by a search or filter, and applied to without a word; or lost by it.
it('says what is chosen and not seen, and keeps it whatever is looked for', async () => {
  const { chosen, at, count } = await shown(250);
  await userEvent.selectOptions(at('picker-tag'), 'north');
  await userEvent.click(at('select-all'));
  expect(chosen.value).toHaveLength(125);
  await userEvent.selectOptions(at('picker-site'), 's-1');
  expect(count()).toBe('125 of 250 chosen; 120 of them are not shown below');

  await userEvent.click(at('select-all'));

  expect(chosen.value).toHaveLength(120);
  expect(count()).toBe('120 of 250 chosen; 120 of them are not shown below');
  await userEvent.click(at('only-chosen'));
  expect(count()).toBe('120 of 250 chosen');
});

// Would catch: a device that was chosen before and has been removed, counted or left out in silence.
// Would catch: columns wider together than a phone, so that the state of each device is cut in two.
it('shows each state whole on a phone', async () => {
  const { root } = await shown(5, [], 328);
  const beyond = (): readonly number[] =>
    [...root.querySelectorAll('[data-test-id="picker-row"] > :last-child')].map(
      (cell) => cell.getBoundingClientRect().right - root.getBoundingClientRect().right,
    );

  await expect.poll(() => beyond().map((pixels) => pixels <= 0)).toEqual([true, true, true, true, true]);
});

it('names what is chosen and cannot be chosen here', async () => {
  const { chosen, at, count } = await shown(5, ['d-1', 'd-gone']);
  expect(count()).toBe('1 of 5 chosen');
  expect(at('picker-strangers').textContent).toContain('1 chosen device cannot be chosen here');

  await userEvent.click(at('drop-strangers'));

  expect(chosen.value).toEqual(['d-1']);
});

// Would catch: 250 stops of the tab key on the way to the button below; a list that only a mouse can use; an axe fault.
it('is one stop of the tab key, in which arrows move and space chooses', async () => {
  const { root, chosen, at } = await shown(250, [], 420);
  await expect.poll(() => root.querySelector('[data-test-id="picker-row"]')).not.toBeNull();
  at('sort-signIn').focus();

  await userEvent.keyboard('{Tab}{ArrowDown}{ArrowDown} {End} {Tab}');

  // The last by its name.
  expect(chosen.value).toEqual(['d-3', 'd-5']);
  expect(root.querySelector('[role=grid]')?.contains(document.activeElement)).toBe(false);
  expect(root.scrollWidth).toBeLessThanOrEqual(root.clientWidth);
  expect(await mounted?.faults()).toEqual([]);
});

// Would catch: a selection of a hundred rows whose chosen ones have to be searched for, or a task that does not say whom it is about.
it('names the selection, puts it on top, and finds by state', async () => {
  const { root, at } = await shown(12, ['d-7', 'd-8', 'd-9', 'd-10']);
  const names = (): readonly (string | undefined)[] =>
    [...root.querySelectorAll('[data-test-id="picker-row"]')].map(
      (row) => row.querySelector('bdi')?.textContent,
    );
  await expect.poll(() => at('chosen-name').textContent).toBe('4 gates of Harbour');
  await expect.poll(() => names().slice(0, 5)).toEqual(['Door 7', 'Door 8', 'Door 9', 'Door 10', 'Door 1']);

  await userEvent.selectOptions(at('picker-state'), 'attention');

  await expect.poll(names).toEqual(['Door 3', 'Door 4']);
  expect(await mounted?.faults()).toEqual([]);
});
