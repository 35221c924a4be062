import { useEventListener } from '@vueuse/core';
import { ref, type Ref } from 'vue';
import { findAction, type GlobalAction } from './keys.ts';

const TEXT = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]';
/** Controls that use the arrow keys and letters themselves. */
const OWN_KEYS = `${TEXT}, [role=row], [role=grid], [role=listbox], [role=tablist], [role=menu], [role=slider], [role=radiogroup], input`;

/** Acts on the global keys; returns which of the two panels that they open is open. */
export function useKeys(): Ref<'command' | 'sheet' | undefined> {
  const open = ref<'command' | 'sheet'>();

  useEventListener(window, 'keydown', (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    const target = event.target instanceof Element ? event.target : undefined;
    const action = findAction(event, target?.closest(TEXT) !== null);
    if (action !== undefined && act(action, target)) event.preventDefault();
  });

  function act(action: GlobalAction, target: Element | undefined): boolean {
    const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1);
    if (action === 'goOn') return goOn(dialog);
    if (dialog !== undefined) return false;
    if (action === 'command' || action === 'sheet') open.value = action;
    else if (action === 'search') return search();
    else if (action === 'firstRow')
      return target?.closest(OWN_KEYS) == null && focus('main [role=grid] [role=row][tabindex="0"]');
    return true;
  }

  function search(): boolean {
    if (!focus('main [role=combobox], main input[type=search]')) open.value = 'command';
    return true;
  }

  return open;
}

function focus(selector: string): boolean {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility());
  found?.focus();
  return found !== undefined;
}

/** Presses the one button that goes on; where it still needs a consent, that gets the focus. */
function goOn(dialog: HTMLElement | undefined): boolean {
  const where = dialog ?? document.querySelector<HTMLElement>('main');
  const buttons = [...(where?.querySelectorAll<HTMLButtonElement>('.n-button--primary-type') ?? [])].filter(
    (one) => one.checkVisibility() && one.closest('.page-header, .empty') === null,
  );
  const button = buttons.find((one) => one.closest('footer, .action-bar, .selection') !== null) ?? buttons[0];
  if (button === undefined) return false;
  if (!button.disabled) button.click();
  else
    where
      ?.querySelector<HTMLElement>(
        ':is([aria-invalid=true], input:required:invalid, .boxed input:not(:checked))',
      )
      ?.focus();
  return true;
}
