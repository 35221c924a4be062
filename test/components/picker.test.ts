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
    kinds: [nth > 200 ? 'thermal' : 'gate'],
    tags: nth % 2 === 0 ? ['north'] : [],
    ...(nth <= 10 && { siteId: 's-1' }),
    reach: nth === 3 ? 'unreachable' : 'reachable',
    signIn: nth === 4 ? 'failed' : 'ok',
  } as unknown as Device;
}

/** `before`: chosen before the picker was drawn; a text: it chooses one device. */
async function shown(
  count: number,
  before: string | readonly string[] = [],
  width = 700,
  props: Readonly<Record<string, unknown>> = {},
) {
  const client = useFakeClient({ 'sites.list': () => [{ id: 's-1', name: 'Harbour' }] });
  const chosen = ref<string | readonly string[]>(before);
  const Page = defineComponent(() => {
    useDevices().start();
    return () =>
      h(DevicePicker, {
        modelValue: chosen.value,
        'onUpdate:modelValue': (ids: string | readonly string[]) => (chosen.value = ids),
        ...props,
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
  const names = (): readonly (string | undefined)[] =>
    [...root.querySelectorAll('[data-test-id="picker-row"]')].map(
      (row) => row.querySelector('bdi')?.textContent,
    );
  return { root, names, chosen, at, count: () => at('chosen-count').textContent.trim() };
}

// Would catch: devices that are chosen, hidden by a search or filter, and applied to without a word; or lost by it.
it('says what is chosen and not seen, and keeps it whatever is looked for', async () => {
  const { root, chosen, at, count } = await shown(250);
  await expect.poll(() => root.querySelector('[data-test-id="picker-site"]')).not.toBeNull();
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

// Would catch: columns wider together than a phone, so that the state of each device is cut in two.
it('shows each state whole on a phone', async () => {
  const { root } = await shown(5, [], 328);
  const beyond = (): readonly number[] =>
    [...root.querySelectorAll('[data-test-id="picker-row"] > :last-child')].map(
      (cell) => cell.getBoundingClientRect().right - root.getBoundingClientRect().right,
    );

  await expect.poll(() => beyond().map((pixels) => pixels <= 0)).toEqual([true, true, true, true, true]);
});

// Would catch: an empty inventory that is said to match no search, with a button that shows nothing.
it('says that there are no devices, and where to add them', async () => {
  const { root } = await shown(0);

  await expect.poll(() => root.textContent).toContain('No devices yet');
  expect(root.querySelector('a[href="#/devices"]')).not.toBeNull();
});

// Would catch: a device that was chosen before and has been removed, counted or left out in silence.
it('names what is chosen and cannot be chosen here', async () => {
  const { chosen, at } = await shown(5, ['d-1', 'd-gone']);
  expect(at('chosen-name').textContent).toBe('Door 1');
  expect(at('picker-strangers').textContent).toContain('1 chosen device cannot be chosen here');

  await userEvent.click(at('drop-strangers'));

  expect(chosen.value).toEqual(['d-1']);
});

// Would catch: 250 stops of the tab key on the way to the button below; a list that only a mouse can use; an axe fault.
it('is one stop of the tab key, in which arrows move and space chooses', async () => {
  const { root, chosen, at } = await shown(250, [], 420);
  await expect.poll(() => root.querySelector('[data-test-id="picker-row"]')).not.toBeNull();
  at('sort-state').focus();

  await userEvent.keyboard('{Tab}{ArrowDown}{ArrowDown} {End} {Tab}');

  // The last by its name.
  expect(chosen.value).toEqual(['d-3', 'd-5']);
  expect(root.querySelector('[role=grid]')?.contains(document.activeElement)).toBe(false);
  expect(root.scrollWidth).toBeLessThanOrEqual(root.clientWidth);
  expect(await mounted?.faults()).toEqual([]);
});

// Would catch: a selection that has to be made again, or searched for among all; a task that does not say whom it is about.
it('names a selection that came along in one line, which unfolds with the chosen ones on top', async () => {
  const { root, at, names, chosen } = await shown(12, ['d-7', 'd-8', 'd-9', 'd-10']);
  await expect.poll(() => at('chosen-name').textContent).toBe('4 gates of Harbour');
  expect(root.querySelector('[role=grid]')).toBeNull();
  const line = root.scrollHeight;

  await userEvent.click(at('change-devices'));

  await expect.poll(() => names().slice(0, 5)).toEqual(['Door 7', 'Door 8', 'Door 9', 'Door 10', 'Door 1']);
  await expect.poll(() => document.activeElement?.getAttribute('type')).toBe('search');
  await userEvent.selectOptions(at('picker-state'), 'attention');
  await expect.poll(names).toEqual(['Door 3', 'Door 4']);
  await userEvent.click(at('picker-row'));
  expect(await mounted?.faults()).toEqual([]);
  await userEvent.click(at('change-devices'));
  await expect.poll(() => at('chosen-name').textContent).toBe('5 gates of Harbour');
  expect(chosen.value).toHaveLength(5);
  expect([line, root.scrollHeight].every((height) => height < 60)).toBe(true);
  expect(document.activeElement).toBe(at('change-devices'));
});

// Would catch: a list from which only a mouse can choose one device, or which stays open, or chooses a second one.
it('chooses one device, folds, and gives the focus to the button that changes it', async () => {
  const { root, chosen, at, names } = await shown(5, '', 420, { label: 'Terminal' });
  await expect.poll(names).toHaveLength(5);
  expect(await mounted?.faults()).toEqual([]);

  await userEvent.click(at('picker-row'));
  await expect.poll(() => chosen.value).toBe('d-1');
  await expect.poll(() => root.textContent).toBe('TerminalDoor 110.0.0.1Change');
  expect(document.activeElement).toBe(at('change-devices'));
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.getAttribute('data-test-id')).toBe('picker-row');
  await userEvent.keyboard('{ArrowDown}{Enter}');

  await expect.poll(() => chosen.value).toBe('d-2');
  expect(root.querySelector('[role=grid]')).toBeNull();
});

// Would catch: devices for which the task is not, among those that fit, or missing without a word.
it('offers what fits, and says once what does not', async () => {
  const { at, names } = await shown(203, [], 700, { kinds: ['thermal'] });
  await expect.poll(names).toEqual(['Door 201', 'Door 202', 'Door 203']);
  expect(at('picker-others').textContent).toContain('200 devices are of another kind than Thermal.');

  await userEvent.click(at('show-others'));

  await expect.poll(() => names().slice(0, 4)).toEqual(['Door 201', 'Door 202', 'Door 203', 'Door 1']);
});

// Would catch: a device that cannot do the task, and can be chosen for it.
it('has no way to devices that cannot be chosen', async () => {
  const { root, at } = await shown(203, ['d-1', 'd-201'], 700, { kinds: ['thermal'], strict: true });
  await expect.poll(() => at('chosen-name').textContent).toBe('Door 201');
  expect(at('picker-strangers').textContent).toContain('1 chosen device cannot be chosen here');

  await userEvent.click(at('change-devices'));

  await expect.poll(() => at('picker-others').textContent).toContain('200 devices are of another kind');
  expect(root.querySelector('[data-test-id="show-others"]')).toBeNull();
});
