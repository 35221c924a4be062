import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';

/** The tour on the virtual site: whether it is on. The next start of the app remembers it. */
export const useTour = defineStore('tour', () => {
  const isOn = useStorage('fieldwright-tour', false);
  return { isOn };
});
