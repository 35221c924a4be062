import { useI18n } from 'vue-i18n';
import { reveal } from '../labels/format.ts';

/** One device by its name, several by how many they are. */
export function useDevicesCalled(): (names: readonly string[]) => string {
  const { t } = useI18n();
  return (names) => (names.length === 1 ? reveal(names[0] ?? '') : t('site.count', { n: names.length }));
}
