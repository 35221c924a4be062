import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { formatMegabytes } from '#renderer/common/labels/format.ts';
import { describeDetail } from '#renderer/common/labels/detail-text.ts';
import type { Detail } from '#shared/details.ts';
import { ENGINE_STATES, type EngineView, type ModelStage } from '#shared/ai-models/ai-models.ts';

/** Words of packages, engines and transfers, in the language of the screen. */
export function useModelLabels() {
  const { t, n } = useI18n();
  return computed(() => ({
    /** One that the specification does not know as its number (part 1, 3). */
    engine: (status: number): string =>
      Object.values(ENGINE_STATES).some((known) => known === status)
        ? sentence({ id: `model.engine-state.${status}` } as Detail)
        : String(status),
    /** Channels in use and left, by what they analyse. */
    channels: ({ channels = {} }: Pick<EngineView, 'channels'>): string =>
      (['video', 'picture'] as const)
        .flatMap((key) => {
          const count = channels[key];
          if (count === undefined) return [];
          const left = count.left === undefined ? '?' : n(count.left);
          return [t(`models.board.${key}`, { used: n(count.used), left })];
        })
        .join(' · '),
    stage: (stage: ModelStage): string => sentence({ id: `model.stage.${stage}` }),
    detail: sentence,
    megabytes: (bytes: number): string => formatMegabytes(bytes, n),
    rate: (perSecond: number): string => `${formatMegabytes(perSecond, n)}/s`,
  }));
}

function sentence(detail: Detail): string {
  return describeDetail(detail) ?? '';
}
