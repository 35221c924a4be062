/** Parts of a guided flow in a real browser: the list of its steps, and checks answered with a glove or by key. */
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { defineComponent, h, nextTick, ref } from 'vue';
import { ActionBar, CheckButtons, StepList } from '#renderer/components/ui/index.ts';
import { mount, type Mounted } from './mount.ts';

let mounted: Mounted | undefined;
afterEach(() => {
  mounted?.end();
  mounted = undefined;
});

const LONG = 'Überprüfung der Lichtschranken beider Fahrspuren am nördlichen Wareneingang';
const OPTIONS = [
  { value: 'good', label: 'As it should be', tone: 'good' },
  { value: 'bad', label: 'Not as it should be', tone: 'bad' },
  { value: 'not-tested', label: 'Not tested', isQuiet: true },
] as const;

describe('the list of steps', () => {
  const STATES = ['done', 'failed', 'skipped'] as const;
  const steps = Array.from({ length: 13 }, (_none, at) => ({
    id: `step-${at}`,
    label: at % 4 === 0 ? LONG : `Step ${at + 1}`,
    state: STATES[at] ?? ('open' as const),
    ...(at < STATES.length && { status: STATES[at] }),
  }));
  const list = () => h(StepList, { steps, now: 'step-3', label: 'Steps', summary: 'Step 4 of 13 · Doors' });

  // Would catch: a list that hides its steps for exactly the long flows, or says only by colour what became of them.
  it('shows all thirteen, and what became of each in words', async () => {
    await page.viewport(1280, 900);
    mounted = mount(
      defineComponent(() => list),
      { width: 220 },
    );
    const items = [...mounted.root.querySelectorAll('[role=listitem]')];

    await expect.poll(() => items.filter((item) => item.checkVisibility()).length).toBe(13);
    expect(items.slice(0, 3).map((item) => item.querySelector('small')?.textContent)).toEqual([...STATES]);
    expect(items.flatMap((item, at) => (item.getAttribute('aria-current') === 'step' ? [at] : []))).toEqual([
      3,
    ]);
    expect(mounted.root.scrollWidth).toBeLessThanOrEqual(mounted.root.clientWidth);
    expect(await mounted.faults()).toEqual([]);
  });

  // Would catch: thirteen steps above the question on a telephone, or a summary that does not unfold by key.
  it('is one line in a narrow window, and unfolds by key', async () => {
    await page.viewport(390, 844);
    mounted = mount(
      defineComponent(() => list),
      { width: 390 },
    );
    const { root } = mounted;
    const seen = (): number =>
      [...root.querySelectorAll('[role=listitem]')].filter((item) => item.checkVisibility()).length;
    const summary = root.querySelector('summary');

    await expect.poll(seen).toBe(0);
    expect(summary?.textContent).toBe('Step 4 of 13 · Doors');
    expect(summary?.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    summary?.focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(seen).toBe(13);
    expect(await mounted.faults()).toEqual([]);
  });
});

describe('checks by a person', () => {
  const answers = ref<Record<string, string | undefined>>({});
  const checks = (names: readonly string[], error?: string) =>
    defineComponent(() => () => [
      ...names.map((name) =>
        h(CheckButtons<string>, {
          key: name,
          name,
          label: `${name}: ${LONG}`,
          options: OPTIONS,
          error,
          modelValue: answers.value[name],
          'onUpdate:modelValue': (value: string | undefined) => {
            answers.value = { ...answers.value, [name]: value };
          },
        }),
      ),
      h(ActionBar, { large: true }, () => h('button', { class: 'n-button' }, 'Next')),
    ]);

  afterEach(() => {
    answers.value = {};
  });

  // Would catch: buttons that a gloved thumb misses, long words that are cut, on a telephone and on a tablet.
  it.each([390, 1024])('have buttons of 56 px at a width of %i', async (width) => {
    await page.viewport(width, 800);
    mounted = mount(checks(['lamps'], 'Please fill this in.'), { width: width - 32 });

    for (const label of mounted.root.querySelectorAll('label')) {
      expect(label.getBoundingClientRect().height, label.textContent).toBeGreaterThanOrEqual(56);
      expect(label.scrollWidth, label.textContent).toBeLessThanOrEqual(label.clientWidth);
    }
    expect(mounted.root.querySelector('.n-button')?.getBoundingClientRect().height).toBeGreaterThanOrEqual(
      56,
    );
    expect(await mounted.faults()).toEqual([]);
  });

  // Would catch: a check that only a mouse answers, or two checks of one screen that undo each other.
  it('are answered by key, each for itself', async () => {
    await page.viewport(1024, 800);
    mounted = mount(checks(['lamps', 'wings', 'sound']));

    await userEvent.keyboard('{Tab} {Tab} {ArrowRight}{Tab} {ArrowRight}{ArrowRight}');
    await nextTick();

    expect(answers.value).toEqual({ lamps: 'good', wings: 'bad', sound: 'not-tested' });
    expect(
      [...mounted.root.querySelectorAll<HTMLInputElement>('input:checked')].map(({ name }) => name),
    ).toEqual(['lamps', 'wings', 'sound']);
    const focused = document.activeElement?.closest('label');
    expect(focused && getComputedStyle(focused).outlineStyle).toBe('solid');
  });

  // Would catch: an answer that is missing, and that assistive technology does not say so of.
  it('say which answer is missing', () => {
    mounted = mount(checks(['lamps'], 'Please fill this in.'));
    const group = mounted.root.querySelector('fieldset');
    const error = document.getElementById(group?.getAttribute('aria-describedby') ?? '');

    expect(error?.textContent).toBe('Please fill this in.');
    expect([...mounted.root.querySelectorAll('input')].every((input) => input.ariaInvalid === 'true')).toBe(
      true,
    );
  });
});
