import { onBeforeUnmount, onMounted, shallowRef, type Ref } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router';

/** Asks before unsaved changes are left. `asking` holds the question; `answer` settles it. */
export function useLeaveGuard(isDirty: Ref<boolean>) {
  const asking = shallowRef<(leave: boolean) => void>();

  function ask(): Promise<boolean> {
    return new Promise((resolve) => {
      asking.value = resolve;
    });
  }
  async function guard(to: RouteLocationNormalized, from: RouteLocationNormalized): Promise<boolean> {
    // Another field of the same page is no leaving.
    const { field: _to, ...there } = to.query;
    const { field: _from, ...here } = from.query;
    if (!isDirty.value || (to.path === from.path && JSON.stringify(there) === JSON.stringify(here)))
      return true;
    return ask();
  }
  function answer(leave: boolean): void {
    asking.value?.(leave);
    asking.value = undefined;
  }
  function beforeUnload(event: BeforeUnloadEvent): void {
    if (isDirty.value) event.preventDefault();
  }
  onBeforeRouteLeave(guard);
  onBeforeRouteUpdate(guard);
  onMounted(() => addEventListener('beforeunload', beforeUnload));
  onBeforeUnmount(() => removeEventListener('beforeunload', beforeUnload));
  return { asking, answer };
}
