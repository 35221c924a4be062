/** The kit in a real browser: the keyboard, assistive technology, long and Chinese names, narrow windows. */
import { afterEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick, ref, type Component } from 'vue';
import {
  AccessibleTable,
  Badge,
  CheckBox,
  FactList,
  FormField,
  Notice,
  Panel,
  Row,
  Segments,
  SelectBox,
  SelectField,
  StepList,
  SwitchButton,
  TabBar,
  TextBox,
  TextField,
} from '#renderer/components/ui/index.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => {
  mounted?.end();
  mounted = undefined;
});

const LONG = 'Recorder behind the third door of the northern warehouse, ground floor '.repeat(3);
const CHINESE = '北门仓库一层第三道门后的录像机'.repeat(6);

const everything = (name: string) =>
  defineComponent(() => {
    const text = ref('12');
    const one = ref('a');
    const on = ref(true);
    const tab = ref('first');
    return () =>
      h(Panel, { as: 'section', 'aria-label': name }, () => [
        h(
          FormField,
          { label: name, help: name, error: name },
          {
            default: ({ attributes }: { readonly attributes: Record<string, unknown> }) =>
              h(TextBox, {
                ...attributes,
                modelValue: text.value,
                'onUpdate:modelValue': (v) => (text.value = String(v)),
              }),
          },
        ),
        h(SelectBox, { modelValue: one.value, 'aria-label': 'choice' }, () => [
          h('option', { value: 'a' }, name),
        ]),
        h(
          CheckBox,
          { modelValue: on.value, 'onUpdate:modelValue': (v: unknown) => (on.value = v === true) },
          () => name,
        ),
        h(SwitchButton, { modelValue: on.value, label: 'On', 'aria-label': 'switch' }),
        h(Segments, {
          modelValue: one.value,
          'onUpdate:modelValue': (v: unknown) => (one.value = String(v)),
          name: 'segments',
          'aria-label': 'segments',
          options: ['a', 'b', 'c'].map((value) => ({ value, label: `Choice ${value}` })),
        }),
        h(Notice, { tone: 'warn', icon: 'good' }, () => name),
        h(Row, { wrap: true }, () => [
          ...(['good', 'info', 'warn', 'special', 'bad', 'quiet'] as const).map((tone) =>
            h(Badge, { tone, round: true }, () => tone),
          ),
          h(Badge, () => name),
        ]),
        h(FactList, { facts: [[name, name]] }),
        h(StepList, {
          label: 'steps',
          now: 'second',
          steps: ['first', 'second', 'third'].map((id) => ({ id, label: id, canGo: id === 'first' })),
        }),
        h(TabBar, {
          modelValue: tab.value,
          'onUpdate:modelValue': (v: string) => (tab.value = v),
          tabs: [
            { id: 'first', label: 'First' },
            { id: 'second', label: 'Second' },
          ],
          label: 'tabs',
          panel: 'panel',
        }),
        h('div', { id: 'panel', role: 'tabpanel', 'aria-labelledby': `panel-${tab.value}` }, tab.value),
      ]);
  });

describe.each([
  ['light', false],
  ['dark', true],
])('in %s', (_theme, dark) => {
  it('has no fault that assistive technology would meet', async () => {
    mounted = mount(everything('Entrance'), { dark });

    expect(await mounted.faults()).toEqual([]);
  });
});

it.each([
  ['long', LONG],
  ['Chinese', CHINESE],
  ['unbroken', 'x'.repeat(300)],
])('%s names stay inside of a narrow panel', (_kind, name) => {
  mounted = mount(everything(name), { width: 280 });

  expect(mounted.root.scrollWidth).toBeLessThanOrEqual(280);
});

it('tabs and segments are gone through with the arrow keys, a box is ticked with Space', async () => {
  mounted = mount(everything('Entrance'));
  const at = <E extends HTMLElement>(selector: string): E => mounted?.root.querySelector<E>(selector) as E;

  at('[role=tab]').focus();
  await userEvent.keyboard('{ArrowRight}');
  await nextTick();
  const tab = document.activeElement?.textContent.trim();
  at('[role=radiogroup] input').focus();
  await userEvent.keyboard('{ArrowRight}');
  const segment = at<HTMLInputElement>('[role=radiogroup] input:checked').closest('label')?.textContent;
  at('input[type=checkbox]').focus();
  await userEvent.keyboard(' ');

  expect([tab, segment, at<HTMLInputElement>('input[type=checkbox]').checked]).toEqual([
    'Second',
    'Choice b',
    false,
  ]);
});

// Would catch: a box as high as it should be wide, because the class of a row's part went to the box of the field.
it.each([
  ['text', TextField],
  ['choice', SelectField],
])('a class widens the whole field of a %s and leaves its box as high as any', (_kind, field) => {
  mounted = mount(
    defineComponent(
      () => () =>
        h(Row, { align: 'end', wrap: true }, () =>
          h(field as Component, { class: 'fits', label: 'Name', modelValue: '', 'data-test-id': 'box' }),
        ),
    ),
  );
  const box = mounted.root.querySelector('[data-test-id=box]')?.getBoundingClientRect();

  expect(box?.height).toBeLessThan(60);
  expect(box?.width).toBeGreaterThan(300);
});

// Would catch: what a table has no room for on a telephone is nowhere to be seen.
it('a cell of a narrow table can tell what a dropped column would', async () => {
  const columns = [
    {
      key: 'when',
      title: 'When',
      render: (row: string, shown: readonly { readonly key: string }[]) =>
        shown.some(({ key }) => key === 'state') ? row : `${row}, failed`,
    },
    { key: 'state', title: 'State', width: 150, dropBelow: 500, render: () => 'failed' },
  ];
  mounted = mount(
    defineComponent(
      () => () =>
        h(
          'div',
          { style: { height: '200px', display: 'flex' } },
          h(AccessibleTable as Component, {
            columns,
            rows: ['Monday'],
            rowKey: String,
            rowName: String,
            label: 'Jobs',
          }),
        ),
    ),
    { width: 300 },
  );
  const { root } = mounted;

  await expect
    .poll(() => [...root.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent.trim()))
    .toEqual(['Monday, failed']);
});
