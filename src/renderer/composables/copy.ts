import { useTimeoutFn } from '@vueuse/core';
import { ref, type Ref } from 'vue';

/** How long a button says that it copied. */
const SAID_MS = 2000;

/**
 * Puts text on the clipboard; `copied` is true for a moment once it is there. A page from another
 * machine over plain HTTP has no clipboard interface: there the browser copies a selection, which
 * must lie inside of the open dialog, since everything behind one is inert.
 */
export function useCopy(): { readonly copied: Readonly<Ref<boolean>>; copy(text: string): Promise<void> } {
  const copied = ref(false);
  const { start } = useTimeoutFn(
    () => {
      copied.value = false;
    },
    SAID_MS,
    { immediate: false },
  );
  return {
    copied,
    async copy(text) {
      copied.value = (await viaInterface(text)) || viaSelection(text);
      if (copied.value) start();
    },
  };
}

async function viaInterface(text: string): Promise<boolean> {
  const clipboard = (navigator as { readonly clipboard?: Clipboard }).clipboard;
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false;
  }
}

function viaSelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.cssText = 'position: fixed; opacity: 0';
  (focused?.closest('dialog[open]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
