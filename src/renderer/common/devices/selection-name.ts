import { onMounted } from 'vue';
import type { Device } from '#shared/model.ts';
import { nameSelection } from '#shared/selection-name.ts';
import { useAccess } from '../access/access.store.ts';
import { formatDetailOrText } from '../labels/detail-text.ts';

export function useSelectionName(): (devices: readonly Device[]) => string {
  const access = useAccess();
  // A selection has a name without its site too.
  onMounted(() => void access.loadSites().catch(() => undefined));
  return (devices) => formatDetailOrText(nameSelection(devices, access.sites));
}
