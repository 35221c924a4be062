/** Time by which states are shown. */
import { createSharedComposable, useNow } from '@vueuse/core';

/** Current time for states, shared by the whole window. */
export const useStandingTime = createSharedComposable(() => useNow({ interval: 5_000 }));
