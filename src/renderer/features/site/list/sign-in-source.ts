import type { Device } from '#shared/model.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

export function signInSource(
  { signInFrom: from }: Device,
  siteNames: ReadonlyMap<string, string>,
  t: Translate,
): string {
  if (from === undefined) return t('site.from.nothing');
  switch (from.kind) {
    case 'tag':
      return t('site.from.tag', { tag: from.tag });
    case 'site':
      return t('site.from.site', { site: siteNames.get(from.siteId) ?? '' });
    case 'conflict':
      return t('site.from.conflict', { tags: from.tags.join(', ') });
    default:
      return t(`site.from.${from.kind}`);
  }
}
