import { useIntervalFn } from '@vueuse/core';
import { computed, ref, toValue, watch, type MaybeRefOrGetter, type Ref } from 'vue';

/**
 * Seconds until a moment (ISO 8601), counted down while it lies ahead; undefined where there is none. It counts
 * the time that passes: a clock that is set meanwhile changes nothing.
 */
export function useCountdown(until: MaybeRefOrGetter<string | undefined>): Readonly<Ref<number | undefined>> {
  const now = ref(performance.now());
  /** Start of `performance.now()` by the clock at the time when the moment was received. */
  const origin = ref(Date.now() - performance.now());
  const left = computed(() => {
    const iso = toValue(until);
    const at = iso === undefined ? Number.NaN : Date.parse(iso);
    return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - origin.value - now.value) / 1000));
  });
  const { pause, resume } = useIntervalFn(
    () => {
      now.value = performance.now();
    },
    1000,
    { immediate: false },
  );
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
    (isAhead) => (isAhead ? resume() : pause()),
    { immediate: true },
  );
  return left;
}

/**
 * Returns the second of the last spoken step of a countdown, so that each is spoken once: every five minutes,
 * each of the last minutes, half a minute, and the end.
 */
export function getSpokenStep(seconds: number): number {
  const steps = seconds > 300 ? 300 : seconds > 60 ? 60 : 30;
  return Math.ceil(seconds / steps) * steps;
}
