import { computed, onScopeDispose, ref, toValue, watch, type MaybeRefOrGetter, type Ref } from 'vue';

/**
 * Seconds until a moment (ISO 8601), counted down while it lies ahead; undefined where there is none. It counts
 * the time that passes: a clock that is set meanwhile changes nothing.
 */
export function useCountdown(until: MaybeRefOrGetter<string | undefined>): Readonly<Ref<number | undefined>> {
  const now = ref(performance.now());
  /** When `performance.now()` began, by the clock as it was when the moment was told. */
  const origin = ref(Date.now() - performance.now());
  let timer: ReturnType<typeof setInterval> | undefined;
  const left = computed(() => {
    const iso = toValue(until);
    const at = iso === undefined ? Number.NaN : Date.parse(iso);
    return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - origin.value - now.value) / 1000));
  });
  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }
  watch(
    () => toValue(until),
    () => {
      now.value = performance.now();
      origin.value = Date.now() - now.value;
    },
    { flush: 'sync' },
  );
  watch(
    () => (left.value ?? 0) > 0,
    (isAhead) => {
      if (!isAhead) stop();
      else
        timer ??= setInterval(() => {
          now.value = performance.now();
        }, 1000);
    },
    { immediate: true },
  );
  onScopeDispose(stop);
  return left;
}

/**
 * When a countdown is worth saying aloud: every five minutes, each of the last minutes, then half a
 * minute and its end. Gives the second it belongs to, so that the same one is said once.
 */
export function getSpokenStep(seconds: number): number {
  const steps = seconds > 300 ? 300 : seconds > 60 ? 60 : 30;
  return Math.ceil(seconds / steps) * steps;
}
