/** A CSV with values for single devices: what the engine read of it, and which variables it fills. */
import { computed, shallowRef } from 'vue';
import type { TemplateVariable } from '#shared/model.ts';
import type { ValuesTable } from '#shared/template/authoring.ts';

export interface ValuesFile extends ValuesTable {
  readonly name: string;
}

export function createValuesFile(variables: () => readonly TemplateVariable[]) {
  const file = shallowRef<ValuesFile>();
  /** Nothing can be planned until what is wrong with it is mended, or it is taken away. */
  const isWrong = computed(() => (file.value?.errors.length ?? 0) > 0);
  /** Variables to which the file gives a value on every device that it names. */
  const filled = computed(() => {
    const table = isWrong.value ? undefined : file.value;
    if (table === undefined) return new Set<string>();
    return new Set(
      variables()
        .map(({ name }) => name)
        .filter((name) => table.devices.every(({ values }) => Object.hasOwn(values, name))),
    );
  });
  const byDevice = computed(() =>
    file.value === undefined
      ? undefined
      : Object.fromEntries(file.value.devices.map(({ deviceId, values }) => [deviceId, { ...values }])),
  );
  return { file, isWrong, filled, byDevice };
}
