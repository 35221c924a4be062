import type { CredentialScope, Site } from '#shared/access.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/** `Tag lobby`, `Site Harbour`; a site that is not known is shown by its id. */
export function scopeName(scope: CredentialScope, sites: readonly Site[], t: Translate): string {
  return scope.kind === 'tag'
    ? t('credentials.tag', { name: scope.tag })
    : t('credentials.site', {
        name: sites.find(({ id }) => id === scope.siteId)?.name ?? scope.siteId,
      });
}
