import type { CredentialScope, Site } from '#shared/access.ts';
import { revealHiddenCharacters } from '#renderer/common/labels/format.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/** `Tag lobby`, `Site Harbour`; a site that is not known is shown by its id. */
export function scopeName(scope: CredentialScope, sites: readonly Site[], t: Translate): string {
  return scope.kind === 'tag'
    ? t('credentials.tag', { name: revealHiddenCharacters(scope.tag) })
    : t('credentials.site', {
        name: revealHiddenCharacters(sites.find(({ id }) => id === scope.siteId)?.name ?? scope.siteId),
      });
}
